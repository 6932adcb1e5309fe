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
    for index in indices {
      let limb = UInt128(self[index]) &- UInt128(other[index]) &- UInt128(borrow)
      difference[index] = limb.low
      borrow = limb.high & 1
    }
    return (difference, borrow)
  }

  /// self + other if all bits of the mask are set, self if none is; what exceeds the width is dropped.
  func adding(_ other: Limbs, under mask: UInt64) -> Limbs {
    var sum = self
    var carry: UInt64 = 0
    for index in indices {
      let limb = UInt128(self[index]) &+ UInt128(other[index] & mask) &+ UInt128(carry)
      sum[index] = limb.low
      carry = limb.high
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
        let sum = UInt128(limb) &* UInt128(digit) &+ UInt128(result[place]) &+ UInt128(carry)
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

extension UInt128 {
  var low: UInt64 { UInt64(truncatingIfNeeded: self) }
  var high: UInt64 { UInt64(truncatingIfNeeded: self >> 64) }
}
