/// How long to wait before trying again: exponential, with full jitter.
public struct Backoff: Sendable {
  /// The longest first wait; doubled for each later attempt.
  package let base: Duration
  /// The longest wait of any attempt.
  package let cap: Duration
  /// A number in 0..<1.
  package let random: @Sendable () -> Double

  /// By default 1 second, doubled up to 5 minutes.
  ///
  /// - Parameters:
  ///   - base: the longest first wait.
  ///   - cap: the longest wait of any attempt.
  ///   - random: a number in 0..<1; replace it in a simulation.
  public init(
    base: Duration = .seconds(1), cap: Duration = .seconds(300),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.base = base
    self.cap = cap
    self.random = random
  }

  /// A random duration between zero and `base · 2^attempt`, at most `cap`.
  ///
  /// - Parameter attempt: counted from 0.
  package func delay(attempt: Int) -> Duration {
    let ceiling = min(cap, base * (1 << min(max(attempt, 0), 20)))
    return ceiling * random()
  }

  /// A random duration between zero and a quarter of `elapsed`, that limit being at least `base` and at most `cap`.
  ///
  /// Exponential as well, but in the length of the outage and not in the count of attempts: a client is back within a
  /// quarter of the time that the outage took, however many attempts it made.
  ///
  /// - Parameter elapsed: how long the attempts have been failing.
  package func delay(failingFor elapsed: Duration) -> Duration {
    min(cap, max(base, elapsed / 4)) * random()
  }
}
