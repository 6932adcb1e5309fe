/// A token that renews a session; it goes to the provider's token endpoint and nowhere else.
public struct RefreshToken: Sendable, Hashable {
  public let value: Secret
  public init(_ value: Secret) { self.value = value }
}

/// An identity token as the provider sent it: not validated, so nothing in it may be believed.
public struct RawIdentityToken: Sendable, Hashable {
  public let value: Secret
  public init(_ value: Secret) { self.value = value }
}

/// The tokens of one session, as the provider answered them.
public struct SessionTokens: Sendable, Hashable {
  public let access: AccessToken
  public let refresh: RefreshToken?
  public let identity: RawIdentityToken?

  public init(access: AccessToken, refresh: RefreshToken? = nil, identity: RawIdentityToken? = nil) {
    self.access = access
    self.refresh = refresh
    self.identity = identity
  }

  /// These tokens, completed by what a renewal left out: a refresh token that is not replaced stays in use
  /// (RFC 6749 §6).
  func completed(from old: SessionTokens) -> SessionTokens {
    SessionTokens(access: access, refresh: refresh ?? old.refresh, identity: identity ?? old.identity)
  }
}
