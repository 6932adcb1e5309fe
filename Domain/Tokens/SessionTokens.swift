/// A token that refreshes a session; it goes to the provider's token endpoint and nowhere else.
public struct RefreshToken: Sendable, Hashable {
  /// As the provider sent it; opaque here (RFC 6749 §1.5).
  public let value: Secret
  /// Wraps what a provider sent.
  public init(_ value: Secret) { self.value = value }
}

/// An identity token as the provider sent it: not validated, so nothing in it may be trusted.
public struct RawIdentityToken: Sendable, Hashable {
  /// As the provider sent it (OpenID Connect Core §2).
  public let value: Secret
  /// Wraps what a provider sent, without validation.
  public init(_ value: Secret) { self.value = value }
}

/// The private key to which a session's tokens are bound (DPoP, RFC 9449): without it they cannot be used.
public struct ProofKey: Sendable, Hashable {
  /// As the provider wrote it, opaque here; on Apple devices it may only name a key that never leaves the hardware.
  public let value: Secret
  /// Wraps what a provider wrote.
  public init(_ value: Secret) { self.value = value }
}

/// The tokens of one session, as the provider returned them.
public struct SessionTokens: Sendable, Hashable {
  private struct Contents: Sendable, Hashable {
    let access: AccessToken
    let refresh: RefreshToken?
    let identity: RawIdentityToken?
    let proofKey: ProofKey?
  }

  private let contents: Boxed<Contents>

  /// Authorizes requests.
  public var access: AccessToken { contents.value.access }
  /// Refreshes the session; nil if the provider gave none. Where the access token refreshes itself while it is valid, this
  /// has the same value: it is refreshed in the second half of its lifetime, also while the app is idle.
  public var refresh: RefreshToken? { contents.value.refresh }
  /// Says who signed in, unvalidated; nil if the provider gave none.
  public var identity: RawIdentityToken? { contents.value.identity }
  /// Proves possession of the tokens; nil if any bearer may use them.
  public var proofKey: ProofKey? { contents.value.proofKey }

  /// For a provider that maps a response, and for tests.
  public init(
    access: AccessToken, refresh: RefreshToken? = nil, identity: RawIdentityToken? = nil, proofKey: ProofKey? = nil
  ) {
    contents = Boxed(Contents(access: access, refresh: refresh, identity: identity, proofKey: proofKey))
  }

  /// Whether the session can be refreshed after its access token has expired.
  package var outliveAccess: Bool { refresh.map { $0.value != access.value } ?? false }

  /// Whether the access token refreshes itself: while it is valid, and not afterwards.
  package var refreshThemselves: Bool { refresh != nil && !outliveAccess }

  /// These tokens without the ID token, to be revoked while the person stays signed in: with it a provider could end
  /// the whole sign-in.
  package var withoutIdentity: SessionTokens {
    SessionTokens(access: access, refresh: refresh, proofKey: proofKey)
  }

  /// These tokens, completed by the old ones that a refresh left out: a refresh token that is not replaced stays in
  /// use (RFC 6749 §6).
  func completed(from old: SessionTokens) -> SessionTokens {
    SessionTokens(
      access: access, refresh: refresh ?? old.refresh, identity: identity ?? old.identity,
      proofKey: proofKey ?? old.proofKey)
  }
}

extension SessionTokens: CustomReflectable {
  public var customMirror: Mirror { contents.mirror(of: self) }
}
