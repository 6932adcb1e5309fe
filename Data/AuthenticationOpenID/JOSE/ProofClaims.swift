#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The claims of a DPoP proof (RFC 9449 §4.2).
struct ProofClaims: Encodable {
  let jti: String
  let htm: String
  let htu: String
  let iat: Int64
  let ath: String?
  let nonce: String?

  var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self)
    }
  }

  /// `htu`: the URL in the form that servers compare, without query and fragment (RFC 9449 §4.3, RFC 3986 §6.2.2,
  /// §6.2.3).
  static func target(_ url: URL) -> String? {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let scheme = parts.scheme?.lowercased(),
      let host = parts.encodedHost, !host.isEmpty
    else { return nil }
    parts.scheme = scheme
    parts.encodedHost = host.lowercased()
    if parts.port == (scheme == "https" ? 443 : 80) { parts.port = nil }
    if parts.percentEncodedPath.isEmpty { parts.percentEncodedPath = "/" }
    parts.user = nil
    parts.password = nil
    parts.query = nil
    parts.fragment = nil
    return parts.string
  }
}
