public import AuthenticationDomain
public import Foundation

/// The stored format of a session, for a ``SessionStore`` of your own.
///
/// ```swift
/// struct VaultStore: SessionStore {
///   let coder = SessionCoder(realm: "https://id.example.com app")
///   func read() throws(AuthenticationError) -> SessionRecord? {
///     guard let data = try vault.read() else { return nil }
///     return try coder.decode(data)
///   }
///   func save(_ record: SessionRecord) throws(AuthenticationError) { try vault.write(coder.encode(record)) }
///   func delete() throws(AuthenticationError) { try vault.erase() }
/// }
/// ```
///
/// The format is text with a version, a checksum and tokens in clear text: keep it only where secrets may be stored.
/// A change that an older reader cannot skip needs a new version; every released version stays readable, and unknown
/// fields are skipped. Dates are seconds since 2001 (UTC), lifetimes seconds.
public struct SessionCoder: Sendable {
  /// The version that ``encode(_:)`` writes; earlier ones stay readable.
  public static let version = 1
  static let heading = "AuthenticationKit session \(version)"

  private let realm: String?

  /// Creates a coder for the sessions of one realm (``AuthProviderConfiguration/realm``).
  ///
  /// - Parameter realm: written to each encoded record, and required of each decoded one; nil does neither.
  public init(realm: String? = nil) { self.realm = realm }

  /// Encodes the record in the newest version.
  public func encode(_ record: SessionRecord) -> Data {
    var writer = StoredFields.Writer(heading: Self.heading)
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
    if let refresh = record.refreshJournal {
      writer.add("renewal-begun", String(refresh.begunAt.timeIntervalSinceReferenceDate))
      writer.add("renewal-sends", String(refresh.sends))
    }
    writer.add("refused-at", record.refusedRefresh.map { String($0.firstAt.timeIntervalSinceReferenceDate) })
    writer.add("refused-again", record.refusedRefresh?.isConfirmed == true ? "yes" : nil)
    writer.add("former-user-id", record.formerUser?.id)
    writer.add("former-user-name", record.formerUser?.name)
    writer.add("former-user-email", record.formerUser?.email)
    if record.session == nil, let reason = record.endReason, reason.description.isPlainToken {
      writer.add("end-reason", reason.description)
      writer.add("end-code", reason.failure?.code)
      writer.add("end-provider-code", reason.providerCode.flatMap { $0.isPlainToken ? $0 : nil })
    }
    for revocation in record.pendingRevocations {
      writer.add("revocation", String(revocation.queuedAt.timeIntervalSinceReferenceDate))
      writer.add("revocation-user", revocation.userID)
      writer.add(revocation.tokens)
    }
    return writer.finished()
  }

  /// Decodes a record of any version up to the newest.
  ///
  /// - Throws: ``AuthenticationError/storageCorrupt`` if the data is not a record, is damaged, or has a later
  ///   version, and if the record names another realm: its tokens are another provider's.
  public func decode(_ data: Data) throws(AuthenticationError) -> SessionRecord {
    guard let stored = Self.stored(data) else { throw .unreadableRecord }
    if let realm, let named = stored.realm, !named.utf8.elementsEqual(realm.utf8) { throw .foreignRecord }
    return stored.record
  }

  /// Nil if the data is not a record of a version known here, or is incomplete.
  private static func stored(_ data: Data) -> (record: SessionRecord, realm: String?)? {
    guard var reader = StoredFields.Reader(data, heading: heading) else { return nil }
    var draft = Draft()
    while let (name, value) = reader.next() { draft.take(name, value) }
    guard reader.isAtEnd else { return nil }
    return (try? draft.record()).map { ($0, draft.realm) }
  }
}

extension AuthenticationError {
  fileprivate static let unreadableRecord = Self(
    .storageCorrupt, "This is not a session that this version can read.",
    suggestion: "Leave it as it is; signing in replaces it.")
  fileprivate static let foreignRecord = Self(
    .storageCorrupt, "This is a session of another realm, whose tokens are for another provider.",
    suggestion: "Check that no two realms share a key; leave it as it is, since signing in replaces it.")
}

/// A field is missing without which there is no record.
private struct IncompleteRecord: Error {}

