/// Somebody whose session is known, expired or not: "Continue as Ada", with the name and the picture of ``user``.
///
/// ```swift
/// if let session = root.manager.state.session {
///   let ada = ReturningPerson(session)
///   attempt.submit(SignInInput(hints: SignInHints(returning: ada)))
/// }
/// ```
public struct ReturningPerson: Sendable, Hashable {
  /// Who it is, as the app shows them.
  public let user: User
  /// The ID token of that session (`id_token_hint`, OpenID Connect Core §3.1.2.1); nil if it had none.
  public let identityToken: RawIdentityToken?

  /// The person of a session.
  public init(_ session: AuthSession) { self.init(user: session.user, identityToken: session.tokens.identity) }

  /// A person whom the app remembers.
  public init(user: User, identityToken: RawIdentityToken? = nil) {
    self.user = user
    self.identityToken = identityToken
  }
}
