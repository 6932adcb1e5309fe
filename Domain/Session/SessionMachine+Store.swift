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
      record.pendingRevocations.removeAll { $0.queuedAt < now.addingTimeInterval(-Self.longestQueueTime) }
      record.pendingRevocations += orphaned
      freshness = Self.freshness(of: record.session, now)
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
    accessTokenIsRejected = false
    freshness = Self.freshness(of: stored.session, now)
    signOutReason = stored.formerUser == nil ? .elsewhere : .ambiguousLoss
    guard let replaced, let session = stored.session, replaced.user.id != session.user.id else { return [.publish] }
    return [.publish, .settle(.superseded)]
  }

  /// What could not be saved in time is given up for what another process did later; its tokens are revoked.
  mutating func storeOvertook(_ stored: SessionRecord, _ now: Date) -> [Effect] {
    let ours = record
    unsaved = nil
    let effects = storeReadAgain(stored, now)
    for revocation in ours.pendingRevocations where !record.pendingRevocations.contains(revocation) {
      record.pendingRevocations.append(revocation)
    }
    if let session = ours.session, session.tokens != record.session?.tokens {
      record.pendingRevocations.append(
        .init(tokens: session.tokens.withoutIdentity, queuedAt: now, userID: session.user.id))
    }
    return (record == stored ? [] : [.save(record)]) + effects + deliverIfPending
  }

  mutating func saved(_ failure: AuthenticationError?) -> [Effect] {
    let wasUnsaved = isUnsaved
    unsaved = failure
    if failure != nil { return [.publish, .retrySave] }
    return wasUnsaved ? [.publish] : []
  }

  static func freshness(of session: AuthSession?, _ now: Date) -> ActiveSession.Freshness {
    guard let session, let expiresAt = session.accessToken.expiresAt, expiresAt <= now else { return .fresh }
    return session.tokens.refresh == nil ? .expired : .stale
  }
}
