import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored format of a ``SessionRecord``, version 1.
///
/// A change that an older reader cannot skip needs a new version; every released version stays readable, and unknown
/// fields are skipped. Dates are seconds since 2001 (UTC), lifetimes seconds.
enum StoredRecord {
  static let version = 1
  static let heading = "AuthenticationKit session \(version)"

  /// A field is missing without which there is no record.
  struct Incomplete: Error {}

  static func date(_ text: String) throws -> Date {
    guard let seconds = Double(text), seconds.magnitude <= Date.latestSeconds else { throw Incomplete() }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// - Parameter realm: whose tokens these are.
  static func encode(_ record: SessionRecord, realm: String? = nil) -> Data {
    var writer = StoredFields.Writer(heading: heading)
    writer.add("realm", realm)
    writer.add("write-id", record.writeID?.description)
    for ended in record.endedSignIns {
      writer.add("ended", ended.id.description)
      writer.add("ended-after", ended.refreshes.map { String($0) })
    }
    if let session = record.session {
      writer.add(session.user)
      writer.add("sign-in-id", record.signInID?.description)
      writer.add("refreshes", record.refreshes == 0 ? nil : String(record.refreshes))
      writer.add("signed-in-at", record.signedInAt.map { String($0.timeIntervalSinceReferenceDate) })
      writer.add(session.tokens)
    }
    if let renewal = record.unsettledRenewal {
      writer.add("renewal-begun", String(renewal.begunAt.timeIntervalSinceReferenceDate))
      writer.add("renewal-sends", String(renewal.sends))
    }
    writer.add("refused-at", record.refusedRefresh.map { String($0.firstAt.timeIntervalSinceReferenceDate) })
    writer.add("refused-again", record.refusedRefresh?.isConfirmed == true ? "yes" : nil)
    writer.add("former-user-id", record.formerUser?.id)
    writer.add("former-user-name", record.formerUser?.name)
    writer.add("former-user-email", record.formerUser?.email)
    if record.session == nil, let reason = record.endReason, reason.description.isPlainToken {
      writer.add("end-reason", reason.description)
      writer.add("end-code", reason.failure?.code.description)
      writer.add("end-provider-code", reason.providerCode.flatMap { $0.isPlainToken ? $0 : nil })
    }
    for revocation in record.pendingRevocations {
      writer.add("revocation", String(revocation.queuedAt.timeIntervalSinceReferenceDate))
      writer.add("revocation-user", revocation.userID)
      writer.add(revocation.tokens)
    }
    return writer.finished()
  }

  /// Nil if the data is not a record of a version known here, or is incomplete.
  static func decode(_ data: Data) -> (record: SessionRecord, realm: String?)? {
    guard var reader = StoredFields.Reader(data, heading: heading) else { return nil }
    var draft = Draft()
    while let (name, value) = reader.next() { draft.take(name, value) }
    guard reader.isAtEnd else { return nil }
    return (try? draft.record()).map { ($0, draft.realm) }
  }
}

/// The fields of a record in the order they are read: tokens belong to the revocation before them, if there is one.
private struct Draft {
  private(set) var realm: String?
  private var writeID: String?
  private var ended: [EndedSignIn] = []
  private var signInID: String?
  private var refreshes: String?
  private var user = StoredUser()
  private var signedInAt: String?
  private var session = StoredTokens()
  private var renewalBegun: String?
  private var renewalSends: String?
  private var refusedAt: String?
  private var isRefusedAgain = false
  private var formerUserID: String?
  private var formerUserName: String?
  private var formerUserEmail: String?
  private var endReason: String?
  private var endCode: String?
  private var endProviderCode: String?
  private var revocations: [(queuedAt: String, userID: String?, tokens: StoredTokens)] = []

  mutating func take(_ name: String, _ value: String) {
    switch name {
    case "realm": realm = value
    case "write-id": writeID = value
    case "ended": RecordID(value).map { ended.append(EndedSignIn(id: $0)) }
    case "ended-after":
      if let last = ended.popLast() { ended.append(EndedSignIn(id: last.id, refreshes: Self.count(value))) }
    case "sign-in-id": signInID = value
    case "refreshes": refreshes = value
    case "signed-in-at": signedInAt = value
    case "renewal-begun": renewalBegun = value
    case "renewal-sends": renewalSends = value
    case "refused-at": refusedAt = value
    case "refused-again": isRefusedAgain = true
    case "former-user-id": formerUserID = value
    case "former-user-name": formerUserName = value
    case "former-user-email": formerUserEmail = value
    case "end-reason": endReason = value
    case "end-code": endCode = value
    case "end-provider-code": endProviderCode = value
    case "revocation": revocations.append((value, nil, StoredTokens()))
    case "revocation-user":
      if !revocations.isEmpty { revocations[revocations.count - 1].userID = value }
    default:
      if revocations.isEmpty {
        if !user.take(name, value) { session.take(name, value) }
      } else {
        revocations[revocations.count - 1].tokens.take(name, value)
      }
    }
  }

  func record() throws -> SessionRecord {
    var record = SessionRecord()
    record.writeID = writeID.flatMap { RecordID($0) }
    record.endedSignIns = ended.suffix(SessionRecord.maximumEndedSignIns)
    if let user = user.user {
      record.session = AuthSession(user: user, tokens: try session.tokens())
      record.signInID = signInID.flatMap { RecordID($0) }
      record.refreshes = refreshes.map(Self.count) ?? 0
      record.signedInAt = try signedInAt.map(StoredRecord.date)
    } else if !session.isEmpty {
      throw StoredRecord.Incomplete()
    }
    if let renewalBegun {
      guard let sends = renewalSends.flatMap({ Int($0) }) else { throw StoredRecord.Incomplete() }
      record.unsettledRenewal = UnsettledRenewal(begunAt: try StoredRecord.date(renewalBegun), sends: sends)
    }
    if record.session != nil, let refusedAt {
      record.refusedRefresh = RefusedRefresh(firstAt: try StoredRecord.date(refusedAt), isConfirmed: isRefusedAgain)
    }
    record.formerUser = formerUserID.map { User(id: $0, name: formerUserName, email: formerUserEmail) }
    if record.session == nil {
      record.endReason = endReason.flatMap { SignOutReason($0, code: endCode, providerCode: endProviderCode) }
    }
    record.pendingRevocations = try revocations.map {
      PendingRevocation(
        tokens: try $0.tokens.tokens(), queuedAt: try StoredRecord.date($0.queuedAt), userID: $0.userID)
    }
    return record
  }

  /// An invalid count is read as 0: counts only say which of two refreshes came later.
  private static func count(_ text: String) -> Int { min(max(Int(text) ?? 0, 0), 1_000_000_000) }
}
