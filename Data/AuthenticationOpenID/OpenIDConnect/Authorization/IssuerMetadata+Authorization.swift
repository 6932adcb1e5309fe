import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension IssuerMetadata {
  /// An issuer that advertises nothing is sent PKCE all the same: what it does not know it ignores (RFC 6749 §3.1), and
  /// state and nonce carry the defence (RFC 9700 §4.7.1). One that advertises other methods only is not used: there is no
  /// downgrade to `plain` (RFC 7636 §7.2).
  func checkCodeChallenges() throws(AuthenticationError) {
    guard let codeChallengeMethods, !codeChallengeMethods.contains(ProofKeyForCodeExchange.method) else { return }
    throw AuthenticationError(
      .unsupportedMethod, "The issuer says that it does not support PKCE with S256, and nothing weaker is used.",
      suggestion: "Enable S256 at the issuer ('code_challenge_methods_supported').")
  }

  /// Throws ``AuthenticationError/Code/endpointMissing``, ``AuthenticationError/Code/insecureConnection``, and
  /// ``AuthenticationError/Code/unexpectedAnswer`` where it has a fragment (RFC 6749 §3.1).
  func usableAuthorizationEndpoint() throws(AuthenticationError) -> URL {
    guard let authorizationEndpoint else { throw .missing("authorization") }
    guard Origin(authorizationEndpoint)?.isSecure == true else {
      throw AuthenticationError(
        .insecureConnection, "The issuer's authorization endpoint is neither https nor on this machine.",
        suggestion: "Check the issuer's discovery document.")
    }
    guard !authorizationEndpoint.absoluteString.contains("#") else {
      throw AuthenticationError(.unexpectedAnswer, "The issuer's authorization endpoint has a fragment.")
    }
    return authorizationEndpoint
  }
}

extension URL {
  /// The endpoint with these parameters after those it has (RFC 6749 §3.1).
  func appending(_ parameters: FormBody) throws(AuthenticationError) -> URL {
    let text = absoluteString
    let separator = !text.contains("?") ? "?" : text.hasSuffix("?") || text.hasSuffix("&") ? "" : "&"
    guard let url = URL(string: text + separator + parameters.encoded) else {
      throw AuthenticationError(.unexpectedAnswer, "The issuer's authorization endpoint is not a URL.")
    }
    return url
  }
}

extension AuthenticationError {
  static func missing(_ endpoint: String) -> Self {
    Self(
      .endpointMissing, "The issuer names no \(endpoint) endpoint.",
      suggestion: "Check the issuer's discovery document.")
  }

  static let noPresenter = Self(
    .unsupportedMethod, "There is nothing to show the issuer's page with.",
    suggestion: "Give the OpenIDClient a presenter.")
}
