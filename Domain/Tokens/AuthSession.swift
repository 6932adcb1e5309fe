/// The whole authentication state of one user at one provider, as one immutable value.
///
/// Copying it costs one reference count, so that reading it for each request is cheap.
///
/// ```swift
/// let tokens = SessionTokens(
///   access: try AccessToken(Secret(wire.access), receivedAt: clock.now, lifetime: .seconds(wire.seconds)),
///   refresh: Secret(wire.refresh))
/// let session = AuthSession(user: User(id: wire.user), tokens: tokens)
/// ```
public struct AuthSession: Sendable, Hashable, BoxedValue {
  struct Contents: Sendable, Hashable {
    let user: User
    let tokens: SessionTokens
  }

  let contents: Boxed<Contents>

  /// For a provider that has signed a user in, and for tests. The claims that came with the tokens
  /// (``SessionTokens/claims``) become part of ``User/claims``.
  public init(user: User, tokens: SessionTokens) {
    contents = Boxed(Contents(user: user.adding(tokens.claims).without(tokens.secrets), tokens: tokens.with([:])))
  }

  /// Whose session it is.
  public var user: User { contents.value.user }
  /// Everything the provider gave; ``SessionStore`` keeps it.
  public var tokens: SessionTokens { contents.value.tokens }
  /// The token that authorizes requests now; it may have expired: ask ``SessionSource`` for a valid one.
  public var accessToken: AccessToken { contents.value.tokens.access }
  /// The value of the `Authorization` header.
  package var authorization: Secret { contents.value.tokens.access.authorization }

  /// The same user with the tokens of a refresh.
  ///
  /// - Parameter tokens: the new tokens; a token that they lack is taken from the old ones (RFC 6749 §6).
  package func refreshed(with tokens: SessionTokens) -> AuthSession {
    let tokens = tokens.with(tokens.claims.withoutSecrets(self.tokens.secrets))
    return AuthSession(user: user, tokens: tokens.completed(from: self.tokens))
  }

  /// The same session after a refresh for another resource: with its own access token.
  func kept(by tokens: SessionTokens) -> AuthSession {
    AuthSession(user: user, tokens: tokens.with(accessToken).completed(from: self.tokens))
  }

  /// The token that authorizes requests to another resource for the same user.
  func authorizing(with token: AccessToken) -> AuthSession {
    AuthSession(user: user, tokens: SessionTokens(access: token, proofKey: tokens.proofKey))
  }
}

extension AuthSession: CustomStringConvertible {
  public var description: String { "AuthSession(user: \(user.id), tokens: <redacted>)" }
}

/// The tokens of one session, as the provider returned them.
public struct SessionTokens: Sendable, Hashable, BoxedValue {
  struct Contents: Sendable, Hashable {
    let access: AccessToken
    let refresh: Secret?
    let identity: Secret?
    let proofKey: Secret?
    var claims: [String: JSONValue]

    var secrets: [Secret] { [access.value, refresh, identity, proofKey].compactMap(\.self) }
  }

  let contents: Boxed<Contents>

  /// Authorizes requests.
  public var access: AccessToken { contents.value.access }
  /// Refreshes the session at the provider's token endpoint, and goes nowhere else (RFC 6749 §1.5); nil if the provider
  /// gave none. Where the access token refreshes itself while it is valid, this has the same value: it is refreshed in
  /// the second half of its lifetime, also while the app is idle.
  public var refresh: Secret? { contents.value.refresh }
  /// The identity token (OpenID Connect Core §2) as the provider sent it: not validated, so that nothing in it may be
  /// trusted. nil if the provider gave none.
  public var identity: Secret? { contents.value.identity }
  /// The private key to which the tokens are bound (DPoP, RFC 9449), as the provider wrote it; on Apple devices it may
  /// only name a key that never leaves the hardware. nil if any bearer may use the tokens.
  public var proofKey: Secret? { contents.value.proofKey }
  /// The provider's claims about the user in the response to a refresh: each replaces the one of the same name in
  /// ``User/claims``; one that is left out stays as it was. Empty in a session.
  public var claims: [String: JSONValue] { contents.value.claims }

  /// For a provider that maps a response, and for tests.
  public init(
    access: AccessToken, refresh: Secret? = nil, identity: Secret? = nil, proofKey: Secret? = nil,
    claims: [String: JSONValue] = [:]
  ) {
    var contents = Contents(access: access, refresh: refresh, identity: identity, proofKey: proofKey, claims: claims)
    contents.claims = claims.withoutSecrets(contents.secrets)
    self.contents = Boxed(contents)
  }

  /// None of them is shown in any text.
  package var secrets: [Secret] { contents.value.secrets }

  /// Whether the session can be refreshed after its access token has expired.
  package var outliveAccess: Bool { refresh.map { $0 != access.value } ?? false }

  /// Whether the access token refreshes itself: while it is valid, and not afterwards.
  package var refreshThemselves: Bool { refresh != nil && !outliveAccess }

  /// These tokens with these claims in place of the present ones.
  package func with(_ claims: [String: JSONValue]) -> SessionTokens {
    if claims == self.claims { return self }
    return SessionTokens(access: access, refresh: refresh, identity: identity, proofKey: proofKey, claims: claims)
  }

  /// These tokens with another access token.
  fileprivate func with(_ access: AccessToken) -> SessionTokens {
    SessionTokens(access: access, refresh: refresh, identity: identity, proofKey: proofKey, claims: claims)
  }

  /// These tokens without the ID token, to be revoked while the user stays signed in: with it a provider could end
  /// the whole sign-in.
  package var withoutIdentity: SessionTokens {
    SessionTokens(access: access, refresh: refresh, proofKey: proofKey)
  }

  /// These tokens, completed by the old ones that a refresh left out: a refresh token that is not replaced stays in
  /// use (RFC 6749 §6).
  func completed(from old: SessionTokens) -> SessionTokens {
    SessionTokens(
      access: access, refresh: refresh ?? old.refresh, identity: identity ?? old.identity,
      proofKey: proofKey ?? old.proofKey, claims: claims)
  }
}
