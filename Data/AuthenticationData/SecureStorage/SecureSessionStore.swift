public import AuthenticationDomain
public import Foundation

/// Stores a ``SessionRecord`` in secure storage, in the format of a ``SessionCoder``.
///
/// A record that cannot be read is reported as ``AuthenticationError/Code/storageCorrupt`` and left in place, with a
/// copy under a key of its own; if no copy can be made, the error says so. The copy is removed by the next sign-in or
/// sign-out, by ``removeQuarantinedCopies()``, or at a write 30 days later.
///
/// ```swift
/// let store = SecureSessionStore(FileStorage(folder: folder), realm: "https://id.example.com app")
/// let manager = AuthManager(provider: provider, store: store)
/// ```
public struct SecureSessionStore: SessionStore {
  private let storage: any SecureStorage
  private let key: String
  private let coder: SessionCoder
  private let clock: any AuthenticationClock

  /// Stores the session in this storage, under one key.
  ///
  /// - Parameters:
  ///   - storage: where the session is kept.
  ///   - key: one per account; sessions under two keys are independent of each other.
  ///   - realm: whose tokens these are; a record of another realm is not read.
  ///   - clock: the time; replace it in a test.
  public init(
    _ storage: any SecureStorage, key: String = "session", realm: String? = nil,
    clock: any AuthenticationClock = SystemClock()
  ) {
    self.storage = storage
    self.key = key
    self.clock = clock
    coder = SessionCoder(realm: realm)
  }

  public func read() throws(AuthenticationError) -> SessionRecord? {
    guard let data = try storage.read(key) else { return nil }
    do throws(AuthenticationError) { return try coder.decode(data) } catch {
      throw .corrupt(key, because: error, copy: storage.setAside(data, of: key, at: clock.now))
    }
  }

  public func save(_ record: SessionRecord) throws(AuthenticationError) {
    try storage.write(coder.encode(record), for: key)
    storage.removeAgedCopy(of: key, at: clock.now)
  }

  public func delete() throws(AuthenticationError) {
    try storage.delete(key)
  }

  public func removeQuarantinedCopies() throws(AuthenticationError) { try storage.removeQuarantinedCopy(of: key) }
}

extension AuthenticationError {
  fileprivate static func corrupt(_ key: String, because reason: Self, copy: String?) -> Self {
    Self(
      .storageCorrupt, "What is stored under '\(key)' cannot be used, and was left as it is. \(reason.message)",
      suggestion: copy.map { "Signing in replaces it; until then a copy stays under '\($0)'." }
        ?? "No copy could be made: signing in replaces it.")
  }
}

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

/// Deletes what an earlier installation of the app left behind: keychain items remain when the app is removed.
///
/// A mark among the app's own data, which is removed with the app, identifies the installation. Only a mark that is
/// certainly absent means a fresh installation; if the mark cannot be read, nothing is deleted.
public struct ReinstallForgettingStorage<Upstream: SecureStorage, Marks: SecureStorage>: SecureStorage {
  let upstream: Upstream
  let marks: Marks

  /// The identity of the upstream storage.
  public var identity: StorageIdentity? { upstream.identity }

  public func read(_ key: String) throws(AuthenticationError) -> Data? {
    try forgetEarlierInstallation(key)
    return try upstream.read(key)
  }

  public func write(_ value: Data, for key: String) throws(AuthenticationError) {
    try forgetEarlierInstallation(key)
    try upstream.write(value, for: key)
  }

  public func delete(_ key: String) throws(AuthenticationError) { try upstream.delete(key) }

  /// Deletes first, then sets the mark: a process killed in between deletes again, before anything new was written.
  private func forgetEarlierInstallation(_ key: String) throws(AuthenticationError) {
    let mark: Data?
    do throws(AuthenticationError) { mark = try marks.read(key) } catch { return }
    guard mark == nil else { return }
    try upstream.delete(key)
    try marks.write(Data([1]), for: key)
  }
}

extension SecureStorage {
  /// Deletes a key's value once after each installation of the app.
  ///
  /// Use it from the app's first release on: a later version that begins to use it finds no mark, and signs its users
  /// out once.
  ///
  /// - Parameter marks: a storage in the app's own container, which is removed with the app, such as a ``FileStorage``.
  public func forgettingAfterReinstall<Marks: SecureStorage>(
    marks: Marks
  ) -> ReinstallForgettingStorage<Self, Marks> {
    ReinstallForgettingStorage(upstream: self, marks: marks)
  }
}
