/// The modules of a symbol, and which of them are not data (ISO/IEC 18004 §6.3).
struct QRGrid {
  private(set) var dark: [[Bool]]
  /// Of the patterns, the format and the version.
  private var isFunction: [[Bool]]

  init(_ version: QRVersion, _ codewords: [UInt8], mask: Int) {
    let size = version.size
    dark = Array(repeating: Array(repeating: false, count: size), count: size)
    isFunction = dark
    for index in 0..<size {
      set(6, index, index.isMultiple(of: 2))
      set(index, 6, index.isMultiple(of: 2))
    }
    for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawRings(x, y, radius: 4) }
    let (centres, last) = (version.alignmentCentres, size - 7)
    for x in centres {
      for y in centres where (x, y) != (6, 6) && (x, y) != (6, last) && (x, y) != (last, 6) {
        drawRings(x, y, radius: 2)
      }
    }
    drawFormat(mask: mask)
    if version.number >= 7 { drawVersion(version.number) }
    place(codewords, mask: mask)
  }

  private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
    guard dark.indices.contains(x), dark.indices.contains(y) else { return }
    dark[y][x] = isDark
    isFunction[y][x] = true
  }

  /// Data, module by module: pairs of columns from the right, upwards and downwards in turn, past the timing pattern
  /// (§7.7.3); inverted where the mask says so (§7.8.2).
  private mutating func place(_ codewords: [UInt8], mask: Int) {
    let data: [Bool] = codewords.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 == 1 } }
    var bits = data[...]
    let pairs = Array(stride(from: dark.count - 1, to: 6, by: -2)) + [5, 3, 1]
    for (pair, right) in pairs.enumerated() {
      for step in dark.indices {
        let y = pair.isMultiple(of: 2) ? dark.count - 1 - step : step
        for x in [right, right - 1] where !isFunction[y][x] {
          dark[y][x] = (bits.popFirst() ?? false) != Self.inverts(mask, x, y)
        }
      }
    }
  }

  private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
    switch mask {
    case 0: (x + y) % 2 == 0
    case 1: y % 2 == 0
    case 2: x % 3 == 0
    case 3: (x + y) % 3 == 0
    case 4: (y / 2 + x / 3) % 2 == 0
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3) % 2 == 0
    default: ((x + y) % 2 + x * y % 3) % 2 == 0
    }
  }

  /// A finder pattern with its separator, or an alignment pattern: rings around a centre (§6.3.3, §6.3.6).
  private mutating func drawRings(_ centreX: Int, _ centreY: Int, radius: Int) {
    for y in -radius...radius {
      for x in -radius...radius {
        let ring = max(abs(x), abs(y))
        set(centreX + x, centreY + y, radius == 4 ? ring != 2 && ring != 4 : ring != 1)
      }
    }
  }

  /// The level and the mask, twice, with their check bits (§7.9).
  private mutating func drawFormat(mask: Int) {
    let bits = Self.format(mask: mask)
    func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
    let size = dark.count
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
  private mutating func drawVersion(_ number: Int) {
    let bits = Self.version(number)
    for index in 0..<18 {
      let (near, far) = (index / 3, dark.count - 11 + index % 3)
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

extension QRGrid {
  /// How much this resembles a pattern that a scanner takes for something else (ISO/IEC 18004 §7.8.3).
  var penalty: Int {
    let columns = dark.indices.map { x in dark.map { $0[x] } }
    let lines = dark + columns
    return lines.reduce(0) { $0 + Self.runs($1) + Self.finders($1) } + squares + imbalance
  }

  /// Five and more of a colour in a row.
  private static func runs(_ line: [Bool]) -> Int {
    var (penalty, length) = (0, 0)
    for index in line.indices {
      length = index > 0 && line[index] == line[index - 1] ? length + 1 : 1
      penalty += length == 5 ? 3 : length > 5 ? 1 : 0
    }
    return penalty
  }

  /// The proportions of a finder pattern, with four light modules on one side of it.
  private static func finders(_ line: [Bool]) -> Int {
    let core = [true, false, true, true, true, false, true]
    let light = [false, false, false, false]
    let patterns = [core + light, light + core]
    return line.indices.dropLast(core.count + light.count - 1).reduce(0) { penalty, start in
      let part = line[start..<(start + core.count + light.count)]
      return penalty + 40 * patterns.count { $0.elementsEqual(part) }
    }
  }

  /// Squares of two by two in one colour.
  private var squares: Int {
    var penalty = 0
    for y in dark.indices.dropLast() {
      for x in dark.indices.dropLast() {
        if Set(dark[y][x...(x + 1)] + dark[y + 1][x...(x + 1)]).count == 1 { penalty += 3 }
      }
    }
    return penalty
  }

  /// Each five per cent that the dark modules are away from half of all.
  private var imbalance: Int {
    let count = dark.joined().count { $0 }
    let all = dark.count * dark.count
    return abs(count * 20 - all * 10) / all * 10
  }
}
