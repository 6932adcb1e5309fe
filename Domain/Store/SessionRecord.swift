package import Foundation

/// Everything that is kept between launches: the session, its refresh in progress, and the revocations that the
/// provider has not confirmed.
///
/// One value, so that a sign-out erases the session and queues its revocation in one write. The record identifies
/// itself: which write made it, which sign-in its session belongs to, and which sign-ins ended lately.
public struct SessionRecord: Sendable, Equatable {
  /// The write that made this record; nil if ``AuthManager`` did not write it.
  package var writeID: RecordID?
  /// The session; nil after a sign-out.
  public var session: AuthSession? {
    didSet {
      if session == nil {
        (signInID, refreshes, signedInAt, refusedRefresh) = (nil, 0, nil, nil)
        (resourceTokens, needsInteraction, retryAt) = ([:], false, nil)
      } else {
        endReason = nil
      }
    }
  }
  /// The sign-in that the session belongs to; a refresh keeps it. It is erased with the session, and set after it.
  package var signInID: RecordID?
  /// How many refreshes the session has had since its sign-in.
  package var refreshes: Int
  /// When that user signed in (UTC); nil if not known.
  package var signedInAt: Date?
  /// The sign-ins that ended lately, the latest last; at most ``maximumEndedSignIns``.
  package var endedSignIns: [EndedSignIn]
  /// The session's refresh token was sent, and the outcome is not known.
  package var refreshJournal: RefreshJournalEntry?
  /// The provider refuses the session's refreshes without rejecting the refresh token; nil if it does not.
  package var refusedRefresh: RefusedRefresh?
  /// Until then the provider has asked not to be asked for new tokens (UTC, `Retry-After`, RFC 9110 §10.2.3).
  package var retryAt: Date?
  /// The provider refreshes the session only after the user was on its page.
  package var needsInteraction = false
  /// The access tokens of further resources, by ``ProtectedResource/key``; at most ``maximumResources``.
  package private(set) var resourceTokens: [String: AccessToken] = [:]
  /// The user whose session was lost with a response (``SignOutReason/ambiguousLoss``).
  package var formerUser: User?
  /// Why the last session ended; nil while there is one, and if none has ended.
  package var endReason: SignOutReason?
  /// The tokens that the provider has yet to revoke.
  package var pendingRevocations: [PendingRevocation]

  /// A record of a session that another library kept, as a new sign-in; of nothing if it is nil.
  public init(session: AuthSession?) {
    self.init(session: session, signedInAt: nil)
    if session != nil { signInID = .random() }
  }

  /// An empty record by default.
  package init(
    session: AuthSession? = nil, signedInAt: Date? = nil, refreshJournal: RefreshJournalEntry? = nil,
    formerUser: User? = nil, endReason: SignOutReason? = nil, pendingRevocations: [PendingRevocation] = []
  ) {
    self.session = session
    refreshes = 0
    self.signedInAt = session == nil ? nil : signedInAt
    endedSignIns = []
    self.refreshJournal = refreshJournal
    self.formerUser = formerUser
    self.endReason = session == nil ? endReason : nil
    self.pendingRevocations = pendingRevocations
  }

  /// How long the provider has still asked not to be asked; nil if it has not. More than the longest wait was noted by a
  /// clock that was ahead.
  func requestedWait(at now: Date, atMost longest: Duration) -> Duration? {
    let wait = Duration.seconds(retryAt?.timeIntervalSince(now) ?? 0)
    return wait > .zero && wait <= longest ? wait : nil
  }

  /// Whether no session, no user and no token is left: at most identifiers and the reason of the end.
  package var holdsNothing: Bool { session == nil && formerUser == nil && pendingRevocations.isEmpty }

  /// This record with the identifiers that it lacks because no ``AuthManager`` wrote it: the store was erased, or the
  /// app put the session of another library there.
  ///
  /// - Parameters:
  ///   - known: the content of the store when this process last read or wrote it.
  ///   - makeID: names a sign-in.
  func identified(after known: SessionRecord, by makeID: () -> RecordID) -> SessionRecord {
    guard writeID == nil else { return self }
    var record = self
    for ended in known.endedSignIns { record.note(ended) }
    if session != nil, session == known.session {
      (record.signInID, record.refreshes) = (known.signInID, known.refreshes)
    } else {
      if let id = known.signInID { record.note(EndedSignIn(id: id)) }
      if session != nil, signInID == nil { record.signInID = makeID() }
    }
    return record
  }

