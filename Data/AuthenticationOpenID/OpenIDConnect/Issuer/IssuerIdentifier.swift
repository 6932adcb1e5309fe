import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A validated issuer identifier, and the addresses of its metadata (OpenID Connect Discovery §2, RFC 8414 §2).
struct IssuerIdentifier: Sendable {
  /// As given; compared byte for byte.
  let text: String
  let origin: Origin
  /// `{issuer}/.well-known/openid-configuration` (OpenID Connect Discovery §4.1).
  let openIDConfiguration: URL
  /// `/.well-known/oauth-authorization-server{path}` (RFC 8414 §3.1).
  let oauthMetadata: URL

  /// Throws ``AuthenticationError/Code/invalidConfiguration`` unless it is an https URL (or http to this machine) of
  /// visible ASCII, without user info, query and fragment.
  init(_ text: String) throws(AuthenticationError) {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URL(string: text), let origin = Origin(url)
    else { throw .invalidIssuer("is not an absolute https URL without user info") }
    guard origin.isSecure else { throw .invalidIssuer("is neither https nor on this machine") }
    guard !text.contains(where: { $0 == "?" || $0 == "#" }) else { throw .invalidIssuer("has a query or a fragment") }
    // The identifier's own spelling is kept: some servers compare it (OpenID Connect Discovery §4.1).
    let trimmed = text.hasSuffix("/") ? text.dropLast() : Substring(text)
    let authority = trimmed.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard authority.count >= 3 else { throw .invalidIssuer("names no host") }
    let host = authority.prefix(3).joined(separator: "/")
    let path = authority.count > 3 ? "/" + authority[3] : ""
    guard let openIDConfiguration = URL(string: trimmed + "/.well-known/openid-configuration"),
      let oauthMetadata = URL(string: host + "/.well-known/oauth-authorization-server" + path)
    else { throw .invalidIssuer("is not a URL") }
    self.text = text
    self.origin = origin
    self.openIDConfiguration = openIDConfiguration
    self.oauthMetadata = oauthMetadata
  }
}

extension AuthenticationError {
  fileprivate static func invalidIssuer(_ reason: String) -> Self {
    Self(
      .invalidConfiguration, "The issuer \(reason).",
      suggestion: "Write it like https://id.example.com, exactly as the issuer calls itself.")
  }
}
