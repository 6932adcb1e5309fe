/// Returns sessions with the access token of one resource; ``AuthManager/source(for:)`` makes it.
///
/// ```swift
/// let session = try await root.manager.source(for: orders).validSession()
/// ```
public struct ResourceSource: SessionSource {
  private let keeper: SessionKeeper
  private let slot: TokenSlot
  private let resource: ProtectedResource

  init(_ resource: ProtectedResource, of keeper: SessionKeeper, _ slot: TokenSlot) {
    (self.keeper, self.slot, self.resource) = (keeper, slot, resource)
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
    slot.usable { keeper.later { [resource] in $0.refreshIfEarly(resource) } }
  }

  @usableFromInline
  func refreshed(
    rejecting rejected: AccessToken?, byHand: Bool
  ) async throws(AuthenticationError) -> AuthSession {
    try slot.checkCooldown(of: rejected)
    return try await keeper.session(of: slot, for: resource, rejecting: rejected, byHand ? .byHand : .usual)
  }
}