  /// One record out of the one that this process could not store (`self`) and the one that another process has stored
  /// meanwhile.
  ///
  /// | ours                  | stored                | result |
  /// |-----------------------|-----------------------|-----------|
  /// | ended in the stored   | anything              | stored: a sign-in that ended does not return |
  /// | anything              | ended in ours         | ours |
  /// | no session            | a sign-in             | stored: another process signed in, or refreshed a session that the provider refused here |
  /// | a new sign-in         | no session            | ours: it has not been stored yet |
  /// | a sign-in             | the same sign-in      | the one with more refreshes; of equal ones the stored |
  /// | the sign-in in `base` | another, or none      | stored: another process ended ours |
  /// | a new sign-in         | another sign-in       | the later one; ours if the dates are equal or not known |
  /// | no session            | no session            | the change since `base`; of two changes the user's own
  /// |                       |                       | sign-out, or else the stored |
  ///
  /// The tokens of the sign-in that loses are queued for revocation. Each side's additions to the queue of revocations
  /// since `base`, and its removals, stay.
  ///
  /// - Parameters:
  ///   - stored: the content of the store now.
  ///   - base: its content when this process last read it.
  ///   - now: the wall clock (UTC).
  func merged(with stored: SessionRecord, since base: SessionRecord, at now: Date) -> SessionRecord {
    var merged = stored
    for ended in endedSignIns { merged.note(ended) }
    let isOurs = stands(over: stored, since: base)
    if isOurs {
      merged.takeSession(of: self)
    } else if session?.tokens == stored.session?.tokens, stored.refreshJournal == base.refreshJournal {
      merged.refreshJournal = refreshJournal
    }
    merged.mergeQueue(of: self, since: base)
    let loser = isOurs ? stored : self
    if let id = loser.signInID, id != merged.signInID {
      merged.note(EndedSignIn(id: id))
      if loser.session != base.session { merged.queue(loser.session, now) }
    }
    merged.endedSignIns.removeAll { $0.id == merged.signInID }
    return merged
  }

  private func stands(over stored: SessionRecord, since base: SessionRecord) -> Bool {
    if stored.hasEnded(signInID) { return false }
    if hasEnded(stored.signInID, after: stored.refreshes) { return true }
    guard session != nil else { return stored.session == nil && endStands(over: stored, since: base) }
    if signInID == stored.signInID { return refreshes > stored.refreshes }
    if signInID == base.signInID { return false }
    guard stored.session != nil else { return true }
    guard let date = signedInAt, let storedDate = stored.signedInAt else { return true }
    return date >= storedDate
  }

  private func endStands(over stored: SessionRecord, since base: SessionRecord) -> Bool {
    if endReason == .requested, base.endReason != .requested { return true }
    return stored.formerUser == base.formerUser && stored.endReason == base.endReason
  }

  private mutating func takeSession(of other: SessionRecord) {
    session = other.session
    (signInID, refreshes, signedInAt) = (other.signInID, other.refreshes, other.signedInAt)
    (refreshJournal, formerUser, endReason) = (other.refreshJournal, other.formerUser, other.endReason)
    (refusedRefresh, needsInteraction, retryAt) = (other.refusedRefresh, other.needsInteraction, other.retryAt)
    resourceTokens = other.resourceTokens
  }

  private mutating func mergeQueue(of ours: SessionRecord, since base: SessionRecord) {
    pendingRevocations.removeAll { base.hasQueued($0.tokens) && !ours.hasQueued($0.tokens) }
    let added = ours.pendingRevocations.filter { !base.hasQueued($0.tokens) && !hasQueued($0.tokens) }
    pendingRevocations += added
  }

  private func hasQueued(_ tokens: SessionTokens) -> Bool { pendingRevocations.contains { $0.tokens == tokens } }

