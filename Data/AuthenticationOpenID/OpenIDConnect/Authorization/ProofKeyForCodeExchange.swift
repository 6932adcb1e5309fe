import AuthenticationDomain

/// A secret that only the client that began a sign-in knows (PKCE, RFC 7636): `S256`, never `plain`.
struct ProofKeyForCodeExchange: Sendable {
  static let method = "S256"

  let verifier: Secret

  /// BASE64URL(SHA256(ASCII(verifier))) (RFC 7636 §4.2).
  var challenge: String { Base64URL.sha256(of: verifier.reveal()) }
}
