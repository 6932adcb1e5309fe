import Testing

@testable import AuthenticationData
@testable import AuthenticationPasskeys

@Suite struct CBORReaderTests {
  // RFC 8949, appendix A.
  @Test(
    arguments: [
      ([0x00], .integer(0)), ([0x17], .integer(23)), ([0x18, 0x18], .integer(24)),
      ([0x19, 0x03, 0xE8], .integer(1000)),
      ([0x1A, 0x00, 0x0F, 0x42, 0x40], .integer(1_000_000)),
      ([0x1B, 0x00, 0x00, 0x00, 0xE8, 0xD4, 0xA5, 0x10, 0x00], .integer(1_000_000_000_000)),
      ([0x1B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .other), ([0x20], .integer(-1)),
      ([0x39, 0x03, 0xE7], .integer(-1000)), ([0x3B, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .integer(.min)),
      ([0x3B, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .other), ([0xF9, 0x3C, 0x00], .other), ([0xF4], .other),
      ([0xF6], .other), ([0x40], .bytes([])), ([0x44, 1, 2, 3, 4], .bytes([1, 2, 3, 4])), ([0x60], .text("")),
      ([0x62, 0xC3, 0xBC], .text("ü")), ([0x80], .array([])),
      (
        [0x83, 0x01, 0x82, 0x02, 0x03, 0x20], .array([.integer(1), .array([.integer(2), .integer(3)]), .integer(-1)])
      ),
      ([0xA0], .map([:])),
      ([0xA2, 0x01, 0x02, 0x61, 0x61, 0x40], .map([.integer(1): .integer(2), .text("a"): .bytes([])])),
    ] as [([UInt8], CBORValue)])
  func `values of the standard are read`(bytes: [UInt8], value: CBORValue) throws {
    var reader = CBORReader(bytes)
    #expect(try reader.readValue() == value)
    #expect(reader.isAtEnd)
  }

  @Test(
    arguments: [
      [], [0x18], [0x1C], [0x1F], [0x41], [0x5F, 0x41, 0x00, 0xFF], [0x9F, 0xFF], [0xBF, 0xFF], [0xFF], [0xC0, 0x00],
      [0x61, 0xFF], [0xA1, 0x00], [0xA2, 0x01, 0x01, 0x01, 0x02], [0xA1, 0x40, 0x00], [0xA1, 0x80, 0x00],
      [0xA1, 0xF6, 0x00],
    ] as [[UInt8]])
  func `CBOR that an authenticator may not write is refused`(bytes: [UInt8]) {
    #expect(throws: MalformedCBOR.self) { try read(bytes) }
  }

  @Test(arguments: [0x5A, 0x5B, 0x7A, 0x7B, 0x9A, 0x9B, 0xBA, 0xBB] as [UInt8])
  func `a length beyond the end takes no memory`(head: UInt8) {
    #expect(throws: MalformedCBOR.self) { try read([head] + [UInt8](repeating: 0x7F, count: 12)) }
    #expect(throws: MalformedCBOR.self) { try read([head] + [UInt8](repeating: 0xFF, count: 12)) }
  }

  @Test func `nesting ends at eight`() throws {
    func nested(_ depth: Int, _ head: [UInt8]) -> [UInt8] {
      Array(repeatElement(head, count: depth - 1).joined()) + [0]
    }
    for head in [[0x81], [0xA1, 0x00]] as [[UInt8]] {
      #expect(throws: Never.self) { try read(nested(8, head)) }
      #expect(throws: MalformedCBOR.self) { try read(nested(9, head)) }
      #expect(throws: MalformedCBOR.self) { try read(nested(60_000, head)) }
    }
  }

  @Test func `no input ends the process`() {
    var generator = SplitMix(state: 42)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0..<48, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      _ = try? read(bytes)
      _ = try? AttestationObject(bytes)
      _ = try? AuthenticatorData([UInt8](repeating: 0, count: 32) + bytes)
    }
  }

  private func read(_ bytes: [UInt8]) throws(MalformedCBOR) -> CBORValue {
    var reader = CBORReader(bytes)
    return try reader.readValue()
  }
}

/// The same numbers in each run.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
