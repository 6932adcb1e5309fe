#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SessionRecord {
  /// This record with the identifiers that it lacks: it was written by an earlier version, or erased by a process whose
  /// disk was too full for more.
  ///
  /// An earlier version keeps the user and the time of the sign-in through a refresh; they identify the sign-in. One
  /// that is no longer there has ended.
  ///
  /// - Parameter known: what the store held when this process last read or wrote it.
  func identified(after known: SessionRecord) -> SessionRecord {
    let isSame = session?.user.id == known.session?.user.id && signedInAt == known.signedInAt
    guard writeID == nil else { return isSame && signInID?.isOfEarlierVersion == true ? named(as: known) : self }
    var record = self
    for ended in known.endedSignIns { record.note(ended) }
    if let session, let id = known.signInID, isSame {
      record.signInID = id
      record.refreshes = known.refreshes + (session == known.session ? 0 : 1)
    } else {
      if let id = known.signInID { record.note(EndedSignIn(id: id)) }
      if signInID == nil { record.signInID = record.derivedID }
    }
    return record
  }

  /// This record under the name of a sign-in that seemed not to be stored: it was, and an earlier version wrote it since.
  func identified(as ours: SessionRecord) -> SessionRecord {
    guard let id = ours.signInID, id != signInID, let signInID, signInID == ours.derivedID else { return self }
    var record = self
    record.signInID = id
    record.refreshes = ours.refreshes + (session == ours.session ? 0 : 1)
    return record
  }

  /// What a process calls the session's sign-in that knows only what an earlier version has written.
  var derivedID: RecordID? { session.map { .ofEarlierVersion($0, signedInAt) } }

  /// This record with the identifier that is known here: another process read the sign-in as an earlier version had
  /// written it, and derived another identifier.
  private func named(as known: SessionRecord) -> SessionRecord {
    var record = self
    record.signInID = known.signInID
    return record
  }
}

extension RecordID {
  private static let earlierVersion = "earlier-"

  fileprivate var isOfEarlierVersion: Bool { description.hasPrefix(Self.earlierVersion) }

  /// The same in every process that reads the same record.
  fileprivate static func ofEarlierVersion(_ session: AuthSession, _ signedInAt: Date?) -> RecordID {
    var hash = (UInt64(0xCBF2_9CE4_8422_2325), UInt64(0x9E37_79B9_7F4A_7C15))
    for byte in session.user.id.utf8 {
      hash.0 = (hash.0 ^ UInt64(byte)) &* 0x100_0000_01B3
      hash.1 = (hash.1 &+ UInt64(byte)) &* 0xD6E8_FEB8_6659_FD93
    }
    let name = RecordID(hash.0 ^ hash.1, signedInAt?.timeIntervalSinceReferenceDate.bitPattern ?? 0)
    return RecordID(earlierVersion + name.description) ?? name
  }
}
