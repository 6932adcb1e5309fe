#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Tokens that are no longer used here and must still be revoked at the provider (RFC 7009).
public struct PendingRevocation: Sendable, Hashable {
  /// What is to be revoked.
  public let tokens: SessionTokens
  /// UTC.
  public let queuedAt: Date
  /// Whose tokens they were; nil if not known. Some providers end all sessions of a person with one of them.
  public let userID: String?

  /// A revocation that was queued at `queuedAt` (UTC).
  public init(tokens: SessionTokens, queuedAt: Date, userID: String? = nil) {
    self.tokens = tokens
    self.queuedAt = queuedAt
    self.userID = userID
  }
}
