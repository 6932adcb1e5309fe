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
