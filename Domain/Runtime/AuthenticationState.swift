/// Whether a user is signed in, as far as that is known, and which user.
///
/// ```swift
/// switch root.manager.state {
/// case .unknown: break
/// case .unavailable(let error): show(error.code)
/// case .signedOut(let reason): show(reason)
/// case .challenged(let challenge): show(challenge.kind)
/// case .signedIn(let active): show(active.session.user)
/// }
/// ```
public enum AuthenticationState: Sendable, Equatable {
  /// The store has not been read yet.
  case unknown
  /// The store is locked or corrupt: whether anyone is signed in is not known now.
  case unavailable(AuthenticationError)
  /// No user is signed in, for this reason.
  case signedOut(SignOutReason)
  /// The provider asks for a second step, and no user is signed in yet.
  case challenged(Challenge)
  /// A user is signed in, even if the provider cannot be reached.
  case signedIn(ActiveSession)

  /// The session in use and its freshness; nil in every state but `signedIn`.
  public var activeSession: ActiveSession? {
    if case .signedIn(let active) = self { active } else { nil }
  }

  /// The session in use, valid or not; nil in every state but `signedIn`.
  public var session: AuthSession? { activeSession?.session }
  /// The user who is signed in; nil in every state but `signedIn`, so also before the store was read.
  public var user: User? { session?.user }
}
