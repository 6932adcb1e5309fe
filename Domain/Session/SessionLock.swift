/// Keeps two processes from renewing one stored session at once.
///
/// The lock must be released by the kernel when its holder dies.
public protocol SessionLock: Sendable {
  /// Takes the lock if it is free, without waiting. False while another process holds it.
  func tryAcquire() throws(AuthenticationError) -> Bool

  /// False where the system has taken the lock back since ``tryAcquire()`` answered true.
  var isStillHeld: Bool { get }

  /// Gives the lock back: once for each ``tryAcquire()`` that answered true.
  func release()
}

extension SessionLock {
  /// True: nothing takes the lock back.
  public var isStillHeld: Bool { true }
}
