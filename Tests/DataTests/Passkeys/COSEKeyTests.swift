import Testing

@testable import AuthenticationData
@testable import AuthenticationPasskeys

@Suite struct COSEKeyTests {
  private let point: [CBORValue: CBORValue] = [
    .integer(1): .integer(2), .integer(3): .integer(-7), .integer(-1): .integer(1),
    .integer(-2): .bytes([UInt8](repeating: 1, count: 32)), .integer(-3): .bytes([UInt8](repeating: 2, count: 32)),
  ]
  private let rsa: [CBORValue: CBORValue] = [
    .integer(1): .integer(3), .integer(3): .integer(-257),
    .integer(-1): .bytes([UInt8](repeating: 0x81, count: 256)), .integer(-2): .bytes([1, 0, 1]),
  ]

  @Test(
    arguments: [
      (1, .integer(1)), (1, .integer(3)), (3, .text("ES256")), (3, .integer(-8)), (3, .integer(-257)),
      (-1, .integer(2)),
      (-2, .bytes([])), (-2, .bytes([UInt8](repeating: 1, count: 33))), (-3, .bytes([UInt8](repeating: 1, count: 31))),
      (-3, .other), (3, .other),
    ] as [(Int64, CBORValue)])
  func `a point that contradicts its algorithm is refused`(parameter: Int64, value: CBORValue) {
    #expect(throws: Never.self) { try COSEKey(.map(point)) }
    #expect(throws: MalformedCBOR.self) { try COSEKey(.map(point.merging([.integer(parameter): value]) { $1 })) }
  }

  @Test(arguments: [1, 3, -1, -2, -3] as [Int64]) func `a point that lacks something is refused`(parameter: Int64) {
    #expect(throws: MalformedCBOR.self) { try COSEKey(.map(point.filter { $0.key != .integer(parameter) })) }
  }

  @Test(
    arguments: [
      (-1, .bytes([])), (-1, .bytes([UInt8](repeating: 0x81, count: 255))),
      (-1, .bytes([0] + [UInt8](repeating: 0x81, count: 256))), (-1, .bytes([UInt8](repeating: 0x81, count: 2049))),
      (-2, .bytes([])), (-2, .bytes([0, 1])), (-2, .bytes([UInt8](repeating: 1, count: 9))),
    ] as [(Int64, CBORValue)])
  func `an RSA key that is no such number is refused`(parameter: Int64, value: CBORValue) {
    #expect(throws: Never.self) { try COSEKey(.map(rsa)) }
    #expect(throws: MalformedCBOR.self) { try COSEKey(.map(rsa.merging([.integer(parameter): value]) { $1 })) }
  }

  @Test func `a value that is no map is no key`() {
    #expect(throws: MalformedCBOR.self) { try COSEKey(.array([])) }
  }
}
