/// A number of fixed width: 64 bits each, the least significant first.
package typealias Limbs = [UInt64]

extension Limbs {
  /// - Parameters:
  ///   - bytes: big-endian; those beyond the width must be zero.
  ///   - count: the width; by default as many as the bytes need.
  package init(bytes: some BidirectionalCollection<UInt8>, count: Int? = nil) {
    self.init(repeating: 0, count: count ?? (bytes.count + 7) / 8)
    for (index, byte) in bytes.reversed().enumerated() where index / 8 < self.count {
      self[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
    }
  }

  /// The same number, with zeros above.
  package init(_ limbs: [UInt64], count: Int) {
    self = limbs + [UInt64](repeating: 0, count: count - limbs.count)
  }

  /// Big-endian, as wide as the number.
  package var bytes: [UInt8] {
    reversed().flatMap { limb in (0..<8).map { UInt8(truncatingIfNeeded: limb >> (56 - 8 * UInt64($0))) } }
  }

  /// self − other, and 1 if that is negative, else 0.
  func subtracting(_ other: Limbs) -> (Limbs, borrow: UInt64) {
    var difference = self
    var borrow: UInt64 = 0
    var index = 0
    while index < count {
      let limb = self[index] &- other[index]
      difference[index] = limb &- borrow
      borrow = UInt64.borrow(self[index], other[index], limb) | UInt64.borrow(limb, borrow, limb &- borrow)
      index &+= 1
    }
    return (difference, borrow)
  }

  /// self + other if all bits of the mask are set, self if none is; what exceeds the width is dropped.
  func adding(_ other: Limbs, under mask: UInt64) -> Limbs {
    var sum = self
    var carry: UInt64 = 0
    var index = 0
    while index < count {
      let limb = UInt64.multiply(self[index], 1, adding: other[index] & mask, carry)
      sum[index] = limb.low
      carry = limb.high
      index &+= 1
    }
    return sum
  }

  /// self · factor + summand, wide enough for every value of that width.
  func multiplied(by factor: Limbs, adding summand: Limbs) -> Limbs {
    var result = Limbs(summand, count: Swift.max(count + factor.count, summand.count) + 1)
    for (index, digit) in factor.enumerated() {
      var carry: UInt64 = 0
      for place in index..<result.count {
        let limb = place - index < count ? self[place - index] : 0
        let sum = UInt64.multiply(limb, digit, adding: result[place], carry)
        result[place] = sum.low
        carry = sum.high
      }
    }
    return result
  }

  /// Overwrites the number with zeros, as far as Swift allows: copies that the compiler made are out of reach.
  @inline(never)
  mutating func erase() { for index in indices { self[index] = 0 } }
}

extension UInt64 {
  /// left · right + summand + other, which always fits. The carries are computed, not compared: no branch, even without
  /// the optimizer.
  @inline(__always)
  static func multiply(
    _ left: UInt64, _ right: UInt64, adding summand: UInt64, _ other: UInt64
  ) -> (high: UInt64, low: UInt64) {
    let product = left.multipliedFullWidth(by: right)
    let first = product.low &+ summand
    let low = first &+ other
    let carries = carry(product.low, summand, first) &+ carry(first, other, low)
    return (product.high &+ carries, low)
  }

  /// 1 if the sum of these two was too large, else 0.
  @inline(__always)
  private static func carry(_ left: UInt64, _ right: UInt64, _ sum: UInt64) -> UInt64 {
    (left & right | (left | right) & ~sum) >> 63
  }

  /// 1 if the difference of these two was negative, else 0.
  @inline(__always)
  fileprivate static func borrow(_ left: UInt64, _ right: UInt64, _ difference: UInt64) -> UInt64 {
    (~left & right | (~left | right) & difference) >> 63
  }
}
