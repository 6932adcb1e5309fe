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
