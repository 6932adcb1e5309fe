/// A check that a response of the provider or a redirect of the browser failed: an open set. Each names its rule.
public struct SecurityCheck: Sendable, Hashable, CustomStringConvertible {
  /// The check in logs: stable, and the same for equal checks.
  public let description: String
  /// A check of a custom provider, in lower snake case.
  public init(_ description: String) { self.description = description }

  /// The redirect came with a `state` that is unknown, used, or too old (RFC 6749 §10.12).
  package static let state = Self("state")
  /// The redirect came to another address than the one asked for, or with repeated parameters (RFC 6749 §3.1).
  package static let redirect = Self("redirect")
  /// The response is not from the issuer asked (RFC 8414 §3.3, RFC 9207 §2.4, OpenID Connect Core §3.1.3.7).
  package static let issuer = Self("issuer")
  /// The ID token is for another audience (OpenID Connect Core §3.1.3.7).
  package static let audience = Self("audience")
  /// The ID token's signature, algorithm or key is not trusted (RFC 8725 §3).
  package static let signature = Self("signature")
  /// The ID token belongs to another request (OpenID Connect Core §3.1.3.7).
  package static let nonce = Self("nonce")
  /// The ID token has expired, or is not yet valid (OpenID Connect Core §3.1.3.7).
  package static let lifetime = Self("lifetime")
  /// The ID token, or another response about the user, is about another user (OpenID Connect Core §5.3.2, §12.2).
  package static let subject = Self("subject")
  /// The ID token belongs to another access token or code (OpenID Connect Core §3.1.3.6).
  package static let tokenHash = Self("token_hash")
  /// The user did not sign in as recently or as strongly as was asked (OpenID Connect Core §3.1.2.1).
  package static let authentication = Self("authentication")
  /// A token is of a type that was not asked for, or unusable here (RFC 6749 §7.1, RFC 9449 §5).
  package static let tokenType = Self("token_type")
  /// The issuer supports nothing that protects the authorization code (RFC 7636 §7.2).
  package static let codeChallenge = Self("code_challenge")
  /// An ID token is missing or not even well-formed (OpenID Connect Core §3.1.3.3).
  package static let idToken = Self("id_token")
}

extension AuthenticationError {
  /// For a response that failed a check and must not be trusted.
  ///
  /// - Parameters:
  ///   - check: the check that failed.
  ///   - message: for a developer, the fault; it quotes nothing of the response.
  public static func refused(by check: SecurityCheck, _ message: String) -> Self {
    Self(
      .security, message,
      suggestion: "Nothing was stored. If it happens again, the provider or the network is at fault."
    ).with(\.check, check)
  }
}
