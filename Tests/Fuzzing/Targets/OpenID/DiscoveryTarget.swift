#if OpenID
import AuthenticationData
import AuthenticationDomain
import Foundation

@testable import AuthenticationOpenID

/// A discovery document.
enum DiscoveryTarget {
  private static let now = Date(timeIntervalSince1970: 1_790_000_000)
  private static let issuer = "https://id.example.com"

  static func check(_ input: [UInt8]) throws {
    let response = HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Data(input))
    let metadata: IssuerMetadata
    do throws(AuthenticationError) {
      metadata = try MetadataResponseMapper.map(response, of: IssuerIdentifier(issuer), now: now)
    } catch {
      try error.checkSilence()
      try Finding.unless(
        [.unexpectedResponse, .security, .insecureConnection, .responseTooLarge].contains(error),
        "a document that is none is refused with one of four codes")
      return
    }
    try Finding.unless(metadata.issuer == issuer, "the metadata is the issuer's own")
    for endpoint in metadata.endpoints.values {
      let text = endpoint.absoluteString.lowercased().utf8
      try Finding.unless(text.starts(with: "https://".utf8), "every endpoint is https")
      let authority = text.dropFirst(8).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      try Finding.unless(!authority.isEmpty && authority.first != UInt8(ascii: ":"), "every endpoint has a host")
      try Finding.unless(!authority.contains(UInt8(ascii: "@")), "no endpoint has user info")
      try Finding.unless(!text.contains(UInt8(ascii: "#")), "no endpoint has a fragment")
    }
  }
}
#endif
