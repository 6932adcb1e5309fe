public import AuthenticationDomain

/// Keeps everybody else out while it reads and writes, and tells them afterwards; also of a write that failed, which
/// may be done.
///
/// A process that was stopped while it holds the lock is waited for a time. Then nothing is written, for that
/// process will write when it goes on: what was to be stored stays in memory and is tried again.
public struct LockingSessionStore<Upstream: SessionStore>: SessionStore {
  let upstream: Upstream
  let lock: any BlockingLock
  let signal: ChangeSignal?
  let patience: Duration

  public func read() throws(AuthenticationError) -> SessionRecord? { try upstream.read() }

  public func save(_ record: SessionRecord) throws(AuthenticationError) {
    defer { signal?.raise() }
    try upstream.save(record)
  }

  public func delete() throws(AuthenticationError) {
    defer { signal?.raise() }
    try upstream.delete()
  }

  public func removeQuarantinedCopies() throws(AuthenticationError) { try upstream.removeQuarantinedCopies() }

  public func changes() -> AsyncStream<Void>? { signal?.changes() }

  public func exclusively(_ body: () -> Void) throws(AuthenticationError) {
    try lock.acquire(within: patience)
    defer { lock.release() }
    body()
  }
}

extension SessionStore {
  /// For a store that several managers share, in one process or in several.
  ///
  /// - Parameters:
  ///   - signal: tells them of each write.
  ///   - patience: how long the lock is waited for.
  public func locked(
    by lock: any BlockingLock, telling signal: ChangeSignal? = nil, patience: Duration = .seconds(2)
  ) -> LockingSessionStore<Self> {
    LockingSessionStore(upstream: self, lock: lock, signal: signal, patience: patience)
  }
}
