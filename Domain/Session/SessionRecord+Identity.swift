#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Names one write or one sign-in of a stored record. Random, and no secret; only for a sign-in that an earlier version
/// stored, it is derived from the user's id and the time of the sign-in.
public struct RecordID: Sendable, Hashable, CustomStringConvertible {
  /// 1 to 64 visible ASCII characters.
  public let description: String

  /// Nil if the text is not 1 to 64 visible ASCII characters.
  public init?(_ text: String) {
    guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    description = text
  }

  /// An identifier of 128 random bits.
  public static func random() -> Self {
    var generator = SystemRandomNumberGenerator()
    return Self(generator.next(), generator.next())
  }

  /// An identifier of these bits, in hexadecimal.
  package init(_ high: UInt64, _ low: UInt64) {
    description = String(high, radix: 16) + "-" + String(low, radix: 16)
  }
}

/// A sign-in that has ended.
public struct EndedSignIn: Sendable, Hashable {
  /// Which sign-in.
  public let id: RecordID
  /// The provider refused it after this many refreshes: a session with more of them is a later one. Nil if a person
  /// signed out or in, which ends it for good.
  public let refreshes: Int?

  /// A sign-in that ended for good, or, with `refreshes`, at that count of them.
  public init(id: RecordID, refreshes: Int? = nil) {
    self.id = id
    self.refreshes = refreshes
  }
}

extension SessionRecord {
  /// How many ended sign-ins a record remembers.
  public static let maximumEndedSignIns = 32

  /// Whether this record says that the sign-in ended after this many refreshes, or more.
  func hasEnded(_ signInID: RecordID?, after refreshes: Int = 0) -> Bool {
    endedSignIns.contains { $0.id == signInID && refreshes <= $0.refreshes ?? .max }
  }

  /// Notes that the provider has refused the session's sign-in, after all the refreshes that are known here.
  mutating func refuseSignIn() {
    if let signInID { note(EndedSignIn(id: signInID, refreshes: refreshes)) }
  }

  /// Notes that a person signs in or out: the session's sign-in, and those that the provider refused, end for good.
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
}

extension SessionRecord {
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
