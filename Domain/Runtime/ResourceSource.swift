/// Returns sessions with the access token of one resource; ``AuthManager/source(for:)`` makes it.
///
/// ```swift
/// let session = try await root.manager.source(for: orders).validSession()
/// ```
public struct ResourceSource: SessionSource {
  private let manager: AuthManager
  private let slot: TokenSlot
  private let resource: ProtectedResource

  init(_ resource: ProtectedResource, of manager: AuthManager, _ slot: TokenSlot) {
    (self.manager, self.slot, self.resource) = (manager, slot, resource)
  }

  /// Inlinable, so that a caller that finds a valid token makes no asynchronous call.
  @inlinable
  public func validSession() async throws(AuthenticationError) -> AuthSession {
    if let session = usableSession { return session }
    return try await refreshed(rejecting: nil, byHand: false)
  }

  public func validSession(rejecting rejected: AccessToken?) async throws(AuthenticationError) -> AuthSession {
    if rejected == nil, let session = usableSession { return session }
    return try await refreshed(rejecting: rejected, byHand: false)
  }

  public func validSession(byHand: Bool) async throws(AuthenticationError) -> AuthSession {
    if let session = usableSession { return session }
    return try await refreshed(rejecting: nil, byHand: byHand)
  }

  @usableFromInline var usableSession: AuthSession? {
    slot.usable { manager.keeper.later { [resource] in $0.refreshIfEarly(resource) } }
  }

  @usableFromInline
  func refreshed(rejecting rejected: AccessToken?, byHand: Bool) async throws(AuthenticationError) -> AuthSession {
    try slot.checkCooldown(of: rejected)
    return try await manager.keeper.session(of: slot, for: resource, rejecting: rejected, byHand ? .byHand : .usual)
  }
}
