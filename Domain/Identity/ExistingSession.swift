/// A session that another library, or the app's own store, has.
package struct ExistingSession: Credentials {
  let session: AuthSession
  private let isNewer: Bool

  /// - Parameter isNewer: whether the user signed in after the session that is to be replaced began.
  package init(_ session: AuthSession, isNewer: Bool = false) {
    self.session = session
    self.isNewer = isNewer
  }

  /// Whether the user need not sign in again: the tokens of this user in another store may be spent by now.
  func yields(to active: ActiveSession) -> Bool {
    active.session.user.isSame(as: session.user) && !active.needsInteraction
      && (isNewer ? active.freshness == .fresh : active.freshness != .expired)
  }

  package var method: SignInMethod { .existingSession }

  /// Checks that the user has an id, and that there is a token to use or to refresh with.
  ///
  /// - Throws: ``AuthenticationError/invalidRequest`` if there is none.
  package func validate() throws(AuthenticationError) {
    let isUsable = !session.accessToken.value.isEmpty || session.tokens.refresh?.isEmpty == false
    guard !session.user.id.isEmpty, isUsable else {
      throw AuthenticationError(
        .invalidRequest, "The session to adopt has no user id, or no token.",
        suggestion: "Leave the user signed out, and let them sign in.")
    }
  }
}

extension AuthenticationUseCase {
  /// Takes over a session that another library or an app's own store has: it is stored and current, as after a sign-in,
  /// and changing to this library signs no user out. Does nothing if that user is signed in already, with a session
  /// that needs no new sign-in: an adopted session may have been refreshed since.
  ///
  /// ```swift
  /// try await root.useCase.adopt(AuthSession(user: user, tokens: tokens))
  /// ```
  ///
  /// - Parameter session: the session to keep from now on; its tokens are used as they are, and refreshed.
  /// - Returns: whose session it is.
  /// - Throws: ``AuthenticationError/invalidRequest`` if it cannot be used. The old store is left as it is.
  @discardableResult
  public func adopt(_ session: AuthSession) async throws(AuthenticationError) -> User {
    try await signIn(with: ExistingSession(session))
  }
}
