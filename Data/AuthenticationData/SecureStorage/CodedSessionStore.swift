public import AuthenticationDomain
import Foundation

extension SecureStorage {
  /// Stores a ``SessionRecord`` in this storage, in the format of a ``SessionCoder``.
  ///
  /// A record that cannot be read is reported as ``AuthenticationError/storageCorrupt`` and left in place, with a
  /// copy under a key of its own; if no copy can be made, the error says so. The copy is removed by the next sign-in or
  /// sign-out, or at a write 30 days later.
  ///
  /// ```swift
  /// let store = FileStorage(folder: folder).sessionStore(realm: "https://id.example.com app")
  /// let manager = AuthManager(provider: provider, store: store)
  /// ```
  ///
  /// - Parameters:
  ///   - key: one per account; sessions under two keys are independent of each other.
  ///   - realm: whose tokens these are; a record of another realm is not read.
  ///   - clock: the time; replace it in a test.
  public func sessionStore(
    key: String = "session", realm: String? = nil, clock: any AuthenticationClock = SystemClock()
  ) -> some SessionStore {
    CodedSessionStore(storage: self, key: key, coder: SessionCoder(realm: realm), clock: clock)
  }
}

private struct CodedSessionStore<Storage: SecureStorage>: SessionStore {
  let storage: Storage
  let key: String
  let coder: SessionCoder
  let clock: any AuthenticationClock

  func read() throws(AuthenticationError) -> SessionRecord? {
    guard let data = try storage.read(key) else { return nil }
    do throws(AuthenticationError) { return try coder.decode(data) } catch {
      throw .corrupt(key, because: error, copy: storage.setAside(data, of: key, at: clock.now))
    }
  }

  func save(_ record: SessionRecord) throws(AuthenticationError) {
    try storage.write(coder.encode(record), for: key)
    storage.removeAgedCopy(of: key, at: clock.now)
  }

  func delete() throws(AuthenticationError) { try storage.delete(key) }

  func removeQuarantinedCopies() throws(AuthenticationError) { try storage.removeQuarantinedCopy(of: key) }
}

extension AuthenticationError {
  fileprivate static func corrupt(_ key: String, because reason: Self, copy: String?) -> Self {
    Self(
      .storageCorrupt, "What is stored under '\(key)' cannot be used, and was left as it is. \(reason.message)",
      suggestion: copy.map { "Signing in replaces it; until then a copy stays under '\($0)'." }
        ?? "No copy could be made: signing in replaces it.")
  }
}

extension SessionStore {
  /// Holds a lock while it reads and writes, and then notifies the other managers that share the store, in this process
  /// or in others; also of a failed write, which may have taken effect.
  ///
  /// If another process was stopped while it holds the lock, a write waits until its timeout. Then nothing is written,
  /// because that process will write when it continues: the record stays in memory and is retried.
  ///
  /// - Parameters:
  ///   - lock: held during each write.
  ///   - signal: notifies the other managers of each write.
  ///   - timeout: how long to wait for the lock.
  package func locked(
    by lock: any BlockingLock, telling signal: ChangeSignal? = nil, timeout: Duration = .seconds(2)
  ) -> some SessionStore {
    LockingSessionStore(upstream: self, lock: lock, signal: signal, timeout: timeout)
  }
}

private struct LockingSessionStore<Upstream: SessionStore>: SessionStore {
  let upstream: Upstream
  let lock: any BlockingLock
  let signal: ChangeSignal?
  let timeout: Duration

  func read() throws(AuthenticationError) -> SessionRecord? { try upstream.read() }

  func save(_ record: SessionRecord) throws(AuthenticationError) {
    defer { signal?.raise() }
    try upstream.save(record)
  }

  func delete() throws(AuthenticationError) {
    defer { signal?.raise() }
    try upstream.delete()
  }

  func removeQuarantinedCopies() throws(AuthenticationError) { try upstream.removeQuarantinedCopies() }

  func changes() -> AsyncStream<Void>? { signal?.changes() }

  func exclusively(_ body: () -> Void) throws(AuthenticationError) {
    try lock.acquire(within: timeout)
    defer { lock.release() }
    body()
  }
}
