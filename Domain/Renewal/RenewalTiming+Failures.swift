/// Consecutive failures, with no longer pause between them than this library's own waiting: a circuit breaker, open
/// until ``refusedUntil``.
struct FailureStreak: Sendable {
  let beganAt: Duration
  let failedAt: Duration
  let latest: AuthenticationError
  /// Until then the provider has asked not to be asked again (`Retry-After`).
  let askedUntil: Duration
  /// Until then callers that would wait are refused, and nothing is sent.
  var refusedUntil: Duration
  /// When a client in use tries again.
  let nextTryAt: Duration

  /// Whether the next failure starts a new streak: no caller has tried for a while, and what is known is old.
  func isOver(at uptime: Duration) -> Bool { uptime > nextTryAt + .seconds(60) }
}

extension RenewalTiming {
  /// The longest time for which callers are refused after a failure that did not reach the provider: the network may
  /// return at any moment, and a try that fails so costs the provider nothing.
  static let longestHoldUnreached = Duration.seconds(10)

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
    let longestHold = error.code == .unreachable ? Self.longestHoldUnreached : backoff.cap
    let hold = earlier == nil ? .zero : min(longestHold, backoff.delay(failingFor: uptime - beganAt))
    let place = error.retryAfter == nil ? 0 : backoff.random()
    let asked = (error.retryAfter ?? .zero) * (1 + policy.retryAfterSpread * place)
    let askedUntil = uptime + refusal(for: error.retryAfter ?? .zero, at: place)
    let refusedUntil = max(uptime + hold, askedUntil)
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
    streak = FailureStreak(
      beganAt: beganAt, failedAt: uptime, latest: error, askedUntil: askedUntil, refusedUntil: refusedUntil,
      nextTryAt: nextTryAt)
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

  /// Why the provider must not be asked now, even for a caller that waits; nil if it may be. The error says when it may.
  package func refusal(at uptime: Duration) -> AuthenticationError? {
    guard let streak, uptime < streak.refusedUntil else { return nil }
    var error = uptime < streak.askedUntil ? streak.latest : .notAsked(after: streak.latest)
    error.retryAfter = streak.refusedUntil - uptime
    error.isHeldOff = true
    return error
  }

  /// Lets the next caller that waits ask the provider, unless the provider itself has asked for more time.
  ///
  /// - Parameter reachedAt: when the provider was reached: what failed since then stays. Nil if the user asks by hand.
  package mutating func endHold(reachedAt: Duration? = nil) {
    guard let current = streak, reachedAt.map({ current.failedAt < $0 }) ?? true else { return }
    streak?.refusedUntil = min(current.refusedUntil, current.askedUntil)
  }

  /// Whether the last refresh of this token failed.
  var hasFailed: Bool { streak != nil }
}

extension AuthenticationError {
  /// The provider was not asked, because earlier refreshes failed: this is no failure of the provider's now.
  fileprivate static func notAsked(after latest: AuthenticationError) -> Self {
    Self(
      .unreachable, "The provider was not asked again yet: the last refresh failed (\(latest.code)).",
      suggestion: "Wait as long as the error says, or ask by hand: refreshNow(), validSession(byHand: true).",
      cause: latest.cause)
  }
}
