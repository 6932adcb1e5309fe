/// The outcome of a sign-in that did not fail.
public enum SignInOutcome: Sendable, Equatable {
  /// Signed in.
  case session(AuthSession)
  /// Not signed in yet: a ``ChallengeAnswer`` to this continues the sign-in.
  case challenge(Challenge)

  /// The session; throws ``AuthenticationError/challengeRequired``, with the challenge, where one is asked.
  package func session() throws(AuthenticationError) -> AuthSession {
    switch self {
    case .session(let session): session
    case .challenge(let challenge): throw .challengeRequired(challenge)
    }
  }
}
