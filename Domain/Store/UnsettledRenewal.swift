#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A refresh whose outcome is not known: written before the refresh token is sent, and erased by the write that stores
/// the outcome.
///
/// It distinguishes a provider's plain refusal from a lost response: a token that was sent once without a response may
/// be spent, although this device never received what replaced it.
public struct UnsettledRenewal: Sendable, Hashable {
  /// When the token was first sent (UTC).
  public let begunAt: Date
  /// How many times it was sent, including the latest: 1 to 1,000.
  public let sends: Int

  /// A refresh that began at this time (UTC).
  public init(begunAt: Date, sends: Int = 1) {
    self.begunAt = begunAt
    self.sends = min(max(sends, 1), 1_000)
  }
}
