public import AuthenticationDomain
public import Foundation

extension RootManager: SessionControl {
  public var state: AuthenticationState { manager.state }
  public func states() -> AsyncStream<AuthenticationState> { manager.states() }
  @discardableResult
  public func restore() async -> AuthenticationState { await manager.restore() }
  public func signOut(losing loss: SignOutLoss?) async throws(AuthenticationError) {
    try SignOutLoss.check(state.user, named: loss)
    await pending.removeAll()
    try await manager.signOut(losing: loss)
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

  public func noteServerDate(_ date: () -> Date?) { manager.noteServerDate(date) }
}

extension RootManager {
  /// As ``AuthManager/isAuthenticated()``.
  public func isAuthenticated() async throws(AuthenticationError) -> Bool { try await manager.isAuthenticated() }

  /// As ``AuthManager/isValid()``.
  public func isValid() async throws(AuthenticationError) -> Bool { try await manager.isValid() }

  /// As ``AuthManager/clear(losing:)``.
  public func clear(losing loss: SignOutLoss? = nil) async throws(AuthenticationError) {
    try SignOutLoss.check(state.user, named: loss)
    await pending.removeAll()
    try await manager.clear(losing: loss)
  }

  /// As ``AuthManager/endSession(because:if:)``.
  public func endSession(
    because reason: SignOutReason, if isOver: @Sendable (AuthSession) async -> Bool
  ) async throws(AuthenticationError) {
    try await manager.endSession(because: reason, if: isOver)
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
