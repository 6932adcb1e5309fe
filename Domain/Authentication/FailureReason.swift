/// Why an operation failed, if the code of the ``AuthenticationError`` is too coarse to decide by: an open set of plain
/// tokens. Keep a default branch.
///
/// ```swift
/// if error == .storageUnavailable, error.reason?.description == "keyring" { show("Unlock the keyring.") }
/// ```
///
/// With ``AuthenticationError/security`` a reason names the check that failed:
///
/// | token | check |
/// |---|---|
/// | `state` | the redirect has a `state` that is unknown, used, or too old (RFC 6749 §10.12) |
/// | `state_missing` | the redirect has no `state` (RFC 6749 §4.1.2) |
/// | `error_without_state` | the redirect has an error and no `state` (RFC 6749 §4.1.2.1) |
/// | `redirect` | the redirect has another address than the one asked for, or repeated parameters (RFC 6749 §3.1) |
/// | `issuer` | the response is of another issuer (RFC 8414 §3.3, RFC 9207 §2.4, OpenID Connect Core §3.1.3.7) |
/// | `issuer_slash` | the issuer's name differs by a slash at the end (RFC 8414 §3.3) |
/// | `audience` | the ID token is for another audience (OpenID Connect Core §3.1.3.7) |
/// | `signature` | the ID token's signature, algorithm or key is not trusted (RFC 8725 §3) |
/// | `nonce` | the ID token belongs to another request (OpenID Connect Core §3.1.3.7) |
/// | `lifetime` | the ID token has expired, or is not yet valid (OpenID Connect Core §3.1.3.7) |
/// | `subject` | the response is about another user (OpenID Connect Core §5.3.2, §12.2) |
/// | `token_hash` | the ID token belongs to another access token or code (OpenID Connect Core §3.1.3.6) |
/// | `authentication` | the sign-in is older or weaker than was asked (OpenID Connect Core §3.1.2.1) |
/// | `token_type` | the token has a type that was not asked for, or is unusable (RFC 6749 §7.1, RFC 9449 §5) |
/// | `code_challenge` | the issuer supports nothing that protects the authorization code (RFC 7636 §7.2) |
/// | `id_token` | the ID token is missing or malformed (OpenID Connect Core §3.1.3.3) |
/// | `organization`, `hosted_domain`, `tenant` | the ID token names no organization, domain or tenant, or another one |
/// | `metadata` | a document about a protected resource is missing, malformed or contradicts itself |
/// | `address` | a document names an address that is not public |
/// | `relying_party` | the passkey is for another domain than the configured one (WebAuthn Level 3 §5.1.4, §7.2) |
/// | `passkey_challenge` | the challenge is too short, was used, or is not the signed one (WebAuthn Level 3 §13.4.3) |
/// | `passkey_ceremony` | a new passkey was returned for a signature, or the reverse (WebAuthn Level 3 §7.1, §7.2) |
/// | `passkey_origin` | the response was made for a page of another origin (WebAuthn Level 3 §7.1, §7.2) |
/// | `user_presence` | the authenticator did not check that a user is present (WebAuthn Level 3 §7.1, §7.2) |
/// | `user_verification` | the authenticator did not verify the user, which was required (WebAuthn Level 3 §7.2) |
/// | `allowed_credentials` | the passkey is not one of those allowed (WebAuthn Level 3 §7.2) |
/// | `passkey_algorithm` | the passkey has an algorithm that was not asked for (WebAuthn Level 3 §7.1) |
///
/// With ``AuthenticationError/invalidConfiguration`` it is the name of the parameter in code, such as `clientID`. With
/// other codes:
///
/// | token | code | meaning |
/// |---|---|---|
/// | `keyring` | `storage_unavailable` | the keychain or keyring is locked, fails or does not respond |
/// | `refresh` | `client_rejected`, `insufficient_user_authentication` | a refresh was refused; the session is kept |
/// | `registration` | `client_rejected` | the authorization server registers no client by itself |
/// | `account` | `declined` | the account must be changed first: a factor added or removed, an address confirmed |
/// | `device_authorization` | `endpoint_missing` | the issuer has no device authorization endpoint (RFC 8628 §3.1) |
/// | `account_service` | `unsupported_method` | the provider does not have this account service |
/// | `password_protocol` | any | the client or the server may not allow this way to send a password |
public struct FailureReason: Sendable, Hashable, CustomStringConvertible {
  /// The token: stable, and the same for equal reasons.
  public let description: String
  /// Creates a reason of your own provider from a token in lower snake case; `other` in place of a text that is no plain
  /// token (`^[A-Za-z0-9_.:-]{1,64}$`).
  public init(_ description: String) { self.description = description.isPlainToken ? description : "other" }
}

extension FailureReason {
  package static let state = Self("state")
  package static let stateMissing = Self("state_missing")
  package static let errorWithoutState = Self("error_without_state")
  package static let redirect = Self("redirect")
  package static let issuer = Self("issuer")
  package static let issuerSlash = Self("issuer_slash")
  package static let audience = Self("audience")
  package static let signature = Self("signature")
  package static let nonce = Self("nonce")
  package static let lifetime = Self("lifetime")
  package static let subject = Self("subject")
  package static let tokenHash = Self("token_hash")
  package static let authentication = Self("authentication")
  package static let tokenType = Self("token_type")
  package static let codeChallenge = Self("code_challenge")
  package static let idToken = Self("id_token")
  package static let organization = Self("organization")
  package static let hostedDomain = Self("hosted_domain")
  package static let tenant = Self("tenant")
  package static let metadata = Self("metadata")
  package static let address = Self("address")
  package static let relyingParty = Self("relying_party")
  package static let passkeyChallenge = Self("passkey_challenge")
  package static let passkeyCeremony = Self("passkey_ceremony")
  package static let passkeyOrigin = Self("passkey_origin")
  package static let userPresence = Self("user_presence")
  package static let userVerification = Self("user_verification")
  package static let allowedCredentials = Self("allowed_credentials")
  package static let passkeyAlgorithm = Self("passkey_algorithm")

  package static let keyring = Self("keyring")
  package static let refresh = Self("refresh")
  package static let registration = Self("registration")
  package static let account = Self("account")
  package static let deviceAuthorization = Self("device_authorization")
  package static let accountService = Self("account_service")
  package static let passwordProtocol = Self("password_protocol")
}

extension AuthenticationError {
  /// For a response that failed a check and must not be trusted.
  ///
  /// - Parameters:
  ///   - reason: the check that failed.
  ///   - message: for a developer, the fault; it quotes nothing of the response.
  ///   - suggestion: the next step.
  public static func refused(
    by reason: FailureReason, _ message: String,
    suggestion: String = "Nothing was stored. If it happens again, the provider or the network is at fault."
  ) -> Self { Self(.security, message, suggestion: suggestion).with(\.reason, reason) }
}
