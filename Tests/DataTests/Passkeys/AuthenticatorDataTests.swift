import Testing

@testable import AuthenticationData
@testable import AuthenticationPasskeys

@Suite struct AuthenticatorDataTests {
  private let hash = [UInt8](repeating: 7, count: 32)
  private let key: [UInt8] = [0xA2, 0x01, 0x02, 0x03, 0x20]

  @Test func `the counter is big-endian`() throws {
    #expect(try AuthenticatorData(hash + [0x05, 1, 2, 3, 4]).signatureCount == 0x0102_0304)
  }

  @Test(arguments: [(0x10, false), (0x18, true), (0x08, true), (0x00, true)] as [(UInt8, Bool)])
  func `only a credential that is eligible for backup may be marked as backed up`(flags: UInt8, isValid: Bool) {
    #expect(((try? AuthenticatorData(hash + [flags, 0, 0, 0, 0])) != nil) == isValid)
  }

  @Test func `extensions are one map, and the end`() {
    let head = hash + [0x80, 0, 0, 0, 0]
    #expect(throws: Never.self) { try AuthenticatorData(head + [0xA1, 0x61, 0x61, 0xF5]) }
    for tail in [[], [0x01], [0xA0, 0x00], [0x80]] as [[UInt8]] {
      #expect(throws: MalformedCBOR.self) { try AuthenticatorData(head + tail) }
    }
  }

  @Test func `bytes that no flag announces are refused`() {
    #expect(throws: MalformedCBOR.self) { try AuthenticatorData(hash + [0x01, 0, 0, 0, 0, 0xA0]) }
  }

  @Test func `a credential may be followed by extensions`() throws {
    let data = try AuthenticatorData(
      hash + [0xC1, 0, 0, 0, 0] + [UInt8](repeating: 9, count: 16) + [0, 2, 5, 6] + key + [0xA0])
    #expect(data.credential?.id == [5, 6])
    #expect(data.credential?.model == [UInt8](repeating: 9, count: 16))
    #expect(data.credential?.publicKey.algorithm == -1)
    #expect(data.credential?.publicKey.subjectPublicKeyInfo == nil)
  }

  @Test(arguments: [0, 1, 1023, 1024, 65535]) func `a credential id has 1 to 1,023 bytes`(count: Int) {
    let bytes =
      hash + [0x41, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 16) + [UInt8(count >> 8), UInt8(count & 255)]
      + [UInt8](repeating: 1, count: count) + key
    #expect(((try? AuthenticatorData(bytes)) != nil) == (1...1023).contains(count))
  }
}
