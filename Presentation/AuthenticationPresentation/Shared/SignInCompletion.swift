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
  init?(_ user: User, of attempt: String, by control: any SessionControl) {
    guard let session = control.state.session, session.user.id == user.id else { return nil }
    self.attempt = attempt
    self.session = session
  }

  /// For a preview.
  package init(attempt: String, session: AuthSession) {
    self.attempt = attempt
    self.session = session
  }
}
