package import Foundation

/// Tokens that are no longer used here and must still be revoked at the provider (RFC 7009).
package struct PendingRevocation: Sendable, Hashable {
  /// A revocation to be sent.
  package let tokens: SessionTokens
  /// UTC.
  package let queuedAt: Date
  /// Whose tokens they were; nil if not known. Some providers end all sessions of a user with one of them.
  package let userID: String?

  /// A revocation that was queued at `queuedAt` (UTC).
  package init(tokens: SessionTokens, queuedAt: Date, userID: String? = nil) {
    self.tokens = tokens
    self.queuedAt = queuedAt
    self.userID = userID
  }
}
