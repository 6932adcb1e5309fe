/// Consecutive failures, with no longer pause between them than this library's own waiting: a circuit breaker, open
/// until ``refusedUntil``.
struct FailureStreak: Sendable {
  let beganAt: Duration
  let latest: AuthenticationError
  /// Until then callers that would wait get ``latest``.
  let refusedUntil: Duration
  /// When a client in use tries again.
  let nextTryAt: Duration

  /// Whether the next failure starts a new streak: no caller has tried for a while, and what is known is old.
  func isOver(at uptime: Duration) -> Bool { uptime > nextTryAt + .seconds(60) }
}

extension RenewalTiming {
  /// After a failure a token that is still valid stays in use, and the next try waits.
  ///
  /// While the token is valid no caller waits, so the next try is at a random point of the second half of what is left:
  /// the clients that failed in an outage come back spread over the lifetimes of their tokens, not all at its end. Once
  /// the token has expired, callers wait: the first may try immediately, then the wait grows with the outage
  /// (``Backoff``).
  package mutating func noteFailure(
    _ error: AuthenticationError, of failed: AccessToken, at uptime: Duration, backoff: Backoff
  ) {
    guard let token, failed == token else { return }
    let earlier = streak.flatMap { $0.isOver(at: uptime) ? nil : $0 }
    let beganAt = earlier?.beganAt ?? uptime
    let hold = earlier == nil ? .zero : backoff.delay(failingFor: uptime - beganAt)
    let place = error.retryAfter == nil ? 0 : backoff.random()
    let asked = (error.retryAfter ?? .zero) * (1 + policy.retryAfterSpread * place)
    let refusedUntil = uptime + max(hold, refusal(for: error.retryAfter ?? .zero, at: place))
    var nextTryAt = refusedUntil
    if let endsAt, uptime < endsAt {
      let left = endsAt - uptime
      let part = left > policy.leeway(of: token) ? left * (0.5 + 0.5 * backoff.random()) : left
      let retryAt = uptime + max(asked, hold, part)
      self.retryAt = retryAt
      nextTryAt = max(refusedUntil, min(retryAt, endsAt))
    } else if endsAt == nil {
      retryAt = uptime + max(asked, hold, policy.longestRefusal)
    }
    streak = FailureStreak(beganAt: beganAt, latest: error, refusedUntil: refusedUntil, nextTryAt: nextTryAt)
  }

  /// For how long callers are refused after a server asked to wait: a random time after the one asked for, at most
  /// ``RenewalPolicy/longestRefusal``.
  ///
  /// - Parameter place: a number in 0..<1.
  private func refusal(for told: Duration, at place: Double) -> Duration {
    let longest = policy.longestRefusal
    if told >= longest { return longest * (1 - policy.retryAfterSpread * place) }
    return told + min(told * policy.retryAfterSpread, longest - told) * place
  }

  /// Why the provider must not be asked now, even for a caller that waits; nil if it may be.
  package func refusal(at uptime: Duration) -> AuthenticationError? {
    streak.flatMap { uptime < $0.refusedUntil ? $0.latest : nil }
  }
}
