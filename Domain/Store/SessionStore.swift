/// Keeps one ``SessionRecord`` between launches.
///
/// Synchronous, so that there is no suspension point between "stored" and "current"; a call may block, and
/// ``AuthManager`` calls it from an executor of its own. A store distinguishes absent (`nil`),
/// ``AuthenticationError/storageUnavailable`` and ``AuthenticationError/storageCorrupt``.
///
/// ```swift
/// let store: any SessionStore = FileStorage(folder: folder).sessionStore()
/// let user = try store.read()?.session?.user
/// ```
public protocol SessionStore: Sendable {
  /// Reads what is stored.
  ///
  /// - Returns: the record; nil only if it is certain that nothing is stored.
  /// - Throws: ``AuthenticationError`` if that is not known, such as ``AuthenticationError/storageUnavailable``.
  func read() throws(AuthenticationError) -> SessionRecord?

  /// Replaces what is stored, atomically.
  func save(_ record: SessionRecord) throws(AuthenticationError)

  /// Removes what is stored. Removing nothing is a success.
  func delete() throws(AuthenticationError)

  /// Removes the copies that were made of what could not be read: they may hold tokens that are still valid. By default
  /// there are none.
  func removeQuarantinedCopies() throws(AuthenticationError)

  /// Runs `body` while no other process reads or writes; by default no other process is locked out.
  ///
  /// - Parameter body: what reads and writes.
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
/// The lock must be released by the kernel when its holder dies.
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

/// The lock that keeps other processes from refreshing the same session, as one manager holds it.
struct RefreshLock {
  private let lock: (any SessionLock)?
  /// The outcome of a refresh could not be stored: the next refresh would send the used token again.
  private var isKept = false
  /// Counts the times it was taken: a refresh that has lost it does not release it for the next one.
  private(set) var holder = 0

  init(_ lock: (any SessionLock)?) { self.lock = lock }

  /// Whether other processes may use the store.
  var isShared: Bool { lock != nil }

  /// False if the system has taken it back, as it does from a process that is suspended.
  func isHeld(by holder: Int) -> Bool { holder == self.holder && lock?.isStillHeld ?? true }

  /// Takes it if it is free; one that an earlier refresh has kept is taken over.
  mutating func tryAcquire() throws(AuthenticationError) -> Bool {
    if let lock, !isKept, try !lock.tryAcquire() { return false }
    isKept = false
    holder += 1
    return true
  }

  /// - Parameters:
  ///   - holder: what ``holder`` was after ``tryAcquire()``.
  ///   - isSaved: false to keep it until ``releaseIfKept()``.
  mutating func release(by holder: Int?, isSaved: Bool) {
    guard holder == self.holder else { return }
    if isSaved { lock?.release() } else { isKept = true }
  }

  mutating func releaseIfKept() {
    if isKept { lock?.release() }
    isKept = false
  }
}
