import Foundation

/// When the current access token is to be refreshed, on the monotonic clock.
///
/// The wall clock is read once, when a token is first seen; a later jump of it changes nothing. All times are uptimes,
/// and nothing is scheduled: they are checked when a caller asks for a token, so that none is missed while the device
/// sleeps.
package struct RefreshTiming: Sendable {
  private var generation: Int?
  private var wasRejected = false
  /// Drawn once for each token, so that tokens issued together are not refreshed together.
  private var earlyPoint: Duration?
  /// The token was received before this process read it, and the clock may have been set since.
  private var isRemembered = false
  private var token: AccessToken?
  private var refreshesItself = false
  private var retryAt: Duration?
  private(set) var streak: FailureStreak?
  private(set) var cooldown = RefreshCooldown()
  /// Until then a resource's refusal of the token leads to no refresh; nil if there is no such time.
  package var cooldownEndsAt: Duration? { cooldown.endsAt }

  /// The uptime at which the token expires; nil if unknown.
  package private(set) var endsAt: Duration?

  private let policy: RefreshPolicy

  /// Nothing to refresh yet.
  package init(policy: RefreshPolicy = .standard) { self.policy = policy }

  /// Takes note of the token in use, and of whether a resource has refused it.
  ///
  /// - Parameter random: a number in 0..<1 that places the token's early point; called once for each token.
  package mutating func follow(
    _ session: AuthSession?, generation: Int, isRejected: Bool = false, by clock: any AuthenticationClock,
    random: () -> Double
  ) {
    follow(
      session?.accessToken, canRefresh: session?.tokens.refresh != nil,
      refreshesItself: session?.tokens.refreshThemselves == true, generation: generation, isRejected: isRejected,
      by: clock, random: random)
  }

  /// The same for a token that belongs to no session.
  ///
  /// - Parameters:
  ///   - canRefresh: whether another one can be had.
  ///   - refreshesItself: whether that needs this one, while it is valid.
  package mutating func follow(
    _ token: AccessToken?, canRefresh: Bool, refreshesItself: Bool = false, generation: Int = 0,
    isRejected: Bool = false, by clock: any AuthenticationClock, random: () -> Double
  ) {
    let isReplacement = wasRejected && self.generation == generation
    if self.generation != generation { noteSuccess() }
    self.generation = generation
    wasRejected = isRejected
    guard self.token != token else { return }
    cooldown = isReplacement ? cooldown.continued(at: clock.uptime) : RefreshCooldown()
    (self.token, endsAt, earlyPoint, retryAt, streak) = (token, nil, nil, nil, nil)
    self.refreshesItself = refreshesItself
    isRemembered = false
    guard let token, let expiresAt = token.expiresAt, let lifetime = token.lifetime else { return }
    let left = Duration.seconds(expiresAt.timeIntervalSince(clock.now))
    // Received in the future: the clock was wrong then or is wrong now, and how much is left is not known.
    let isDoubtful = token.receivedAt > clock.now.addingTimeInterval(300) && canRefresh && !refreshesItself
    let endsAt = clock.uptime + (isDoubtful ? .zero : min(left, lifetime))
    self.endsAt = endsAt
    isRemembered = abs(clock.now.timeIntervalSince(token.receivedAt)) > 5
    earlyPoint = policy.earlyWindow.map { window in
      // The last refresh that can succeed comes before the token's end: an app that is rarely used must not miss it.
      let window = refreshesItself ? 0.3...0.5 : window
      let part = window.lowerBound + (window.upperBound - window.lowerBound) * random()
      return endsAt - (refreshesItself ? .zero : policy.leeway(of: token)) - lifetime * part
    }
  }

  /// The uptime from which callers wait for a refresh; nil if the token's expiry is unknown.
  package func refreshAt(canRefresh: Bool) -> Duration? {
    guard let endsAt, let token else { return nil }
    guard canRefresh else { return endsAt }
    return min(endsAt, max(endsAt - policy.leeway(of: token), retryAt ?? .zero))
  }

  /// The uptime from which the token is refreshed in the background while callers still use it: a random point of
  /// `RefreshPolicy.earlyWindow`, by default 15 to 30 percent of its lifetime before its leeway. Nil if callers would
  /// already wait by then, or nothing is refreshed in the background.
  package func refreshEarlyAt(canRefresh: Bool) -> Duration? {
    guard canRefresh, let earlyPoint else { return nil }
    let point = retryAt ?? earlyPoint
    guard let refreshAt = refreshAt(canRefresh: true) else { return point }
    return point < refreshAt ? point : nil
  }

  /// The longest time for which callers are refused after a failure of the provider, which may have ended since.
  private static let longestHold = Duration.seconds(20)
  /// The same after a failure that did not reach the provider: a try that fails so costs it nothing.
  private static let longestHoldUnreached = Duration.seconds(10)

  /// After a failure a token that is still valid stays in use, and the next try waits.
  ///
  /// While the token is valid no caller waits, so the next try is at a random point of the last tenth of the time left:
  /// the clients that failed in an outage return spread over the ends of their tokens, not all at its end, and have not
  /// added to its load. A token that refreshes itself must not miss its end: it is tried in the last half. Once the
  /// token has expired, callers wait: the first may try immediately, then the wait grows with the outage
  /// (``Backoff``), up to 20 seconds.
  ///
  /// - Parameter failed: the token that was to be replaced; nil if there was none.
  package mutating func noteFailure(
    _ error: AuthenticationError, of failed: AccessToken?, at uptime: Duration, backoff: Backoff
  ) {
    guard failed == token else { return }
    let earlier = streak.flatMap { $0.isOver(at: uptime) ? nil : $0 }
    let beganAt = earlier?.beganAt ?? uptime
    let longestHold = error == .unreachable ? Self.longestHoldUnreached : Self.longestHold
    let hold = earlier == nil ? .zero : min(longestHold, backoff.delay(failingFor: uptime - beganAt))
    let jitter = error.retryAfter == nil ? 0 : backoff.random()
    let asked = (error.retryAfter ?? .zero) * (1 + policy.retryAfterSpread * jitter)
    let askedUntil = uptime + holdOff(retryAfter: error.retryAfter ?? .zero, jitter: jitter)
    let heldOffUntil = max(uptime + hold, askedUntil)
    var nextTryAt = heldOffUntil
    if let token, let endsAt, uptime < endsAt {
      let left = endsAt - uptime
      let spread = refreshesItself ? 0.5 : left > policy.leeway(of: token) ? 0.1 : 0
      let retryAt = uptime + max(asked, hold, left * (1 - spread * (1 - backoff.random())))
      self.retryAt = retryAt
      nextTryAt = max(heldOffUntil, min(retryAt, endsAt))
    } else if endsAt == nil {
      retryAt = uptime + max(asked, hold, policy.longestHoldOff)
    }
    streak = FailureStreak(
      beganAt: beganAt, failedAt: uptime, latest: error, askedUntil: askedUntil, heldOffUntil: heldOffUntil,
      nextTryAt: nextTryAt)
  }

  /// The refresh token was accepted, even if it got another token than this one.
  package mutating func noteSuccess() { (streak, retryAt) = (nil, nil) }

  /// For how long callers are refused after a server asked to wait: a random time after the one asked for, at most
  /// `RefreshPolicy.longestHoldOff`.
  ///
  /// - Parameter jitter: a number in 0..<1.
  private func holdOff(retryAfter told: Duration, jitter: Double) -> Duration {
    let longest = policy.longestHoldOff
    if told >= longest { return longest * (1 - policy.retryAfterSpread * jitter) }
    return told + min(told * policy.retryAfterSpread, longest - told) * jitter
  }

  /// Why the provider must not be asked now, even for a caller that waits; nil if it may be. The error says when it
  /// may.
  package func heldOffError(at uptime: Duration) -> AuthenticationError? {
    guard let streak, uptime < streak.heldOffUntil else { return nil }
    let error = uptime < streak.askedUntil ? streak.latest : .notAsked(after: streak.latest)
    return error.with(\.retryAfter, streak.heldOffUntil - uptime).with(\.isHeldOff, true)
  }

  /// Lets the next caller that waits ask the provider, unless the provider itself has asked for more time.
  ///
  /// - Parameter reachedAt: when the provider was reached: the wait after a failure since then stays. Nil if the user
  ///   asks by hand.
  package mutating func endHoldOff(reachedAt: Duration? = nil) {
    guard let current = streak, reachedAt.map({ current.failedAt < $0 }) ?? true else { return }
    streak?.heldOffUntil = min(current.heldOffUntil, current.askedUntil)
  }

  /// Whether the last refresh of this token failed.
  var hasFailed: Bool { streak != nil }

  /// Makes a refresh due immediately if the outcome of an earlier one is not known, while the provider may still accept
  /// its token.
  mutating func makeDue(at uptime: Duration) {
    guard token != nil, streak == nil else { return }
    earlyPoint = min(earlyPoint ?? uptime, uptime)
  }

  /// Whether a server's date would show how much is left of the token: an earlier process received it, with the
  /// provider's time, and the device's clock may have been set since.
  var wantsServerDate: Bool { isRemembered && token?.clockOffset != nil }

  /// Corrects the token's expiry by the server's clock.
  mutating func correct(by serverDate: Date, at uptime: Duration) {
    guard wantsServerDate, let token, let offset = token.clockOffset, let expiresAt = token.expiresAt,
      let lifetime = token.lifetime, let endsAt
    else { return }
    isRemembered = false
    let left = Duration.seconds(expiresAt.timeIntervalSince(serverDate)) + offset
    let corrected = uptime + min(max(left, .zero), lifetime)
    earlyPoint = earlyPoint.map { $0 + corrected - endsAt }
    self.endsAt = corrected
  }
}

