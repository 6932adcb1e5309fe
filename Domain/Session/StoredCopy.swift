import Foundation

/// The rules of the store: its content as far as this process knows, and the changes that are not saved yet.
package struct StoredCopy: Sendable, Equatable {
  package enum Reading: Sendable, Equatable {
    case unread
    case unavailable(AuthenticationError)
    case read
  }

  package private(set) var reading = Reading.unread
  /// The record that the store held when it was last read or written.
  private(set) var known = SessionRecord()
  /// The record that was to be stored since, if it is not known whether it was.
  private var tried: SessionRecord?
  /// Why nothing can be saved now: another process holds the store, or it cannot be read.
  private(set) var blocked: AuthenticationError?
  /// Why the store does not hold the machine's record; nil if it does.
  package private(set) var failure: AuthenticationError?
  private(set) var failedSaves = 0
  /// When a user signed in here over a store that was never read (UTC): a session that it holds from before that is
  /// replaced.
  private var replacedUnreadAt: Date?

  /// Whether the content of the store was read, or was replaced unread by a sign-in; until then nothing is to be saved.
  package var isRead: Bool { reading == .read }

  init() {}

  /// The copy of a store that holds this record.
  init(of record: SessionRecord) { (reading, known) = (.read, record) }

  /// Whether the store holds this record as the last one that was written here.
  package func holds(_ record: SessionRecord) -> Bool {
    isRead && failure == nil && record.writeID != nil && known.writeID == record.writeID
  }

  /// The result of a read of the store.
  enum Finding {
    case nothingNew
    /// Only before the first success.
    case unavailable(AuthenticationError)
    case first(SessionRecord)
    /// Another process has stored it since.
    case newer(SessionRecord)
    /// The same, while this process has changes that are not saved since it knew `base`.
    case conflicting(SessionRecord, base: SessionRecord)
  }

  /// The store was read: for the first time, or again.
  ///
  /// - Parameter record: the current record here; it learns which sign-in it has replaced.
  mutating func read(
    _ result: Result<SessionRecord?, AuthenticationError>, for record: inout SessionRecord, _ ids: inout RecordIDSource
  ) -> Finding {
    let read: SessionRecord?
    switch result {
    case .success(let success): read = success
    case .failure(let error):
      if isRead { return .nothingNew }
      reading = .unavailable(error)
      return .unavailable(error)
    }
    var stored = (read ?? SessionRecord()).identified(after: known, by: { ids.next() })
    // The deletion of the session from before the failed save also deleted the record that this save may have written.
    if stored.writeID == nil, stored.session == nil, known.session != nil, let id = tried?.signInID {
      stored.note(EndedSignIn(id: id))
    }
    var base = stored == tried ? stored : known
    // The journal of the failed save is this process's, whatever another one has changed over it.
    if let tried, tried.refreshJournal == stored.refreshJournal, tried.session?.tokens == stored.session?.tokens {
      base.refreshJournal = tried.refreshJournal
    }
    (known, tried) = (stored, nil)
    if !isRead {
      reading = .read
      return .first(stored)
    }
    endReplaced(stored, in: &record)
    // The record of the failed save is found there: the next save writes it again, since the store reported a failure.
    if stored == record || failure != nil && stored == base { return .nothingNew }
    if failure == nil { return .newer(stored) }
    failure = nil
    return .conflicting(stored, base: base)
  }

  /// Ends the sign-in that one here has replaced before the store could be read.
  private mutating func endReplaced(_ stored: SessionRecord, in record: inout SessionRecord) {
    guard let replacedAt = replacedUnreadAt else { return }
    replacedUnreadAt = nil
    guard let id = stored.signInID, id != record.signInID else { return }
    if stored.signedInAt.map({ $0 <= replacedAt }) ?? true { record.note(EndedSignIn(id: id)) }
  }

  /// Nothing can be saved from now on, for this reason; nil if it can be.
  mutating func block(_ reason: AuthenticationError?) { blocked = reason }

  /// A user has signed in: the content of the store is replaced, whether it was read or not.
  mutating func replace(at now: Date) {
    if !isRead { (reading, replacedUnreadAt) = (.read, now) }
  }

  /// The record has changed, and is to be written under a new name.
  mutating func save(_ record: inout SessionRecord, _ ids: inout RecordIDSource) -> [SessionMachine.Effect] {
    guard isRead else { return [] }
    record.writeID = ids.next()
    if let blocked { return notSaved(blocked) }
    return [.save(record)]
  }

  /// The record was written.
  mutating func noteSaved(_ record: SessionRecord) -> [SessionMachine.Effect] {
    let wasUnsaved = failure != nil
    (known, tried) = (record, nil)
    (failure, failedSaves, replacedUnreadAt) = (nil, 0, nil)
    return wasUnsaved ? [.publish] : []
  }

  /// The record could not be written; `found` is the record in the store now, nil if it cannot be read.
  mutating func noteFailedSave(
    of record: SessionRecord, _ error: AuthenticationError, found: SessionRecord?
  ) -> [SessionMachine.Effect] {
    switch found {
    case record?, SessionRecord()?: (known, tried) = (found ?? SessionRecord(), nil)
    case known?: tried = nil
    default: tried = record
    }
    return notSaved(error)
  }

  private mutating func notSaved(_ error: AuthenticationError) -> [SessionMachine.Effect] {
    failure = error
    failedSaves += 1
    // A store that the user did not unlock is tried again when they want to continue, so that it does not prompt
    // again and again.
    let retrying: [SessionMachine.Effect] = error == .userPresenceRequired ? [] : [.retrySave]
    return [.publish] + retrying + [.report(.init(.storage, failure: error))]
  }
}
