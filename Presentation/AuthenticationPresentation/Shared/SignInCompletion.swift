public import AuthenticationDomain

/// What an attempt came to: the session that it made. It closes no screen; that is the host's.
public struct SignInCompletion: Sendable, Equatable {
  /// The id of the attempt.
  public let attempt: String
  /// What it made.
  public let session: AuthSession
  /// Who has signed in.
  public var user: User { session.user }

  /// Nil if somebody else has signed in, or out, since.
  init?(_ user: User, of attempt: SignInAttempt, by control: any SessionControl) {
    guard let current = control.state.session, current.user.id == user.id else { return nil }
    self.attempt = attempt.id
    // A use case of the app's own tells no more than the person.
    session = attempt.session ?? current
  }

  /// For a preview.
  package init(attempt: String, session: AuthSession) {
    self.attempt = attempt
    self.session = session
  }
}
