import Synchronization

/// Credentials by which the user of the current session proves that they are present.
///
/// They say themselves what they are for: a decorator that makes a new request of them signs no other user in.
struct Reauthentication: Credentials {
  private final class Use: Sendable {
    let hasBegun = Mutex(false)
  }

  /// The user of the current session.
  let user: User
  var wrapped: any Credentials
  private let use = Use()

  var presented: any Credentials {
    use.hasBegun.withLock { $0 = true }
    return wrapped
  }

  var method: SignInMethod { wrapped.method }

  func validate() throws(AuthenticationError) { try wrapped.validate() }

  /// Checks that this session reauthenticates the user.
  func check(_ session: AuthSession) throws(AuthenticationError) {
    if !session.user.isSame(as: user) { throw .superseded }
    if !use.hasBegun.withLock({ $0 }) { throw .notReauthenticated }
  }
}

extension AuthenticationError {
  fileprivate static let notReauthenticated = Self(
    .invalidRequest, "A use case returned a session without the credentials that reauthenticate the user.",
    suggestion: "Pass the request on, or a copy of it with other credentials or attributes.")
}
