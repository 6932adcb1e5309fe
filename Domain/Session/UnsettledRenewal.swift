#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A renewal whose outcome is not known: written before the refresh token is sent, and erased by the write that stores
/// the outcome.
///
/// It is what tells a provider's plain refusal from the loss of an answer: a token that was sent once and whose answer
/// never came may be spent, though this device never saw what replaced it.
public struct UnsettledRenewal: Sendable, Hashable {
  /// When the token was first sent (UTC).
  public let begunAt: Date
  /// How often it was sent, the latest time included: 1 to 1,000.
  public let sends: Int

  /// A renewal that was begun at this time (UTC).
  public init(begunAt: Date, sends: Int = 1) {
    self.begunAt = begunAt
    self.sends = min(max(sends, 1), 1_000)
  }
}
