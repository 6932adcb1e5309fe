import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationData

/// A setting that cannot be meant is an error when the client is made.
@Suite struct ServerTrustTests {
  static let pin = Data(repeating: 7, count: 32).base64EncodedString()

  @Test(arguments: [
    ServerTrust(pins: []), ServerTrust(pins: [""]), ServerTrust(pins: ["x"]), ServerTrust(pins: [pin, "AAAA"]),
    ServerTrust(roots: Data()), ServerTrust(roots: Data("roots".utf8)), ServerTrust(roots: Data([0xFF, 0x00])),
    ServerTrust(roots: Data("-----BEGIN CERTIFICATE-----\nMA==\n".utf8)),
    ServerTrust(roots: Data("-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n".utf8)),
    ServerTrust(roots: Data("-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n".utf8)),
  ])
  func `trust that cannot be meant makes no client`(trust: ServerTrust) {
    for transport in Transport.allCases {
      #expect(throws: AuthenticationError(.invalidConfiguration, "")) { try transport.client(trust: trust) }
    }
  }

  @Test func `a pin of 32 bytes is one`() throws {
    try ServerTrust(pins: [Self.pin]).validated()
  }
}
