#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SessionMachine {
  mutating func storeRead(_ result: Result<SessionRecord?, AuthenticationError>, _ now: Date) -> [Effect] {
    guard !hasReadStore else { return [] }
    switch result {
    case .failure(let error):
      store = .unavailable(error)
      return [.publish]
    case .success(let stored):
      store = .read
      let orphaned = record.pendingRevocations
      let kept = stored ?? SessionRecord()
      record = kept
      record.pendingRevocations += orphaned
      freshness = Self.freshness(of: record.session, now)
      if record.session != nil { challenge = nil }
      if record.formerUser != nil { signOutReason = .ambiguousLoss }
      return (record == kept ? [] : [.save(record)]) + [.publish] + deliverIfPending
    }
  }

  /// What another process has stored in the meantime is newer than what is current here.
  mutating func storeReadAgain(_ stored: SessionRecord?, _ now: Date) -> [Effect] {
    let stored = stored ?? SessionRecord()
    guard hasReadStore, !isUnsaved, stored != record else { return [] }
    let replaced = record.session
    let isSettled = record.unsettledRenewal == stored.unsettledRenewal
    record = stored
    guard stored.session != replaced else { return isSettled ? [] : [.publish] }
    generation += 1
    challenge = nil
    accessTokenIsRejected = false
    freshness = Self.freshness(of: stored.session, now)
    signOutReason = stored.formerUser.map { $0.id == replaced?.user.id } ?? false ? .ambiguousLoss : .elsewhere
    guard let replaced, let session = stored.session, replaced.user.id != session.user.id else { return [.publish] }
    return [.publish, .settle(.superseded)]
  }

  /// What could not be saved in time goes on top of what other processes have stored meanwhile. A save that was said to
  /// have failed, and is there, was none of theirs.
  mutating func storeOvertook(
    _ stored: SessionRecord, _ known: SessionRecord?, _ doubtful: SessionRecord?, _ now: Date
  ) -> [Effect] {
    guard hasReadStore else { return [] }
    if stored == record {
      // It has had its precedence, and may not be there to last.
      isDeliberate = false
      return [.save(record)]
    }
    let base = base(of: stored, known, doubtful)
    guard stored != base else { return [] }
    let known = base ?? SessionRecord()
    let ours = record
    var merged = stored
    if base == nil || isOurs(stored, known) {
      merged.session = ours.session
      merged.signedInAt = ours.signedInAt
      merged.formerUser = ours.formerUser
      let isSameSend = ours.session == stored.session && stored.unsettledRenewal != known.unsettledRenewal
      merged.unsettledRenewal = isSameSend ? stored.unsettledRenewal : ours.unsettledRenewal
      if stored.session != known.session, stored.session != ours.session { merged.queue(stored.session, now) }
    } else if isDeliberate || stored.session == nil || stored.isOfOtherSignIn(than: ours),
      ours.session != stored.session,
      ours.session != known.session || base == doubtful && !stored.owesRevocation(of: ours.session)
    {
      // After a renewal elsewhere the tokens made here may belong to the session that lives on.
      merged.queue(ours.session, now)
    }
    merged.pendingRevocations.removeAll { known.hasQueued($0.tokens) && !ours.hasQueued($0.tokens) }
    let queued = ours.pendingRevocations.filter { !known.hasQueued($0.tokens) }
    merged.pendingRevocations += queued.filter { !merged.hasQueued($0.tokens) }
    unsaved = nil
    if merged.session == stored.session { isDeliberate = false }
    let effects = storeReadAgain(merged, now)
    return (merged == stored ? [] : [.save(merged)]) + effects + [.publish] + deliverIfPending
  }

  /// What the store held before others wrote to it. A sign-in that may have been stored is taken to have been, unless
  /// the one before it is still there: it must not come back over what was made of it.
  private mutating func base(
    of stored: SessionRecord, _ known: SessionRecord?, _ doubtful: SessionRecord?
  ) -> SessionRecord? {
    guard let doubtful, stored != known, wasDone(doubtful, stored, known) else { return known }
    // It has had its precedence; what was renewed since then has none.
    if doubtfulGeneration == generation { isDeliberate = false }
    return doubtful
  }

  private func wasDone(_ doubtful: SessionRecord, _ stored: SessionRecord, _ known: SessionRecord?) -> Bool {
    if stored.session == doubtful.session, stored.unsettledRenewal == doubtful.unsettledRenewal { return true }
    guard isDeliberate, let tried = doubtful.session else { return false }
    let before = known?.session
    if stored.session?.user.id != before?.user.id { return true }
    if let session = stored.session {
      // Tokens that were replaced do not come back.
      if session == before { return false }
      if let date = stored.signedInAt { return date != known?.signedInAt }
      if session.user.id == tried.user.id { return true }
    }
    let earlier = (known?.pendingRevocations ?? []) + doubtful.pendingRevocations
    return stored.pendingRevocations.contains { $0.userID == tried.user.id && !earlier.contains($0) }
  }

  /// A sign-in or sign-out here gives way to somebody else's sign-in elsewhere, and stands over what the same person has
  /// there; a renewal here gives way to whatever changed the session there.
  private func isOurs(_ stored: SessionRecord, _ known: SessionRecord) -> Bool {
    if stored.session == known.session { return true }
    guard isDeliberate, record.session != known.session else { return false }
    return stored.session.map { $0.user.id == known.session?.user.id } ?? true
  }

  mutating func saved(_ failure: AuthenticationError?) -> [Effect] {
    let wasUnsaved = isUnsaved
    unsaved = failure
    if failure == nil { isDeliberate = false }
    if failure != nil { return [.publish, .retrySave] }
    return wasUnsaved ? [.publish] : []
  }

  mutating func saveDoubted() -> [Effect] {
    doubtfulGeneration = generation
    return []
  }

  static func freshness(of session: AuthSession?, _ now: Date) -> ActiveSession.Freshness {
    guard let session, let expiresAt = session.accessToken.expiresAt, expiresAt <= now else { return .fresh }
    return session.tokens.refresh == nil ? .expired : .stale
  }
}

extension SessionRecord {
  /// Whether both say when they were signed in, and it was not at the same time.
  fileprivate func isOfOtherSignIn(than other: SessionRecord) -> Bool {
    guard let signedInAt, let date = other.signedInAt else { return false }
    return signedInAt != date
  }

  fileprivate func owesRevocation(of session: AuthSession?) -> Bool {
    pendingRevocations.contains { $0.tokens.access == session?.accessToken }
  }

  fileprivate func hasQueued(_ tokens: SessionTokens) -> Bool {
    pendingRevocations.contains { $0.tokens == tokens }
  }
}
