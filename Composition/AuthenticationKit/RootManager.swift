public import AuthenticationDomain
public import Foundation

/// The manager of a ``MainRoot``: what it signs in is validated first, and ``MainRoot/Options/onSignIn`` runs after it.
///
/// It is an ``AuthManager`` behind the root's decorators. An `AuthManager` of your own has none until you compose them.
///
/// ```swift
/// let user = try await root.manager.signIn(with: .password(userName: name, password: Secret(password)))
/// for await state in root.manager.states() { show(state) }
/// ```
public struct RootManager: Sendable {
  let manager: AuthManager
  package let attempts: SignInAttempts
  private let decorated: ValidatingUseCase<InterceptingUseCase<AuthManager>>

  /// - Parameters:
  ///   - taskExecutor: where side effects run; by default the system's pool.
  ///   - makeAttempts: composes the ways to sign in over the decorated use case; they end with the session.
  package init(
    _ manager: AuthManager, _ pending: any PendingSignInStore, taskExecutor: (any TaskExecutor)? = nil,
    onSignIn: @escaping @Sendable (User) async -> Void = { _ in },
    attempts makeAttempts: (any AuthenticationUseCase & SignUpUseCase) -> SignInAttempts
  ) {
    self.manager = manager
    decorated =
      manager.intercept(on: taskExecutor) { user in
        await pending.removeAll()
        await onSignIn(user)
      }
      .addValidation()
    attempts = makeAttempts(decorated)
  }
}

extension RootManager: AuthenticationUseCase, SignUpUseCase {
  @discardableResult
  public func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    try await decorated.signIn(with: credentials)
  }

  @discardableResult
  public func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> User {
    try await decorated.signUp(with: credentials)
  }
}

extension RootManager: ReauthenticationUseCase {
  /// As ``AuthManager/reauthenticate(as:with:)``; ``MainRoot/Options/onSignIn`` runs after it, since the session is new.
  @discardableResult
  public func reauthenticate(
    as user: User, with credentials: any Credentials
  ) async throws(AuthenticationError) -> User {
    try await decorated.reauthenticate(as: user, with: credentials)
  }
}

extension RootManager: SessionControl {
  public var state: AuthenticationState { manager.state }
  public func states() -> AsyncStream<AuthenticationState> { manager.states() }
  @discardableResult
  public func restore() async -> AuthenticationState { await manager.restore() }
  /// As ``AuthManager/signOut(losing:)``; an attempt in progress ends as cancelled, and each method forgets the user.
  public func signOut(losing loss: SignOutLoss?) async throws(AuthenticationError) {
    let user = state.user
    try SignOutLoss.check(user, named: loss)
    try await forgetting(user) { () async throws(AuthenticationError) in
      await attempts.signOutBegins()
      try await manager.signOut(losing: loss)
    }
  }

  /// Who is signed out here is forgotten, also if the store refuses to erase the session. A session that the attempt has
  /// just stored, while ``MainRoot/Options/onSignIn`` runs, is erased before it ends.
  ///
  /// - Parameter reason: with which the sign-out must have ended the session; nil if it always does.
  private func forgetting(
    _ user: User?, because reason: SignOutReason? = nil, _ signOut: () async throws(AuthenticationError) -> Void
  ) async throws(AuthenticationError) {
    let attempt = attempts.current
    var failure: AuthenticationError?
    do throws(AuthenticationError) { try await signOut() } catch { failure = error }
    let isSignedOut =
      if case .signedOut(let given) = state { reason.map { $0 == given } ?? true } else {
        reason == nil && failure == nil
      }
    attempt?.signOutEnded(isSignedOut: isSignedOut)
    if isSignedOut { await attempts.forget(user) }
    if let failure { throw failure }
  }

  /// After the deletion of the account, which signs out.
  func accountDeleted() async {
    attempts.current?.signOutEnded(isSignedOut: true)
    await attempts.cancel()
  }
}

extension RootManager: SessionSource {
  public func validSession(rejecting rejected: AccessToken?) async throws(AuthenticationError) -> AuthSession {
    try await manager.validSession(rejecting: rejected)
  }

  /// As ``AuthManager/validSession(rejecting:lasting:)``.
  public func validSession(
    rejecting rejected: AccessToken? = nil, lasting wanted: Duration?
  ) async throws(AuthenticationError) -> AuthSession {
    try await manager.validSession(rejecting: rejected, lasting: wanted)
  }

  /// As ``AuthManager/validSession(byHand:)``.
  public func validSession(byHand: Bool) async throws(AuthenticationError) -> AuthSession {
    try await manager.validSession(byHand: byHand)
  }

  /// As ``AuthManager/refreshNow()``.
  @discardableResult
  public func refreshNow() async throws(AuthenticationError) -> AuthSession { try await manager.refreshNow() }

  public func noteServerDate(_ date: () -> Date?) { manager.noteServerDate(date) }

  /// As ``AuthManager/noteProviderReached()``.
  public func noteProviderReached() { manager.noteProviderReached() }
}

extension RootManager {
  /// As ``AuthManager/isAuthenticated()``.
  public func isAuthenticated() async throws(AuthenticationError) -> Bool { try await manager.isAuthenticated() }

  /// As ``AuthManager/isValid()``.
  public func isValid() async throws(AuthenticationError) -> Bool { try await manager.isValid() }

  /// As ``AuthManager/clear(losing:)``, and otherwise as ``signOut(losing:)``.
  public func clear(losing loss: SignOutLoss? = nil) async throws(AuthenticationError) {
    let user = state.user
    try SignOutLoss.check(user, named: loss)
    try await forgetting(user) { () async throws(AuthenticationError) in
      await attempts.signOutBegins()
      try await manager.clear(losing: loss)
    }
  }

  /// As ``AuthManager/endSession(because:if:)``, and otherwise as ``signOut(losing:)``.
  public func endSession(
    because reason: SignOutReason, if isOver: @Sendable (AuthSession) async -> Bool
  ) async throws(AuthenticationError) {
    try await forgetting(state.user, because: reason) { () async throws(AuthenticationError) in
      try await manager.endSession(because: reason) { [attempts] session in
        guard await isOver(session) else { return false }
        await attempts.signOutBegins()
        return true
      }
    }
  }

  /// As ``AuthManager/deliverRevocations()``.
  @discardableResult
  public func deliverRevocations() async -> [AuthenticationError] { await manager.deliverRevocations() }

  /// As ``AuthManager/hasPendingRevocations``.
  public var hasPendingRevocations: Bool { get async { await manager.hasPendingRevocations } }

  /// As ``AuthManager/formerUser``.
  public var formerUser: User? { get async { await manager.formerUser } }

  /// As ``AuthManager/events()``.
  public func events() -> AsyncStream<AuthenticationEvent> { manager.events() }
}
