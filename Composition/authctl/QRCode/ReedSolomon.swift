/// Error correction codewords over GF(2⁸) with the polynomial 0x11D (ISO/IEC 18004 §7.5.2).
struct ReedSolomon {
  /// Of the generator polynomial, the highest power first and without its leading 1.
  private let generator: [UInt8]

  init(count: Int) {
    var generator: [UInt8] = Array(repeating: 0, count: count - 1) + [1]
    var root: UInt8 = 1
    for _ in 0..<count {
      for index in generator.indices {
        generator[index] = Self.product(generator[index], root)
        if index + 1 < count { generator[index] ^= generator[index + 1] }
      }
      root = Self.product(root, 2)
    }
    self.generator = generator
  }

  /// The remainder of the data, divided by the generator.
  func correction(of data: [UInt8]) -> [UInt8] {
    var remainder = Array(repeating: 0 as UInt8, count: generator.count)
    for byte in data {
      let factor = byte ^ remainder.removeFirst()
      remainder.append(0)
      for (index, coefficient) in generator.enumerated() {
        remainder[index] ^= Self.product(coefficient, factor)
      }
    }
    return remainder
  }

  private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var product = 0
    for bit in (0..<8).reversed() {
      product = product << 1 ^ (product >> 7) * 0x11D
      if right >> bit & 1 == 1 { product ^= Int(left) }
    }
    return UInt8(product)
  }
}
