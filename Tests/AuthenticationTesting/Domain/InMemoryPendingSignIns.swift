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

/// Holds each caller that asks for the pending step, or removes it, while that gate is closed.
package struct SlowPendingSignIns: PendingSignInStore {
  private let upstream: InMemoryPendingSignIns
  package let gate = Gate()
  package let removals = Gate()

  package init(upstream: InMemoryPendingSignIns) { self.upstream = upstream }

  package func save(_ pending: PendingSignIn) async { await upstream.save(pending) }
  package func pending() async -> PendingSignIn? {
    await gate.pass()
    return await upstream.pending()
  }
  package func remove(_ attempt: String) async { await upstream.remove(attempt) }
  package func removeAll() async {
    await removals.pass()
    await upstream.removeAll()
  }
}
