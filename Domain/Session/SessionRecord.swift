#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// All that is kept between launches: the session, and the sign-outs the provider has not heard of yet.
///
/// One value, so that a sign-out erases the session and queues its revocation in one write.
public struct SessionRecord: Sendable, Equatable {
  public var session: AuthSession?
  public var pendingRevocations: [PendingRevocation]

  public init(session: AuthSession? = nil, pendingRevocations: [PendingRevocation] = []) {
    self.session = session
    self.pendingRevocations = pendingRevocations
  }

  public var isEmpty: Bool { session == nil && pendingRevocations.isEmpty }
}

/// Tokens that are no longer used here and must still be revoked at the provider (RFC 7009).
public struct PendingRevocation: Sendable, Hashable {
  public let tokens: SessionTokens
  /// UTC.
  public let queuedAt: Date

  public init(tokens: SessionTokens, queuedAt: Date) {
    self.tokens = tokens
    self.queuedAt = queuedAt
  }
}
