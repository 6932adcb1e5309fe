#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// When the current access token is to be renewed, on the monotonic clock.
///
/// The wall clock counts once, when a token is first seen; from then on a jump of it changes nothing.
struct RenewalTiming: Sendable {
  private var token: AccessToken?
  private var failures = 0
  private var heldOffUntil: Duration?
  /// The provider's own word that it wants no request before then, and the failure that said so.
  private var refusal: (until: Duration, error: AuthenticationError)?

  /// The uptime at which the token ends; nil where unknown.
  private(set) var endsAt: Duration?

  mutating func follow(_ session: AuthSession?, by clock: any AuthenticationClock) {
    guard token != session?.accessToken else { return }
    self = RenewalTiming()
    token = session?.accessToken
    guard let token, let expiresAt = token.expiresAt, let lifetime = token.lifetime else { return }
    let left = Duration.seconds(expiresAt.timeIntervalSince(clock.now))
    // Received in the future: the clock was wrong then or is now, and how much is left is not known.
    let isDoubtful = token.receivedAt > clock.now.addingTimeInterval(300) && session?.tokens.refresh != nil
    endsAt = clock.uptime + (isDoubtful ? .zero : min(left, lifetime))
  }

  /// The uptime from which the token is renewed before it is used; nil where its end is unknown.
  func renewAt(canRenew: Bool) -> Duration? {
    guard let endsAt, let token else { return nil }
    guard canRenew else { return endsAt }
    return min(endsAt, max(endsAt - token.renewalLeeway, heldOffUntil ?? .zero))
  }

  /// After a failure a token that is still valid is used on, and the next try waits.
  mutating func noteFailure(
    _ error: AuthenticationError, of failed: AccessToken, at uptime: Duration, backoff: Backoff
  ) {
    guard failed == token else { return }
    heldOffUntil = uptime + (error.retryAfter ?? backoff.delay(attempt: failures))
    failures += 1
    refusal = error.retryAfter.map { (uptime + min($0, Self.longestRefusal), error) }
  }

  /// Why the provider is not to be asked now.
  func refusal(at uptime: Duration) -> AuthenticationError? {
    refusal.flatMap { uptime < $0.until ? $0.error : nil }
  }

  /// A provider that says `Retry-After` is left alone for at most this long while a person waits.
  static let longestRefusal: Duration = .seconds(60)
}
