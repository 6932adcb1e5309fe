#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// All that is kept between launches: the session, its renewal under way, and the sign-outs the provider has not heard
/// of yet.
///
/// One value, so that a sign-out erases the session and queues its revocation in one write.
public struct SessionRecord: Sendable, Equatable {
  /// Who is signed in; nil after a sign-out.
  public var session: AuthSession? {
    didSet { if session == nil { signedInAt = nil } }
  }
  /// When that person signed in (UTC), by which sign-ins are told apart: a renewal keeps it. Nil where it is not known;
  /// it goes with its session, and is to be set with it.
  public var signedInAt: Date?
  /// The session's refresh token was sent, and what came of it is not known here.
  public var unsettledRenewal: UnsettledRenewal?
  /// Who was signed in when the session was lost with an answer (``SignOutReason/ambiguousLoss``).
  public var formerUser: User?
  /// What the provider has yet to hear of.
  public var pendingRevocations: [PendingRevocation]

  /// An empty record, unless told otherwise.
  public init(
    session: AuthSession? = nil, signedInAt: Date? = nil, unsettledRenewal: UnsettledRenewal? = nil,
    formerUser: User? = nil, pendingRevocations: [PendingRevocation] = []
  ) {
    self.session = session
    self.signedInAt = session == nil ? nil : signedInAt
    self.unsettledRenewal = unsettledRenewal
    self.formerUser = formerUser
    self.pendingRevocations = pendingRevocations
  }

  /// Whether there is nothing to keep: then the store is emptied.
  public var isEmpty: Bool { session == nil && formerUser == nil && pendingRevocations.isEmpty }
}

/// Tokens that are no longer used here and must still be revoked at the provider (RFC 7009).
public struct PendingRevocation: Sendable, Hashable {
  /// What is to be revoked.
  public let tokens: SessionTokens
  /// UTC.
  public let queuedAt: Date
  /// Whose they were; nil where that is not known. Some providers end all sessions of a person with one of them.
  public let userID: String?

  /// A revocation that waits since `queuedAt` (UTC).
  public init(tokens: SessionTokens, queuedAt: Date, userID: String? = nil) {
    self.tokens = tokens
    self.queuedAt = queuedAt
    self.userID = userID
  }
}
