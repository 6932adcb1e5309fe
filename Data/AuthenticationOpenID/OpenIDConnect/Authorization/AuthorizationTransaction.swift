import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One authorization request, kept until its response arrives, which is checked against it (RFC 9700 §2.1, §4.4).
struct AuthorizationTransaction: Sendable, Redacted {
  /// 256 random bits each, of this transaction alone.
  let state: String
  let nonce: String
  let verifier: Secret
  let issuer: String
  let clientID: String
  /// As it was sent.
  let redirectURI: String
  /// UTC.
  let startedAt: Date
  let scopes: [String]
  let requirements: AuthenticationRequirements
  /// As it was sent (OpenID Connect Core §3.1.2.1).
  var prompt: [String] = []
  /// The key to which the tokens will be bound; nil for bearer tokens.
  let proofKey: ProofKey?
  /// Whether the issuer announced that it names itself in every response (RFC 9207 §3).
  var expectsIssuer = false
}

/// A code, and its transaction (RFC 6749 §4.1.2): state, issuer and redirect URI are checked.
struct AuthorizationGrant: Sendable, Redacted {
  let code: Secret
  let transaction: AuthorizationTransaction
}
