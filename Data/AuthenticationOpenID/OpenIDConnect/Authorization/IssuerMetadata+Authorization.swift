import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Issuer {
  /// Returns the metadata that a browser sign-in needs, from whichever document the issuer publishes it in.
  func metadata(signingIn client: OpenIDClient) async throws(AuthenticationError) -> IssuerMetadata {
    let pushes = try await metadata().takesPushedRequests(of: client)
    return try await metadata(
      with: [\.authorizationEndpoint, \.tokenEndpoint] + (pushes ? [\.pushedAuthorizationRequestEndpoint] : []))
  }
}

extension IssuerMetadata {
  /// Throws before the page is shown what would fail the sign-in after it; the client must be resolved.
  func checkAuthorization(of client: OpenIDClient) throws(AuthenticationError) {
    if client.endpoints[.authorization] == nil {
      try checkResponseTypes()
      try checkGrants()
    }
    try checkCodeChallenges()
    _ = try usableAuthorizationEndpoint()
    if tokenEndpoint == nil { throw .missing("token") }
    if takesPushedRequests(of: client), pushedAuthorizationRequestEndpoint == nil {
      throw .missing("pushed authorization request")
    }
    if client.askedScopes.contains("openid"), keySetURL == nil { throw .noKeySet }
  }

  func takesPushedRequests(of client: OpenIDClient) -> Bool {
    client.pushesAuthorizationRequests || requiresPushedAuthorizationRequests
  }

  /// OpenID Connect Discovery §3, RFC 8414 §2.
  func checkResponseTypes() throws(AuthenticationError) {
    guard let responseTypes, !responseTypes.contains("code") else { return }
    throw AuthenticationError(
      .clientRejected, "The issuer says that it answers with no authorization code.",
      suggestion: "Enable the response type 'code' at the issuer ('response_types_supported').")
  }

  /// RFC 8414 §2: without a list, the grant is supported.
  func checkGrants() throws(AuthenticationError) {
    guard let grantTypes, !grantTypes.contains("authorization_code") else { return }
    throw AuthenticationError(
      .clientRejected, "The issuer says that it does not support the authorization code grant.",
      suggestion: "Enable 'authorization_code' at the issuer ('grant_types_supported'), or sign in another way.")
  }

  /// An issuer that lists no method is sent PKCE all the same: it ignores unknown parameters (RFC 6749 §3.1), and state
  /// and nonce protect the sign-in (RFC 9700 §4.7.1). One that lists only other methods is refused: there is no
  /// downgrade to `plain` (RFC 7636 §7.2).
  func checkCodeChallenges() throws(AuthenticationError) {
    guard let codeChallengeMethods, !codeChallengeMethods.contains(ProofKeyForCodeExchange.method) else { return }
    var error = AuthenticationError(
      .security, "The issuer says that it does not support PKCE with S256, and nothing weaker is used.",
      suggestion: "Enable S256 at the issuer ('code_challenge_methods_supported').")
    error.check = .codeChallenge
    throw error
  }

  /// Throws ``AuthenticationError/Code/endpointMissing``, ``AuthenticationError/Code/insecureConnection``, and
  /// ``AuthenticationError/Code/unexpectedAnswer`` if it has a fragment (RFC 6749 §3.1).
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
  /// Returns the endpoint with these parameters appended to its own (RFC 6749 §3.1).
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

  static let noKeySet = refused(
    by: .signature, "The issuer publishes no keys to verify an ID token with (jwks_uri).")

  static let noPresenter = Self(
    .unsupportedMethod, "There is nothing to show the issuer's page with.",
    suggestion: "Give the OpenIDClient a presenter.")
}
