#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A refresh whose outcome is not known: written before the refresh token is sent, and erased by the write that stores
/// the outcome.
///
/// It distinguishes a provider's plain refusal from a lost response: a token that was sent once without a response may
/// be spent, although this device never received what replaced it.
package struct UnsettledRenewal: Sendable, Hashable {
  /// When the token was first sent (UTC).
  package let begunAt: Date
  /// How many times it was sent, including the latest: 1 to 1,000.
  package let sends: Int

  /// A refresh that began at this time (UTC).
  package init(begunAt: Date, sends: Int = 1) {
    self.begunAt = begunAt
    self.sends = min(max(sends, 1), 1_000)
  }
}
