public import Foundation

/// The time, injected: the wall clock for stored points in time, the monotonic one for everything else.
///
/// Lifetimes, timeouts, retries and waits follow ``uptime`` and ``sleep(for:)``, so that a user who sets the clock
/// loses no session. ``now`` is stored, and corrected by the dates of servers.
///
/// ### Choose a clock
///
/// ``SystemClock`` is the default of every part, and `MainRoot.Options.clock` replaces it in all parts of a root. A
/// test uses a `ManualClock`, whose time passes only when the test says so: nothing sleeps.
///
/// ```swift
/// let clock = ManualClock()  // of the product AuthenticationTesting
/// options.clock = clock
/// clock.advance(by: .seconds(3_600))
/// ```
///
/// ### Implement a clock
///
/// Write one for a device whose wall clock is wrong, and correct ``now`` alone. ``uptime`` never decreases, and
/// ``sleep(for:)`` follows it.
///
/// ```swift
/// struct CorrectedClock: AuthenticationClock {
///   let system: SystemClock
///   let correction: TimeInterval
///   var now: Date { system.now.addingTimeInterval(correction) }
///   var uptime: Duration { system.uptime }
///   func sleep(for duration: Duration) async throws(CancellationError) { try await system.sleep(for: duration) }
/// }
/// ```
///
/// ### Concurrency
///
/// All calls may come from any thread at the same time, and any number of tasks may sleep. ``uptime`` is read at each
/// access to a token: it must not block. A sleep whose task is cancelled throws at once, since timeouts and callers
/// that leave depend on it.
public protocol AuthenticationClock: Sendable {
  /// The wall clock (UTC): it may jump.
  var now: Date { get }

  /// Time since some fixed moment of this process; it continues while the device sleeps, and never jumps.
  var uptime: Duration { get }

  /// Waits on the monotonic clock.
  ///
  /// - Parameter duration: how long to wait.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func sleep(for duration: Duration) async throws(CancellationError)
}

extension AuthenticationClock {
  /// Waits for a lock that another process holds, with growing pauses.
  ///
  /// - Parameters:
  ///   - limit: the longest wait.
  ///   - pauses: each is at least one millisecond.
  ///   - isTaken: tries to take the lock; called once before the first pause, and after each.
  /// - Throws: ``AuthenticationError/timedOut`` after the limit, ``AuthenticationError/cancelled`` as soon as the task is
  ///   cancelled, and the error that `isTaken` throws.
  package func wait(
    isolation: isolated (any Actor)? = #isolation, atMost limit: Duration, pausing pauses: Backoff,
    until isTaken: () throws(AuthenticationError) -> Bool
  ) async throws(AuthenticationError) {
    let deadline = uptime + limit
    var attempt = 0
    while try !isTaken() {
      if uptime >= deadline { throw .timedOut }
      do { try await sleep(for: max(pauses.delay(attempt: attempt), .milliseconds(1))) } catch { throw .cancelled }
      attempt += 1
    }
  }
}

/// The clocks of the machine.
public struct SystemClock: AuthenticationClock {
  private static let start = ContinuousClock.now

  /// Every instance returns the same time.
  public init() {}

  public var now: Date { Date() }
  public var uptime: Duration { Self.start.duration(to: .now) }

  public func sleep(for duration: Duration) async throws(CancellationError) {
    do {
      try await Task.sleep(for: duration, clock: .continuous)
    } catch {
      throw CancellationError()
    }
  }
}