/// Consecutive failures, with no longer pause between them than this library's own waiting: a circuit breaker, open
/// until ``heldOffUntil``.
struct FailureStreak: Sendable {
  let beganAt: Duration
  let failedAt: Duration
  let latest: AuthenticationError
  /// Until then the provider has asked not to be asked again (`Retry-After`).
  let askedUntil: Duration
  /// Until then callers that would wait are refused, and nothing is sent.
  var heldOffUntil: Duration
  /// When a client in use tries again.
  let nextTryAt: Duration

  /// Whether the next failure starts a new streak: no caller has tried for a while, and the latest failure is old.
  func isOver(at uptime: Duration) -> Bool { uptime > nextTryAt + .seconds(60) }
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

/// Keeps a resource that refuses every token from causing a refresh for each call.
///
/// A token that has just replaced a refused one is known to be valid at the provider: a resource that refuses it as
/// well has another reason, and another refresh would not help. For a window of 10 seconds such a refusal causes no
/// refresh; after that it causes one. If that refresh comes within the window's length after its end, the next window
/// lasts twice as long, up to 5 minutes; otherwise it lasts 10 seconds again.
struct RefreshCooldown: Sendable {
  private var length = Duration.zero
  /// The uptime from which a refusal of the current token leads to a refresh; nil if it always does, as at first.
  private(set) var endsAt: Duration?

  static let shortest: Duration = .seconds(10)
  static let longest: Duration = .seconds(300)

  /// The window of a token that has just replaced a refused one.
  func continued(at uptime: Duration) -> RefreshCooldown {
    let goesOn = endsAt.map { uptime < $0 + length } ?? false
    var next = self
    next.length = goesOn ? min(length * 2, Self.longest) : Self.shortest
    next.endsAt = uptime + next.length
    return next
  }
}
