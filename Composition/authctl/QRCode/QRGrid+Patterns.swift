extension QRGrid {
  /// A finder pattern with its separator, or an alignment pattern: rings around a centre (§6.3.3, §6.3.6).
  mutating func drawRings(_ centreX: Int, _ centreY: Int, radius: Int) {
    for y in -radius...radius {
      for x in -radius...radius {
        let ring = max(abs(x), abs(y))
        set(centreX + x, centreY + y, radius == 4 ? ring != 2 && ring != 4 : ring != 1)
      }
    }
  }

  mutating func drawAlignment() {
    let centres = version.alignmentCentres
    guard let last = centres.last else { return }
    for x in centres {
      for y in centres where (x, y) != (6, 6) && (x, y) != (6, last) && (x, y) != (last, 6) {
        drawRings(x, y, radius: 2)
      }
    }
  }

  /// The level and the mask, twice, with their check bits (§7.9).
  mutating func drawFormat(mask: Int) {
    let bits = Self.format(mask: mask)
    func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
    let size = version.size
    for index in 0...5 { set(8, index, bit(index)) }
    set(8, 7, bit(6))
    set(8, 8, bit(7))
    set(7, 8, bit(8))
    for index in 9..<15 { set(14 - index, 8, bit(index)) }
    for index in 0..<8 { set(size - 1 - index, 8, bit(index)) }
    for index in 8..<15 { set(8, size - 15 + index, bit(index)) }
    set(8, size - 8, true)
  }

  /// The version, twice, with its check bits (§7.10).
  mutating func drawVersion() {
    guard version.number >= 7 else { return }
    let bits = Self.version(version.number)
    for index in 0..<18 {
      let (near, far) = (index / 3, version.size - 11 + index % 3)
      set(far, near, bits >> index & 1 == 1)
      set(near, far, bits >> index & 1 == 1)
    }
  }

  /// Fifteen bits (annex C). The level M is 00.
  static func format(mask: Int) -> Int { (mask << 10 | remainder(of: mask << 10, by: 0x537)) ^ 0x5412 }

  /// Eighteen bits (annex D).
  static func version(_ number: Int) -> Int { number << 12 | remainder(of: number << 12, by: 0x1F25) }

  /// Of a division of polynomials over GF(2).
  private static func remainder(of dividend: Int, by divisor: Int) -> Int {
    var remainder = dividend
    let degree = divisor.bitLength
    while remainder.bitLength >= degree { remainder ^= divisor << (remainder.bitLength - degree) }
    return remainder
  }
}

extension Int {
  fileprivate var bitLength: Int { bitWidth - leadingZeroBitCount }
}
