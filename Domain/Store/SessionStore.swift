/// Keeps one ``SessionRecord`` between launches.
///
/// The record has the session, the journal of refreshes and the queued revocations. ``AuthManager`` is the only writer.
///
/// ### Choose a store
///
/// Most apps write none: `StorageLocation` of `AuthenticationKit` makes the store of a root, and
/// `SecureStorage.sessionStore(key:realm:clock:)` makes one from any storage of bytes, with the record's format, its
/// version, its realm and the copies of unreadable data. Conform to this protocol only for a location that holds whole
/// records, such as a table of a database, and to `SecureStorage` for one that holds bytes under a key.
///
/// ```swift
/// let store: any SessionStore = FileStorage(folder: folder).sessionStore()
/// let user = try store.read()?.session?.user
/// ```
///
/// ### Implement a store
///
/// A store distinguishes three results of ``read()``: nil means that it is certain that nothing is stored, and signs
/// the user out; ``AuthenticationError/storageUnavailable`` means locked or out of reach, and
/// ``AuthenticationError/storageCorrupt`` unreadable: both keep the state unknown. ``save(_:)`` is atomic: after a
/// crash there is the old record or the new one. Each realm has a separate store. `SessionCoder` makes bytes of a
/// record, and `SessionStoreContract` of `AuthenticationTesting` checks a store.
///
/// ```swift
/// struct VaultStore: SessionStore {
///   let coder: SessionCoder
///
///   func read() throws(AuthenticationError) -> SessionRecord? {
///     guard let data = try vault.read() else { return nil }
///     return try coder.decode(data)
///   }
///   func save(_ record: SessionRecord) throws(AuthenticationError) { try vault.write(coder.encode(record)) }
///   func delete() throws(AuthenticationError) { try vault.erase() }
/// }
/// ```
///
/// A store that several processes use also implements ``exclusively(_:)`` and ``changes()``, and its manager gets a
/// ``SessionLock``.
///
/// ### Implement a middleware
///
/// A store that wraps another one forwards the requirements with a default as well: ``removeQuarantinedCopies()``,
/// ``exclusively(_:)`` and ``changes()``. The compiler does not ask for them.
///
/// ```swift
/// struct CountingStore<Upstream: SessionStore>: SessionStore {
///   let upstream: Upstream
///
///   func read() throws(AuthenticationError) -> SessionRecord? { try upstream.read() }
///   func save(_ record: SessionRecord) throws(AuthenticationError) {
///     count("save")
///     try upstream.save(record)
///   }
///   func delete() throws(AuthenticationError) { try upstream.delete() }
///   func removeQuarantinedCopies() throws(AuthenticationError) { try upstream.removeQuarantinedCopies() }
///   func exclusively(_ body: () -> Void) throws(AuthenticationError) { try upstream.exclusively(body) }
///   func changes() -> AsyncStream<Void>? { upstream.changes() }
/// }
/// ```
///
/// ### Errors
///
/// An error of ``save(_:)`` signs no user in or out: the session is current with ``ActiveSession/unsaved`` set, and
/// saved again later. An error of ``delete()`` reaches the caller of the sign-out, and the manager erases again later.
///
/// ### Concurrency
///
/// The calls are synchronous, so that there is no suspension point between "stored" and "current". They may block: the
/// manager calls them one at a time, from an executor that may block, never from the main thread. Other processes may
/// call at the same time.
public protocol SessionStore: Sendable {
  /// Reads the stored record.
  ///
  /// - Returns: the record; nil only if it is certain that nothing is stored.
  /// - Throws: ``AuthenticationError`` if that is not known, such as ``AuthenticationError/storageUnavailable``.
  func read() throws(AuthenticationError) -> SessionRecord?

  /// Replaces the stored record, atomically.
  func save(_ record: SessionRecord) throws(AuthenticationError)

  /// Removes the stored record. Removing nothing is a success.
  func delete() throws(AuthenticationError)

  /// Removes the copies of unreadable data: they may hold tokens that are still valid. By default there are none.
  func removeQuarantinedCopies() throws(AuthenticationError)

  /// Runs `body` while no other process reads or writes; by default no other process is locked out.
  ///
  /// - Parameter body: reads and writes.
  /// - Throws: ``AuthenticationError/storageUnavailable``, without running `body`, if another process does not
  ///   release the store in time.
  func exclusively(_ body: () -> Void) throws(AuthenticationError)

  /// An element after each write of any process.
  ///
  /// - Returns: nil if no other process writes, or if writes cannot be observed now; the store is then asked again
  ///   after the next write.
  func changes() -> AsyncStream<Void>?
}

extension SessionStore {
  public func removeQuarantinedCopies() throws(AuthenticationError) {}
  public func exclusively(_ body: () -> Void) throws(AuthenticationError) { body() }
  public func changes() -> AsyncStream<Void>? { nil }
}

/// Keeps two processes from refreshing one stored session at the same time.
///
/// Without it two processes send one refresh token, and a provider that rotates refresh tokens ends the session.
///
/// ### Choose a lock
///
/// Most apps write none: `StorageLocation` makes the lock of a folder, and `FileStorage.sessionLock(for:)` returns one
/// for a custom store. A store that one process uses needs none. Write a lock only for processes that share no folder.
///
/// ### Implement a lock
///
/// The lock must be released by the kernel when its holder ends, as a lock of an open file is: a lock that survives a
/// crash would stop every later refresh. It is held for one refresh, from before the store is read until the result is
/// stored. If the result cannot be stored, the manager holds it until a later save succeeds.
///
/// Implement ``isStillHeld`` if the system can take the lock back before its release: the manager reads it immediately
/// before it sends the refresh token, and takes the lock again if it is false.
///
/// ### Implement a middleware
///
/// A lock that wraps another one forwards ``isStillHeld``, which has a default.
///
/// ```swift
/// struct CountingLock: SessionLock {
///   let upstream: any SessionLock
///   var isStillHeld: Bool { upstream.isStillHeld }
///   func tryAcquire() throws(AuthenticationError) -> Bool {
///     let isTaken = try upstream.tryAcquire()
///     if !isTaken { count("wait for a lock") }
///     return isTaken
///   }
///   func release() { upstream.release() }
/// }
/// ```
///
/// ### Errors
///
/// A lock that cannot be used throws ``AuthenticationError/storageUnavailable``, and no refresh is sent. If another
/// process holds the lock for longer than the caller timeout of ``RefreshPolicy``, the refresh fails with
/// ``AuthenticationError/timedOut``. Both keep the session.
///
/// ### Concurrency
///
/// The manager calls it from one executor, polls ``tryAcquire()`` while another process holds it, and never waits
/// inside of it. The tokens of a service and the registration of a client use a lock as well, from any executor: a
/// second call of ``tryAcquire()`` in the same process returns false while the lock is held.
public protocol SessionLock: Sendable {
  /// Takes the lock if it is free, without waiting.
  ///
  /// - Returns: false while another process holds it.
  /// - Throws: ``AuthenticationError`` if the lock cannot be used.
  func tryAcquire() throws(AuthenticationError) -> Bool

  /// False if the system has taken the lock back since ``tryAcquire()`` returned true.
  var isStillHeld: Bool { get }

  /// Releases the lock: once for each ``tryAcquire()`` that returned true.
  func release()
}

extension SessionLock {
  /// True: nothing takes the lock back.
  public var isStillHeld: Bool { true }
}