  /// Queues the tokens of a replaced session for revocation, unless the current session needs them: some providers give
  /// the next sign-in the same refresh token.
  mutating func queue(_ replaced: AuthSession?, _ now: Date) {
    guard let replaced else { return }
    let isShared = replaced.tokens.refresh != nil && replaced.tokens.refresh == session?.tokens.refresh
    let isQueued = pendingRevocations.contains { $0.tokens.access == replaced.tokens.access }
    if isShared || isQueued { return }
    pendingRevocations.append(
      PendingRevocation(tokens: replaced.tokens.withoutIdentity, queuedAt: now, userID: replaced.user.id))
  }

  /// How many resources may have a token.
  package static let maximumResources = 16

  /// Keeps the access token of a resource, if there is a session. Beyond ``maximumResources`` the oldest is dropped.
  package mutating func keep(_ token: AccessToken, for key: String) {
    guard session != nil else { return }
    resourceTokens[key] = token
    guard resourceTokens.count > Self.maximumResources,
      let oldest = resourceTokens.min(by: { ($0.value.receivedAt, $0.key) < ($1.value.receivedAt, $1.key) })
    else { return }
    resourceTokens[oldest.key] = nil
  }

  /// Forgets the access tokens of all resources: the session has other rights now.
  mutating func dropResourceTokens() { resourceTokens = [:] }

  /// How many ended sign-ins a record remembers.
  package static let maximumEndedSignIns = 32

  /// Whether this record says that the sign-in ended after this many refreshes, or more.
  func hasEnded(_ signInID: RecordID?, after refreshes: Int = 0) -> Bool {
    endedSignIns.contains { $0.id == signInID && refreshes <= $0.refreshes ?? .max }
  }

  /// Notes that the provider has refused the session's sign-in, after all the refreshes that are known here.
  mutating func refuseSignIn() {
    if let signInID { note(EndedSignIn(id: signInID, refreshes: refreshes)) }
  }

  /// Notes that a user signs in or out: the session's sign-in, and those that the provider refused, end for good.
  mutating func endSignIn() {
    endedSignIns = endedSignIns.map { EndedSignIn(id: $0.id) }
    if let signInID { note(EndedSignIn(id: signInID)) }
  }

  /// Of two ends of one sign-in the later one counts.
  mutating func note(_ ended: EndedSignIn) {
    var latest = ended
    if let known = endedSignIns.first(where: { $0.id == ended.id }) {
      if known.refreshes ?? .max >= ended.refreshes ?? .max { latest = known }
      endedSignIns.removeAll { $0.id == ended.id }
    }
    endedSignIns.append(latest)
    endedSignIns.removeFirst(max(0, endedSignIns.count - Self.maximumEndedSignIns))
  }
}

/// A sign-in that has ended.
package struct EndedSignIn: Sendable, Hashable {
  /// Which sign-in.
  package let id: RecordID
  /// The provider refused it after this many refreshes: a session with more of them is a later one. Nil if a user
  /// signed out or in, which ends it for good.
  package let refreshes: Int?

  /// A sign-in that ended for good, or, with `refreshes`, at that count of them.
  package init(id: RecordID, refreshes: Int? = nil) {
    self.id = id
    self.refreshes = refreshes
  }
}

/// A refresh whose outcome is not known: written before the refresh token is sent, and erased by the write that stores
/// the outcome.
///
/// It distinguishes a provider's plain refusal from a lost response: a token that was sent once without a response may
/// be spent, although this device never received its replacement.
package struct RefreshJournalEntry: Sendable, Hashable {
  /// When the token was first sent (UTC).
  package let begunAt: Date
  /// How many times it was sent, including the latest: 1 to 1,000.
  package let sends: Int
  /// Whether the response to the latest came, and had nothing that can be used: to send the token again at once would
  /// not bring the response.
  package var isAnswered: Bool

  /// A refresh that began at this time (UTC).
  package init(begunAt: Date, sends: Int = 1, isAnswered: Bool = false) {
    self.begunAt = begunAt
    self.sends = min(max(sends, 1), 1_000)
    self.isAnswered = isAnswered
  }
}
