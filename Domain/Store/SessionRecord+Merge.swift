#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SessionRecord {
  /// One record out of what this process could not store (`self`) and what another one has stored meanwhile.
  ///
  /// | ours                  | stored                | what wins |
  /// |-----------------------|-----------------------|-----------|
  /// | ended in the stored   | anything              | stored: a sign-in that ended does not return |
  /// | anything              | ended in ours         | ours |
  /// | nobody                | a sign-in             | stored: another process signed in, or refreshed what the provider refused here |
  /// | a new sign-in         | nobody                | ours: it has not been stored yet |
  /// | a sign-in             | the same sign-in      | the one with more refreshes; of equal ones the stored |
  /// | the sign-in in `base` | another, or nobody    | stored: another process ended ours |
  /// | a new sign-in         | another sign-in       | the later one; ours if the dates are equal or not known |
  /// | nobody                | nobody                | what changed since `base`; of two changes the user's own
  /// |                       |                       | sign-out, or else the stored |
  ///
  /// The tokens of the sign-in that loses are queued for revocation. What either side has added to the queue of
  /// revocations since `base`, or removed from it, stays added or removed.
  ///
  /// - Parameters:
  ///   - stored: what the store holds now.
  ///   - base: what it held when this process last knew.
  ///   - now: the wall clock (UTC).
  func merged(with stored: SessionRecord, since base: SessionRecord, at now: Date) -> SessionRecord {
    let stored = stored.identified(as: self)
    var merged = stored
    for ended in endedSignIns { merged.note(ended) }
    let isOurs = stands(over: stored, since: base)
    if isOurs {
      merged.takeSession(of: self)
    } else if session == stored.session, stored.unsettledRenewal == base.unsettledRenewal {
      merged.unsettledRenewal = unsettledRenewal
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
    if let derivedID, stored.hasEnded(derivedID) { return false }
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
    (unsettledRenewal, formerUser, endReason) = (other.unsettledRenewal, other.formerUser, other.endReason)
    refusedRefresh = other.refusedRefresh
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
}
