public import AuthenticationDomain

/// Keeps a pending step as long as it lives: hand the same one to a second set of attempts, and the app was relaunched.
public actor InMemoryPendingSignIns: PendingSignInStore {
  private var stored: PendingSignIn?

  /// Empty unless told otherwise.
  public init(_ stored: PendingSignIn? = nil) { self.stored = stored }

  public func save(_ pending: PendingSignIn) { stored = pending }
  public func pending() -> PendingSignIn? { stored }
  public func remove(_ attempt: String) { if stored?.attempt == attempt { stored = nil } }
  public func removeAll() { stored = nil }
}
