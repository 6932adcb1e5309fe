/// Arithmetic modulo an odd number in Montgomery's form (Handbook of Applied Cryptography, §14.3.2 and §14.6.1).
///
/// No branch and no index depends on a value: only on how wide the modulus and the exponent are.
package struct MontgomeryModulus: Sendable {
  /// The modulus, as wide as every operand and result.
  package let limbs: Limbs
  /// −modulus⁻¹ mod 2⁶⁴.
  private let factor: UInt64
  /// R mod modulus, where R is 2 to the width: the form of 1.
  private let one: Limbs
  /// R² mod modulus, which brings a number into the form.
  private var square: Limbs

  /// - Parameter limbs: an odd number above 1, without leading zeros.
  init(_ limbs: Limbs) {
    self.limbs = limbs
    var inverse = limbs[0]
    // Each round doubles how many bits are right; three are at first.
    for _ in 0..<5 { inverse = inverse &* (2 &- limbs[0] &* inverse) }
    factor = 0 &- inverse
    // The highest power of 2 below the modulus, doubled until it is R.
    let spare = limbs[limbs.count - 1].leadingZeroBitCount
    var power = Limbs(repeating: 0, count: limbs.count)
    power[limbs.count - 1] = 1 << (63 - UInt64(spare))
    one = (0...spare).reduce(power) { power, _ in Self.doubled(power, modulo: limbs) }
    // R is 2 to the width: square and double for each bit of the width, as the form of a power of 2.
    square = one
    let width = 64 * limbs.count
    square = (0..<Int.bitWidth - width.leadingZeroBitCount).reversed().reduce(one) { power, bit in
      let squared = reducedProduct(power, power)
      return width >> bit & 1 == 1 ? Self.doubled(squared, modulo: limbs) : squared
    }
  }

  /// (left − right) mod modulus, for numbers below it.
  func difference(_ left: Limbs, _ right: Limbs) -> Limbs {
    let (difference, borrow) = left.subtracting(right)
    return difference.adding(limbs, under: 0 &- borrow)
  }

  /// left · right mod modulus, for numbers below it.
  func product(_ left: Limbs, _ right: Limbs) -> Limbs { reducedProduct(reducedProduct(left, square), right) }

  /// baseᵉ mod modulus, for a base below it: four bits of the exponent at a time, all of them, each time with the same
  /// five multiplications and a look at the whole table.
  package func power(_ base: Limbs, _ exponent: Limbs) -> Limbs {
    let width = limbs.count
    let base = reducedProduct(base, square)
    var powers = [one]
    for _ in 1..<16 { powers.append(reducedProduct(powers[powers.count - 1], base)) }
    var result = one
    for index in stride(from: exponent.count * 16 - 1, through: 0, by: -1) {
      for _ in 0..<4 { result = reducedProduct(result, result) }
      let digit = exponent[index / 16] >> UInt64(index % 16 * 4) & 15
      var factor = Limbs(repeating: 0, count: width)
      for (candidate, power) in powers.enumerated() {
        let other = UInt64(candidate) ^ digit
        // All ones if they are the same, else zero.
        let mask = ((other | (0 &- other)) >> 63) &- 1
        var limb = 0
        while limb < width {
          factor[limb] |= power[limb] & mask
          limb &+= 1
        }
      }
      result = reducedProduct(result, factor)
      factor.erase()
    }
    for index in powers.indices { powers[index].erase() }
    return reducedProduct(result, Limbs([1], count: width))
  }

  /// left · right · R⁻¹ mod modulus.
  private func reducedProduct(_ left: Limbs, _ right: Limbs) -> Limbs {
    var sum = Limbs(repeating: 0, count: limbs.count)
    var top: UInt64 = 0
    for digit in right { top = unsafe addRow(&sum, top, left, digit, limbs) }
    return Self.reduced(sum, top, modulo: limbs)
  }

  /// sum = (sum + left · digit + multiple of the modulus) / 2⁶⁴; returns the bit beyond the width.
  ///
  /// By pointers, which are all as long as the modulus, and in plain loops: without the optimizer, as an app is
  /// debugged, anything else takes seconds.
  private func addRow(
    _ sum: UnsafeMutablePointer<UInt64>, _ top: UInt64, _ left: UnsafePointer<UInt64>, _ digit: UInt64,
    _ modulus: UnsafePointer<UInt64>
  ) -> UInt64 {
    let width = limbs.count
    var product = unsafe UInt64.multiply(left[0], digit, adding: sum[0], 0)
    let quotient = product.low &* factor
    var multiple = unsafe UInt64.multiply(modulus[0], quotient, adding: product.low, 0)
    var index = 1
    while index < width {
      product = unsafe UInt64.multiply(left[index], digit, adding: sum[index], product.high)
      multiple = unsafe UInt64.multiply(modulus[index], quotient, adding: product.low, multiple.high)
      unsafe sum[index - 1] = multiple.low
      index &+= 1
    }
    // 1 · high + high + top.
    let last = UInt64.multiply(product.high, 1, adding: multiple.high, top)
    unsafe sum[width - 1] = last.low
    return last.high
  }

  /// The number, or its rest without the modulus; `top` is its bit beyond the width.
  private static func reduced(_ value: Limbs, _ top: UInt64, modulo limbs: Limbs) -> Limbs {
    let (difference, borrow) = value.subtracting(limbs)
    return difference.adding(limbs, under: 0 &- (borrow & (top ^ 1)))
  }

  private static func doubled(_ value: Limbs, modulo limbs: Limbs) -> Limbs {
    var double = value.map { $0 << 1 }
    for index in 1..<value.count { double[index] |= value[index - 1] >> 63 }
    return reduced(double, value[value.count - 1] >> 63, modulo: limbs)
  }
}

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
  init(_ limbs: [UInt64], count: Int) { self = limbs + [UInt64](repeating: 0, count: count - limbs.count) }

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

  /// self + other if all bits of the mask are set, self if none is; bits beyond the width are dropped.
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
  @inline(__always) fileprivate static func borrow(_ left: UInt64, _ right: UInt64, _ difference: UInt64) -> UInt64 {
    (~left & right | (~left | right) & difference) >> 63
  }
}