private func storedDate(_ text: String) throws -> Date {
  guard let seconds = Double(text), seconds.magnitude <= Date.latestSeconds else { throw IncompleteRecord() }
  return Date(timeIntervalSinceReferenceDate: seconds)
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
  private var refreshBegan: String?
  private var refreshSends: String?
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
    case "renewal-begun": refreshBegan = value
    case "renewal-sends": refreshSends = value
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
      record.signedInAt = try signedInAt.map(storedDate)
    } else if !session.isEmpty {
      throw IncompleteRecord()
    }
    if let refreshBegan {
      guard let sends = refreshSends.flatMap({ Int($0) }) else { throw IncompleteRecord() }
      record.refreshJournal = RefreshJournalEntry(begunAt: try storedDate(refreshBegan), sends: sends)
    }
    if record.session != nil, let refusedAt {
      record.refusedRefresh = RefusedRefresh(firstAt: try storedDate(refusedAt), isConfirmed: isRefusedAgain)
    }
    record.formerUser = formerUserID.map { User(id: $0, name: formerUserName, email: formerUserEmail) }
    if record.session == nil {
      record.endReason = endReason.flatMap { SignOutReason($0, code: endCode, providerCode: endProviderCode) }
    }
    record.pendingRevocations = try revocations.map {
      PendingRevocation(
        tokens: try $0.tokens.tokens(), queuedAt: try storedDate($0.queuedAt), userID: $0.userID)
    }
    return record
  }

  /// An invalid count is read as 0: counts only say which of two refreshes came later.
  private static func count(_ text: String) -> Int { min(max(Int(text) ?? 0, 0), 1_000_000_000) }
}

/// The fields of one session's tokens, as they are read.
private struct StoredTokens {
  private var access: String?
  private var type: String?
  private var receivedAt: String?
  private var lifetime: String?
  private var clockOffset: String?
  private var scopes: [String] = []
  private var refresh: String?
  private var identity: String?
  private var proofKey: String?

  var isEmpty: Bool { access == nil }

  mutating func take(_ name: String, _ value: String) {
    switch name {
    case "access": access = value
    case "type": type = value
    case "received-at": receivedAt = value
    case "lifetime": lifetime = value
    case "clock-offset": clockOffset = value
    case "scope": scopes.append(value)
    case "refresh": refresh = value
    case "identity": identity = value
    case "proof-key": proofKey = value
    default: break
    }
  }

  func tokens() throws -> SessionTokens {
    guard let access, let type, let receivedAt else { throw IncompleteRecord() }
    return SessionTokens(
      access: try AccessToken(
        Secret(access), type: type, receivedAt: try storedDate(receivedAt),
        lifetime: try lifetime.map(Self.seconds),
        scopes: scopes, clockOffset: try clockOffset.map(Self.seconds)),
      refresh: refresh.map { RefreshToken(Secret($0)) }, identity: identity.map { RawIdentityToken(Secret($0)) },
      proofKey: proofKey.map { ProofKey(Secret($0)) })
  }

  private static func seconds(_ text: String) throws -> Duration {
    guard let seconds = Int64(text) else { throw IncompleteRecord() }
    return .seconds(seconds)
  }
}

extension StoredFields.Writer {
  fileprivate mutating func add(_ tokens: SessionTokens) {
    add("access", tokens.access.value.reveal())
    add("type", tokens.access.type)
    add("received-at", String(tokens.access.receivedAt.timeIntervalSinceReferenceDate))
    add("lifetime", tokens.access.lifetime.map { String($0.components.seconds) })
    add("clock-offset", tokens.access.clockOffset.map { String($0.components.seconds) })
    for scope in tokens.access.scopes { add("scope", scope) }
    add("refresh", tokens.refresh?.value.reveal())
    add("identity", tokens.identity?.value.reveal())
    add("proof-key", tokens.proofKey?.value.reveal())
  }
}

/// The fields of one user, as they are read.
private struct StoredUser {
  private var fields: [String: String] = [:]
  private var claims = StoredClaims.Draft()

  private static let names: Set = [
    "user-id", "user-name", "email", "new-user", "email-verified", "phone", "picture", "locale", "created-at",
    "anonymous",
  ]

  /// Whether the field is one of the user's.
  mutating func take(_ name: String, _ value: String) -> Bool {
    if name.hasPrefix("claim") {
      claims.take(name, value)
    } else if Self.names.contains(name) {
      fields[name] = value
    } else {
      return false
    }
    return true
  }

