/// A bounded wait for a lock that another process holds.
package struct LockWait: Sendable {
  private let limit: Duration
  private let clock: any AuthenticationClock
  private let random: @Sendable () -> Double

  /// - Parameters:
  ///   - limit: after this time the wait ends with ``AuthenticationError/timedOut``.
  ///   - random: a number in 0..<1, which spreads the tries of several processes.
  package init(within limit: Duration, by clock: any AuthenticationClock, random: @escaping @Sendable () -> Double) {
    (self.limit, self.clock, self.random) = (limit, clock, random)
  }

  /// Tries again every 5 to 25 milliseconds until the lock is taken.
  ///
  /// - Parameters:
  ///   - isEnding: whether the process is about to end: then it must not wait.
  ///   - onWait: called once, before the first wait.
  ///   - tryAcquire: takes the lock if it is free.
  /// - Throws: the error of `tryAcquire`, ``AuthenticationError/timedOut``, or ``AuthenticationError/cancelled``.
  package func acquire(
    isolation: isolated (any Actor)? = #isolation, isEnding: () -> Bool, onWait: () -> Void = {},
    _ tryAcquire: () throws(AuthenticationError) -> Bool
  ) async throws(AuthenticationError) {
    let deadline = clock.uptime + limit
    var isFirst = true
    while try !tryAcquire() {
      if isEnding() { throw .processEnds }
      if isFirst { onWait() }
      isFirst = false
      if clock.uptime >= deadline { throw .timedOut }
      do { try await clock.sleep(for: .milliseconds(5) + .milliseconds(20) * random()) } catch { throw .cancelled }
    }
  }
}

extension AuthenticationError {
  /// Nothing was sent.
  package static let processEnds = Self(
    .cancelled, "The process is about to end, and requests no token any more."
  ).with(\.isHeldOff, true)
}
