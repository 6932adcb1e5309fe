public import AuthenticationDomain

/// Keeps other processes out while this one reads and writes, with a lock on a file.
///
/// A process that was stopped while it holds the lock is waited for at most 2 seconds. Then nothing is written, for that
/// process will write when it goes on: what was to be stored stays in memory and is tried again.
public struct LockingSessionStore<Upstream: SessionStore>: SessionStore {
  let upstream: Upstream
  let lock: FileLock

  public func read() throws(AuthenticationError) -> SessionRecord? { try upstream.read() }
  public func save(_ record: SessionRecord) throws(AuthenticationError) { try upstream.save(record) }
  public func delete() throws(AuthenticationError) { try upstream.delete() }

  public func exclusively(_ body: () -> Void) throws(AuthenticationError) {
    try lock.acquire(within: .seconds(2))
    defer { lock.release() }
    body()
  }
}

extension SessionStore {
  /// For a store that several processes share.
  public func locked(by lock: FileLock) -> LockingSessionStore<Self> {
    LockingSessionStore(upstream: self, lock: lock)
  }
}