  var user: User? {
    fields["user-id"].map { id in
      User(
        id: id, name: fields["user-name"], email: fields["email"], isNew: fields["new-user"] != nil,
        isEmailVerified: fields["email-verified"].map { $0 == "yes" }, phoneNumber: fields["phone"],
        picture: fields["picture"], locale: fields["locale"],
        createdAt: fields["created-at"].flatMap { try? storedDate($0) }, isAnonymous: fields["anonymous"] != nil,
        claims: claims.claims)
    }
  }
}

extension StoredFields.Writer {
  fileprivate mutating func add(_ user: User) {
    add("user-id", user.id)
    add("user-name", user.name)
    add("email", user.email)
    add("new-user", user.isNew ? "yes" : nil)
    add("email-verified", user.isEmailVerified.map { $0 ? "yes" : "no" })
    add("phone", user.phoneNumber)
    add("picture", user.picture)
    add("locale", user.locale)
    add("created-at", user.createdAt.map { String($0.timeIntervalSinceReferenceDate) })
    add("anonymous", user.isAnonymous ? "yes" : nil)
    StoredClaims.write(user.claims, to: &self)
  }
}

/// Claims as fields of a stored record: a name, then one field for each value, containers with their number of items.
///
/// No JSON is parsed, since the first use of a parser would cost a launching process more than all the rest.
private enum StoredClaims {
  static let maximumDepth = 64

  static func write(_ claims: [String: JSONValue], to writer: inout StoredFields.Writer) {
    for (name, value) in claims.sorted(by: { $0.key < $1.key }) {
      writer.add("claim", name)
      write(value, to: &writer, depth: 0)
    }
  }

  private static func write(_ value: JSONValue, to writer: inout StoredFields.Writer, depth: Int) {
    guard depth < maximumDepth else { return writer.add("claim-null", "") }
    switch value {
    case .null: writer.add("claim-null", "")
    case .boolean(let flag): writer.add("claim-flag", flag ? "yes" : "no")
    case .number(let number): writer.add("claim-number", String(number))
    case .string(let text): writer.add("claim-text", text)
    case .array(let items):
      writer.add("claim-array", String(items.count))
      for item in items { write(item, to: &writer, depth: depth + 1) }
    case .object(let members):
      writer.add("claim-object", String(members.count))
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        writer.add("claim-member", name)
        write(member, to: &writer, depth: depth + 1)
      }
    }
  }

  /// Collects the fields of claims as they are read.
  struct Draft {
    private var fields: [(name: String, value: String)] = []

    mutating func take(_ name: String, _ value: String) { fields.append((name, value)) }

    /// What was read; a claim that is not complete is left out.
    var claims: [String: JSONValue] {
      var rest = fields[...]
      var claims: [String: JSONValue] = [:]
      while let field = rest.popFirst() {
        if field.name == "claim", let value = Self.value(from: &rest, depth: 0) { claims[field.value] = value }
      }
      return claims
    }

    private static func value(from rest: inout ArraySlice<(name: String, value: String)>, depth: Int) -> JSONValue? {
      guard depth < maximumDepth, let next = rest.first, next.name != "claim", next.name != "claim-member" else {
        return nil
      }
      rest.removeFirst()
      switch next.name {
      case "claim-null": return .null
      case "claim-flag": return .boolean(next.value == "yes")
      case "claim-number": return Double(next.value).map { .number($0) }
      case "claim-text": return .string(next.value)
      case "claim-array": return array(Int(next.value), from: &rest, depth: depth + 1)
      case "claim-object": return object(Int(next.value), from: &rest, depth: depth + 1)
      default: return nil
      }
    }

    private static func array(
      _ count: Int?, from rest: inout ArraySlice<(name: String, value: String)>, depth: Int
    ) -> JSONValue? {
      guard let count, 0...rest.count ~= count else { return nil }
      var items: [JSONValue] = []
      for _ in 0..<count {
        guard let item = value(from: &rest, depth: depth) else { return nil }
        items.append(item)
      }
      return .array(items)
    }

    private static func object(
      _ count: Int?, from rest: inout ArraySlice<(name: String, value: String)>, depth: Int
    ) -> JSONValue? {
      guard let count, 0...rest.count ~= count else { return nil }
      var members: [String: JSONValue] = [:]
      for _ in 0..<count {
        guard let name = rest.first, name.name == "claim-member" else { return nil }
        rest.removeFirst()
        guard let member = value(from: &rest, depth: depth) else { return nil }
        members[name.value] = member
      }
      return .object(members)
    }
  }
}
