#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Everything that is kept between launches: the session, its refresh in progress, and the revocations that the
/// provider has not confirmed.
///
/// One value, so that a sign-out erases the session and queues its revocation in one write. The record identifies
/// itself: which write made it, which sign-in its session belongs to, and which sign-ins ended lately. Records of
/// earlier versions have none of these identifiers; they get theirs when they are read.
public struct SessionRecord: Sendable, Equatable {
  /// The write that made this record; nil if it was made by an earlier version, or never written.
  package var writeID: RecordID?
  /// Who is signed in; nil after a sign-out.
  public var session: AuthSession? {
    didSet {
      if session == nil {
        (signInID, refreshes, signedInAt, refusedRefresh) = (nil, 0, nil, nil)
      } else {
        endReason = nil
      }
    }
  }
  /// The sign-in that the session belongs to; a refresh keeps it. It is erased with the session, and set after it.
  package var signInID: RecordID?
  /// How many refreshes the session has had since its sign-in.
  package var refreshes: Int
  /// When that person signed in (UTC); nil if not known.
  package var signedInAt: Date?
  /// The sign-ins that ended lately, the latest last; at most ``maximumEndedSignIns``.
  package var endedSignIns: [EndedSignIn]
  /// The session's refresh token was sent, and the outcome is not known.
  package var unsettledRenewal: UnsettledRenewal?
  /// The provider calls the refresh request faulty, although it has worked before; nil if it does not.
  package var refusedRefresh: RefusedRefresh?
  /// Who was signed in when the session was lost with a response (``SignOutReason/ambiguousLoss``).
  package var formerUser: User?
  /// Why the last session ended; nil while there is one, and if none has ended.
  package var endReason: SignOutReason?
  /// What the provider has yet to revoke.
  package var pendingRevocations: [PendingRevocation]

  /// A record of a session that another library kept; of nothing if it is nil.
  public init(session: AuthSession?) { self.init(session: session, signedInAt: nil) }

  /// An empty record by default.
  package init(
    session: AuthSession? = nil, signedInAt: Date? = nil, unsettledRenewal: UnsettledRenewal? = nil,
    formerUser: User? = nil, endReason: SignOutReason? = nil, pendingRevocations: [PendingRevocation] = []
  ) {
    self.session = session
    refreshes = 0
    self.signedInAt = session == nil ? nil : signedInAt
    endedSignIns = []
    self.unsettledRenewal = unsettledRenewal
    self.formerUser = formerUser
    self.endReason = session == nil ? endReason : nil
    self.pendingRevocations = pendingRevocations
  }

  /// Whether no session, no user and no token is left: at most identifiers and the reason of the end.
  package var holdsNothing: Bool { session == nil && formerUser == nil && pendingRevocations.isEmpty }
}
