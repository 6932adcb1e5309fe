#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// That the provider calls the refresh request of a session faulty (`invalid_request` or `invalid_client`, RFC 6749
/// §5.2), although the same request has worked in this sign-in.
///
/// Some issuers answer so once they have forgotten a session. A fault of the issuer's own looks the same, but passes:
/// only a second refusal ``interval`` after the first one, or later, without a success in between, asks the user to sign
/// in again. Until then the session is kept as in an outage. It is also kept after that: a refresh that succeeds all the
/// same ends the doubt.
package struct RefusedRefresh: Sendable, Hashable {
  /// How much later the second refusal counts, in seconds.
  static let interval = 30.0

  /// When the provider first refused (UTC).
  package let firstAt: Date
  /// Whether it has refused again later: the user must sign in.
  package let isConfirmed: Bool

  package init(firstAt: Date, isConfirmed: Bool = false) {
    self.firstAt = firstAt
    self.isConfirmed = isConfirmed
  }

  /// After another refusal. A first one in the future was noted by a clock that was ahead, and counts from now on.
  func again(at now: Date) -> RefusedRefresh {
    if isConfirmed { return self }
    let age = now.timeIntervalSince(firstAt)
    if age < 0 { return RefusedRefresh(firstAt: now) }
    return RefusedRefresh(firstAt: firstAt, isConfirmed: age >= Self.interval)
  }
}
