package import Foundation

/// That the provider refuses the refreshes of a session, and does not say that the session has ended.
///
/// Some issuers respond so once they have forgotten a session: with `invalid_request` or `invalid_client` (RFC 6749
/// §5.2), with another code, or without one. A fault of the issuer's own looks the same, but passes: only several
/// refusals, each ``interval`` after the one before or later, without a success in between, ask the user to sign in
/// again. Until then the session is kept as in an outage. It is also kept after that: a refresh that succeeds all the
/// same ends the doubt.
package struct RefusedRefresh: Sendable, Hashable {
  /// How much later another refusal counts, in seconds.
  static let interval = 30.0
  /// How many refusals ask the user to sign in.
  static let usual = 3
  /// The same where the provider calls the request faulty, although the same request has worked in this sign-in.
  static let ofWorkingRequest = 2

  /// When the provider refused, the latest time that counts (UTC).
  package let latestAt: Date
  /// How many refusals count: 1 to 1,000.
  package let count: Int
  /// Whether there were so many that the user must sign in.
  package let isConfirmed: Bool

  package init(latestAt: Date, count: Int = 1, isConfirmed: Bool = false) {
    self.latestAt = latestAt
    self.count = min(max(count, 1), 1_000)
    self.isConfirmed = isConfirmed
  }

  /// After another refusal. One in the future was noted by a clock that was ahead, and counts from now on.
  ///
  /// - Parameter needed: how many refusals ask the user to sign in.
  func again(at now: Date, of needed: Int) -> RefusedRefresh {
    if isConfirmed { return self }
    let age = now.timeIntervalSince(latestAt)
    if age < 0 { return RefusedRefresh(latestAt: now, count: count) }
    if age < Self.interval { return self }
    return RefusedRefresh(latestAt: now, count: count + 1, isConfirmed: count + 1 >= needed)
  }
}
