public import AuthenticationDomain

/// Keeps other processes out while this one reads and writes, with a lock on a file.
///
/// A process that holds the lock for longer than 2 seconds, because it was stopped, is not waited for any longer.
public struct LockingSessionStore<Upstream: SessionStore>: SessionStore {
  let upstream: Upstream
  let lock: FileLock

  public func read() throws(AuthenticationError) -> SessionRecord? { try upstream.read() }
  public func save(_ record: SessionRecord) throws(AuthenticationError) { try upstream.save(record) }
  public func delete() throws(AuthenticationError) { try upstream.delete() }

  public func exclusively(_ body: () -> Void) {
    try? lock.acquire(within: .seconds(2))
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
