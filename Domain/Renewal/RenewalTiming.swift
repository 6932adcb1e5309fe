#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// When the current access token is to be refreshed, on the monotonic clock.
///
/// The wall clock is read once, when a token is first seen; a later jump of it changes nothing. All times are uptimes,
/// and nothing is scheduled: they are checked when a caller asks for a token, so that none is missed while the device
/// sleeps.
package struct RenewalTiming: Sendable {
  private var generation: Int?
  private var wasRefused = false
  /// Drawn once for each token, so that tokens issued together are not refreshed together.
  var earlyPoint: Duration?
  /// The token was received before this process read it, and the clock may have been set since.
  var isRemembered = false
  var token: AccessToken?
  var retryAt: Duration?
  var streak: FailureStreak?
  private(set) var refusals = RefusalWindow()

  /// The uptime at which the token expires; nil if unknown.
  package internal(set) var endsAt: Duration?

  let policy: RenewalPolicy

  /// Nothing to refresh yet.
  package init(policy: RenewalPolicy = .standard) { self.policy = policy }

  /// Takes note of the token in use, and of whether a resource has refused it.
  ///
  /// - Parameter random: a number in 0..<1 that places the token's early point; called once for each token.
  package mutating func follow(
    _ session: AuthSession?, generation: Int, isRefused: Bool = false, by clock: any AuthenticationClock,
    random: () -> Double
  ) {
    let isReplacement = wasRefused && self.generation == generation
    self.generation = generation
    wasRefused = isRefused
    guard token != session?.accessToken else { return }
    refusals = isReplacement ? refusals.continued(at: clock.uptime) : RefusalWindow()
    (token, endsAt, earlyPoint, retryAt, streak) = (session?.accessToken, nil, nil, nil, nil)
    isRemembered = false
    guard let token, let expiresAt = token.expiresAt, let lifetime = token.lifetime else { return }
    let left = Duration.seconds(expiresAt.timeIntervalSince(clock.now))
    // Received in the future: the clock was wrong then or is wrong now, and how much is left is not known.
    let isDoubtful = token.receivedAt > clock.now.addingTimeInterval(300) && session?.tokens.refresh != nil
    let endsAt = clock.uptime + (isDoubtful ? .zero : min(left, lifetime))
    self.endsAt = endsAt
    isRemembered = abs(clock.now.timeIntervalSince(token.receivedAt)) > 5
    earlyPoint = policy.earlyWindow.map { window in
      // The last refresh that can succeed comes before the token's end: an app that is rarely used must not miss it.
      let window = session?.tokens.refreshThemselves == true ? 0.5...0.7 : window
      let part = window.lowerBound + (window.upperBound - window.lowerBound) * random()
      return endsAt - policy.leeway(of: token) - lifetime * part
    }
  }

  /// The uptime from which callers wait for a refresh; nil if the token's expiry is unknown.
  package func renewAt(canRenew: Bool) -> Duration? {
    guard let endsAt, let token else { return nil }
    guard canRenew else { return endsAt }
    return min(endsAt, max(endsAt - policy.leeway(of: token), retryAt ?? .zero))
  }

  /// The uptime from which the token is refreshed in the background while callers still use it: a random point of
  /// ``RenewalPolicy/earlyWindow``, by default 10 to 30 percent of its lifetime before its leeway. Nil if callers would
  /// already wait by then, or nothing is refreshed in the background.
  package func renewEarlyAt(canRenew: Bool) -> Duration? {
    guard canRenew, let earlyPoint else { return nil }
    let point = retryAt ?? earlyPoint
    guard let renewAt = renewAt(canRenew: true) else { return point }
    return point < renewAt ? point : nil
  }
}
