/// The whole authentication state of one person at one provider, as one immutable value.
///
/// Copying it costs one reference count, so that reading it for each request is cheap.
///
/// ```swift
/// let tokens = SessionTokens(
///   access: try AccessToken(Secret(wire.access), receivedAt: clock.now, lifetime: .seconds(wire.seconds)),
///   refresh: RefreshToken(Secret(wire.refresh)))
/// let session = AuthSession(user: User(id: wire.user), tokens: tokens)
/// ```
public struct AuthSession: Sendable, Hashable {
  private struct Contents: Sendable, Hashable {
    let user: User
    let tokens: SessionTokens
  }

  private let contents: Boxed<Contents>

  /// For a provider that has signed a person in, and for tests.
  public init(user: User, tokens: SessionTokens) {
    contents = Boxed(Contents(user: user, tokens: tokens))
  }

  /// Whose session it is.
  public var user: User { contents.value.user }
  /// Everything the provider gave; ``SessionStore`` keeps it.
  public var tokens: SessionTokens { contents.value.tokens }
  /// What authorizes requests now; it may have expired: ask ``SessionSource`` for a valid one.
  public var accessToken: AccessToken { contents.value.tokens.access }
  /// The value of the `Authorization` header.
  public var authorization: Secret { contents.value.tokens.access.authorization }

  /// The same person with the tokens of a refresh.
  ///
  /// - Parameter tokens: the new tokens; a token that they lack is taken from the old ones (RFC 6749 §6).
  package func renewed(with tokens: SessionTokens) -> AuthSession {
    AuthSession(user: user, tokens: tokens.completed(from: self.tokens))
  }
}

extension AuthSession: CustomStringConvertible, CustomReflectable {
  public var description: String { "AuthSession(user: \(user.id), tokens: <redacted>)" }
  public var customMirror: Mirror { Mirror(self, children: ["user": user, "tokens": tokens]) }
}
