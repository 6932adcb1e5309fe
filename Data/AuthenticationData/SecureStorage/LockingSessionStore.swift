package import AuthenticationDomain

/// Holds a lock while it reads and writes, and then notifies the other users of the store; also of a failed write,
/// which may have taken effect.
///
/// If another process was stopped while it holds the lock, a write waits until its timeout. Then nothing is written,
/// because that process will write when it continues: the record stays in memory and is retried.
package struct LockingSessionStore<Upstream: SessionStore>: SessionStore {
  let upstream: Upstream
  let lock: any BlockingLock
  let signal: ChangeSignal?
  let patience: Duration

  package func read() throws(AuthenticationError) -> SessionRecord? { try upstream.read() }

  package func save(_ record: SessionRecord) throws(AuthenticationError) {
    defer { signal?.raise() }
    try upstream.save(record)
  }

  package func delete() throws(AuthenticationError) {
    defer { signal?.raise() }
    try upstream.delete()
  }

  package func removeQuarantinedCopies() throws(AuthenticationError) { try upstream.removeQuarantinedCopies() }

  package func changes() -> AsyncStream<Void>? { signal?.changes() }

  package func exclusively(_ body: () -> Void) throws(AuthenticationError) {
    try lock.acquire(within: patience)
    defer { lock.release() }
    body()
  }
}

extension SessionStore {
  /// Locks a store that several managers share, in one process or in several.
  ///
  /// - Parameters:
  ///   - lock: held during each write.
  ///   - signal: notifies the other managers of each write.
  ///   - patience: how long to wait for the lock.
  package func locked(
    by lock: any BlockingLock, telling signal: ChangeSignal? = nil, patience: Duration = .seconds(2)
  ) -> LockingSessionStore<Self> {
    LockingSessionStore(upstream: self, lock: lock, signal: signal, patience: patience)
  }
}
