#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What this process knows of its store.
struct StoreView: Sendable {
  enum Reading: Sendable {
    case unread
    case unavailable(AuthenticationError)
    case read
  }

  var reading = Reading.unread
  /// What the store held when it was last read or written.
  var known = SessionRecord()
  /// What was to be stored since, if it is not known whether it was.
  var tried: SessionRecord?
  /// Why nothing can be saved now: another process holds the store, or it cannot be read.
  var blocked: AuthenticationError?
  /// Why the store does not hold the machine's record; nil if it does.
  var failure: AuthenticationError?
  var failedSaves = 0
  /// When a person signed in here over what was never read (UTC): whoever it holds from before that is replaced.
  var replacedUnreadAt: Date?

  /// Whether what the store holds was read, or was replaced unread by a sign-in; until then nothing is to be saved.
  var isRead: Bool {
    if case .read = reading { true } else { false }
  }
}

/// Reading and writing: what another process has stored is taken over, or merged with what is not saved yet here.
extension SessionMachine {
  mutating func storeRead(_ result: Result<SessionRecord?, AuthenticationError>, _ now: Date) -> [Effect] {
    let read: SessionRecord?
    switch result {
    case .success(let success): read = success
    case .failure(let error):
      if store.isRead { return [] }
      store.reading = .unavailable(error)
      return [.publish, .report(.storageFailed(error))]
    }
    let stored = (read ?? SessionRecord()).identified(after: store.known)
    let base = stored == store.tried ? stored : store.known
    (store.known, store.tried) = (stored, nil)
    if !store.isRead { return begin(with: stored, now) }
    endReplaced(stored)
    // What the failed save was to store is found there: the next save writes it again, since the store reported a
    // failure.
    if stored == record || store.failure != nil && stored == base { return [] }
    if store.failure != nil { return merge(stored, since: base, now) }
    return [.publish] + adopt(stored, now)
  }

  /// Ends the sign-in that one here has replaced before the store could be read.
  private mutating func endReplaced(_ stored: SessionRecord) {
    guard let replacedAt = store.replacedUnreadAt else { return }
    store.replacedUnreadAt = nil
    guard let id = stored.signInID, ![record.signInID, record.derivedID].contains(id) else { return }
    if stored.signedInAt.map({ $0 <= replacedAt }) ?? true { record.note(EndedSignIn(id: id)) }
  }

  private mutating func begin(with stored: SessionRecord, _ now: Date) -> [Effect] {
    store.reading = .read
    let orphaned = record.pendingRevocations
    record = stored
    record.pendingRevocations += orphaned
    freshness = storedFreshness(now)
    if record.session != nil { challenge = nil }
    if let reason = record.endReason ?? (record.formerUser != nil ? .ambiguousLoss : nil) { signOutReason = reason }
    return (orphaned.isEmpty ? [] : save()) + [.publish] + deliverIfPending
  }

  /// Takes over what another process has stored, which is newer than what is current here.
  private mutating func adopt(_ stored: SessionRecord, _ now: Date) -> [Effect] {
    let (replaced, signInID, endReason) = (record.session, record.signInID, record.endReason)
    if signInID == stored.signInID, let token = stored.session?.accessToken { learn(from: token) }
    record = stored
    if isForgotten { freshness = .expired }
    guard stored.session != replaced else {
      let lossIsForgotten = stored.formerUser == nil && signOutReason == .ambiguousLoss
      if stored.session == nil, stored.endReason != endReason || lossIsForgotten { noteEnd(of: replaced) }
      return []
    }
    generation += 1
    challenge = nil
    accessTokenIsRejected = false
    freshness = storedFreshness(now)
    guard let session = stored.session else {
      noteEnd(of: replaced)
      return [.report(.signedOut(signOutReason))]
    }
    guard let replaced, replaced.user.id != session.user.id else { return [] }
    return [.settle(.superseded), .report(.conflict(.superseded))]
  }

  /// The refresh of another process, for which one here waits, shows as well as its own would that no token lasts as
  /// long as a caller wants: the caller takes that process's token.
  private mutating func learn(from token: AccessToken) {
    guard isRefreshing, let wanted = refresh?.wanted, token != record.session?.accessToken else { return }
    if !policy.canLast(token, for: wanted) { wishesAreCapped = true }
  }

  /// Another process ended the session, and its record says why unless an earlier version wrote it.
  private mutating func noteEnd(of session: AuthSession?) {
    let isLost = record.formerUser.map { $0.id == session?.user.id ?? $0.id } ?? false
    let reason = record.endReason ?? (isLost ? .ambiguousLoss : .elsewhere)
    signOutReason = reason == .requested || reason == .ambiguousLoss && !isLost ? .elsewhere : reason
  }

  private mutating func merge(_ stored: SessionRecord, since base: SessionRecord, _ now: Date) -> [Effect] {
    let merged = record.merged(with: stored, since: base, at: now)
    store.failure = nil
    var isStored = merged
    isStored.writeID = stored.writeID
    let effects = adopt(merged, now)
    let saving = isStored == stored ? [] : save()
    return saving + [.publish, .report(.conflict(nil))] + effects + deliverIfPending
  }

  mutating func storeBlocked(_ error: AuthenticationError?) -> [Effect] {
    store.blocked = error
    return []
  }

  /// Writes the record to the store.
  mutating func save() -> [Effect] {
    guard store.isRead else { return [] }
    record.writeID = makeID()
    if let blocked = store.blocked { return notSaved(blocked) }
    return [.save(record)]
  }

  mutating func saved() -> [Effect] {
    let wasUnsaved = store.failure != nil
    (store.known, store.tried) = (record, nil)
    (store.failure, store.failedSaves, store.replacedUnreadAt) = (nil, 0, nil)
    return wasUnsaved ? [.publish] : []
  }

  mutating func saveFailed(_ error: AuthenticationError, _ found: SessionRecord?) -> [Effect] {
    switch found {
    case record?, SessionRecord()?: (store.known, store.tried) = (found ?? SessionRecord(), nil)
    case store.known?: store.tried = nil
    default: store.tried = record
    }
    return notSaved(error)
  }

  private mutating func notSaved(_ error: AuthenticationError) -> [Effect] {
    store.failure = error
    store.failedSaves += 1
    // A store that the person did not unlock is tried again when they want to continue, so that it does not prompt
    // again and again.
    let retrying: [Effect] = error.code == .userPresenceRequired ? [] : [.retrySave]
    return [.publish] + retrying + [.report(.storageFailed(error))]
  }

  private func storedFreshness(_ now: Date) -> ActiveSession.Freshness {
    if isForgotten { return .expired }
    guard let session = record.session, let expiresAt = session.accessToken.expiresAt, expiresAt <= now else {
      return .fresh
    }
    return session.tokens.outliveAccess ? .stale : .expired
  }
}
