public import AuthenticationDomain
public import Foundation
import Synchronization

extension SecureStorage {
  /// Stores a ``SessionRecord`` in this storage, in the format of a ``SessionCoder``.
  ///
  /// A record that cannot be read is reported as ``AuthenticationError/storageCorrupt`` and left in place, with a copy
  /// under a separate key; if no copy can be made, the error says so. The copy is removed by the next sign-in or
  /// sign-out, or at a write 30 days later.
  ///
  /// ```swift
  /// let store = FileStorage(folder: folder).sessionStore(realm: "https://id.example.com app")
  /// let manager = AuthManager(provider: provider, store: store)
  /// ```
  ///
  /// - Parameters:
  ///   - key: one per account; sessions under two keys are independent of each other.
  ///   - realm: whose tokens these are; a record of another realm is not read.
  ///   - clock: the time; replace it in a test.
  public func sessionStore(
    key: String = "session", realm: String? = nil, clock: any AuthenticationClock = SystemClock()
  ) -> some SessionStore {
    CodedSessionStore(storage: self, key: key, coder: SessionCoder(realm: realm), clock: clock)
  }
}

private struct CodedSessionStore<Storage: SecureStorage>: SessionStore {
  let storage: Storage
  let key: String
  let coder: SessionCoder
  let clock: any AuthenticationClock

  func read() throws(AuthenticationError) -> SessionRecord? {
    guard let data = try storage.read(key) else { return nil }
    do throws(AuthenticationError) { return try coder.decode(data) } catch {
      throw .corrupt(key, because: error, copy: storage.setAside(data, of: key, at: clock.now))
    }
  }

  func save(_ record: SessionRecord) throws(AuthenticationError) {
    try storage.write(coder.encode(record), for: key)
    storage.removeAgedCopy(of: key, at: clock.now)
  }

  func delete() throws(AuthenticationError) { try storage.delete(key) }

  func removeQuarantinedCopies() throws(AuthenticationError) { try storage.removeQuarantinedCopy(of: key) }

  /// Not an element for each write, but one when the storage may be readable again.
  func changes() -> AsyncStream<Void>? { storage.unlockSignals() }
}

extension AuthenticationError {
  fileprivate static func corrupt(_ key: String, because reason: Self, copy: String?) -> Self {
    Self(
      .storageCorrupt, "What is stored under '\(key)' cannot be used, and was left as it is. \(reason.message)",
      suggestion: copy.map { "Signing in replaces it; until then a copy stays under '\($0)'." }
        ?? "No copy could be made: signing in replaces it.")
  }
}

extension SessionStore {
  /// Holds a lock while it reads and writes, and then notifies the other managers that share the store, in this process
  /// or in others; also of a failed write, which may have taken effect.
  ///
  /// If another process was stopped while it holds the lock, a write waits until its timeout. Then nothing is written,
  /// because that process will write when it continues: the record stays in memory and is retried.
  ///
  /// While a stored refresh is in progress, the file descriptors that its outcome will need are kept open: connections
  /// may take all the others. A record that begins a refresh is not saved if they cannot be had.
  ///
  /// - Parameters:
  ///   - lock: held during each write.
  ///   - signal: notifies the other managers of each write.
  ///   - timeout: how long to wait for the lock.
  package func locked(
    by lock: any BlockingLock, telling signal: ChangeSignal? = nil, timeout: Duration = .seconds(2)
  ) -> some SessionStore {
    LockingSessionStore(upstream: self, lock: lock, signal: signal, timeout: timeout)
  }
}

private struct LockingSessionStore<Upstream: SessionStore>: SessionStore {
  let upstream: Upstream
  let lock: any BlockingLock
  let signal: ChangeSignal?
  let timeout: Duration
  private let reserve = DescriptorReserve()

  init(upstream: Upstream, lock: any BlockingLock, signal: ChangeSignal?, timeout: Duration) {
    (self.upstream, self.lock, self.signal, self.timeout) = (upstream, lock, signal, timeout)
  }

  func read() throws(AuthenticationError) -> SessionRecord? { try upstream.read() }

  func save(_ record: SessionRecord) throws(AuthenticationError) {
    try reserve.hold(while: record.refreshJournal != nil)
    defer { signal?.raise() }
    try upstream.save(record)
  }

  func delete() throws(AuthenticationError) {
    defer { signal?.raise() }
    try reserve.hold(while: false)
    try upstream.delete()
  }

  func removeQuarantinedCopies() throws(AuthenticationError) { try upstream.removeQuarantinedCopies() }

  func changes() -> AsyncStream<Void>? {
    guard let signal else { return upstream.changes() }
    return signal.changes().map { $0.merged(with: upstream.changes()) }
  }

  func exclusively(_ body: () -> Void) throws(AuthenticationError) {
    reserve.lend()
    defer { reserve.takeBack() }
    try lock.acquire(within: timeout)
    defer { lock.release() }
    body()
  }
}

/// File descriptors that no connection can take between the begin of a refresh and the save of its outcome.
private final class DescriptorReserve: Sendable {
  private struct Contents {
    var isNeeded = false
    var descriptors: [Int32] = []
  }

  /// Of a write at once: its two locks, its file and the one before it; and as many of the recorded events.
  private static let size = 8

  private let contents = Mutex(Contents())

  deinit { lend() }

  /// Opens or closes the descriptors; throws if they cannot be opened.
  func hold(while isNeeded: Bool) throws(AuthenticationError) {
    let failure = contents.withLock { contents in
      contents.isNeeded = isNeeded
      return isNeeded ? Self.fill(&contents) : Self.close(&contents)
    }
    if let failure { throw .fileSystem("A refresh could not be stored", "/dev/null", failure) }
  }

  func lend() { contents.withLock { _ = Self.close(&$0) } }

  func takeBack() { contents.withLock { if $0.isNeeded { _ = Self.fill(&$0) } } }

  private static func fill(_ contents: inout Contents) -> Int32? {
    while contents.descriptors.count < size {
      let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
      if descriptor < 0 { return errno }
      contents.descriptors.append(descriptor)
    }
    return nil
  }

  private static func close(_ contents: inout Contents) -> Int32? {
    for descriptor in contents.descriptors { _ = Foundation.close(descriptor) }
    contents.descriptors = []
    return nil
  }
}

/// The stored format of a session, for a custom ``SessionStore``.
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
///
/// Version 2 has access tokens of further resources. A record without one is written as version 1, so that a process
/// that only knows that can read it.
public struct SessionCoder: Sendable {
  static let headings = ["AuthenticationKit session 1", "AuthenticationKit session 2"]

  private let realm: String?

  /// Creates a coder for the sessions of one realm (``AuthProviderConfiguration/realm``).
  ///
  /// - Parameter realm: written to each encoded record, and required of each decoded one; nil does neither.
  public init(realm: String? = nil) { self.realm = realm }

  /// Encodes the record in the oldest version that has all that it holds.
  public func encode(_ record: SessionRecord) -> Data {
    let resources = record.resourceTokens.sorted { $0.key < $1.key }
    var writer = StoredFields.Writer(heading: Self.headings[resources.isEmpty ? 0 : 1])
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
      writer.add("signed-in-at", record.signedInAt)
      writer.add(session.tokens)
    }
    if let refresh = record.refreshJournal {
      writer.add("renewal-begun", refresh.begunAt)
      writer.add("renewal-sends", String(refresh.sends))
      writer.add("refresh-answered", refresh.isAnswered ? "yes" : nil)
    }
    writer.add("refused-at", record.refusedRefresh?.latestAt)
    writer.add("refused-times", record.refusedRefresh.map { String($0.count) })
    writer.add("refused-again", record.refusedRefresh?.isConfirmed == true ? "yes" : nil)
    writer.add("retry-at", record.retryAt)
    writer.add("needs-interaction", record.needsInteraction ? "yes" : nil)
    writer.add("former-user-id", record.formerUser?.id)
    writer.add("former-user-name", record.formerUser?.name)
    writer.add("former-user-email", record.formerUser?.email)
    if record.session == nil, let reason = record.endReason, reason.description.isPlainToken {
      writer.add("end-reason", reason.description)
      writer.add("end-code", reason.failure?.code)
      writer.add("end-provider-code", reason.providerCode.flatMap { $0.isPlainToken ? $0 : nil })
    }
    for revocation in record.pendingRevocations {
      writer.add("revocation", revocation.queuedAt)
      writer.add("revocation-user", revocation.userID)
      writer.add(revocation.tokens)
    }
    for (key, token) in resources {
      writer.add("resource", key)
      writer.add(SessionTokens(access: token))
    }
    return writer.finished()
  }

  /// Decodes a record of any version up to the newest.
  ///
  /// - Throws: ``AuthenticationError/storageCorrupt`` if the data is not a record, is damaged, or has a later
  ///   version, and if the record names another realm: its tokens are another provider's.
  public func decode(_ data: Data) throws(AuthenticationError) -> SessionRecord {
    let versions = Self.headings.lazy.compactMap { StoredFields.read(data, heading: $0) }
    guard let fields = versions.first else { throw .unreadableRecord }
    var draft = Draft()
    for (name, value) in fields { draft.take(name, value) }
    guard let record = try? draft.record() else { throw .unreadableRecord }
    if let realm, let named = draft.realm, !named.utf8.elementsEqual(realm.utf8) { throw .foreignRecord }
    return record
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

/// The fields of a record as they are read; those of tokens belong to the revocation or the resource before them, if
/// there is one.
private struct Draft {
  /// Of the record and its session, then of each revocation and each resource.
  private var parts = [Fields()]
  private var ended: [EndedSignIn] = []
  private var claims: [(name: String, value: String)] = []

  private static let ofTokens: Set = [
    "access", "type", "received-at", "lifetime", "clock-offset", "refresh", "identity", "proof-key", "revocation-user",
  ]

  var realm: String? { parts[0]["realm"] }

  mutating func take(_ name: String, _ value: String) {
    switch name {
    case "ended": RecordID(value).map { ended.append(EndedSignIn(id: $0)) }
    case "ended-after":
      if let last = ended.popLast() { ended.append(EndedSignIn(id: last.id, refreshes: Self.count(value))) }
    case "scope": parts[parts.count - 1].scopes.append(value)
    case "revocation", "resource":
      parts.append(Fields())
      parts[parts.count - 1][name] = value
    case _ where name.hasPrefix("claim"): claims.append((name, value))
    default: parts[Self.ofTokens.contains(name) ? parts.count - 1 : 0][name] = value
    }
  }

  func record() throws -> SessionRecord {
    let own = parts[0]
    var record = SessionRecord()
    record.writeID = own["write-id"].flatMap { RecordID($0) }
    record.endedSignIns = ended.suffix(SessionRecord.maximumEndedSignIns)
    if let user = own.user(with: claims) {
      record.session = AuthSession(user: user, tokens: try own.tokens())
      record.signInID = own["sign-in-id"].flatMap { RecordID($0) }
      record.refreshes = own["refreshes"].map(Self.count) ?? 0
      record.signedInAt = try own.date("signed-in-at")
    } else if own["access"] != nil {
      throw AuthenticationError.unreadableRecord
    }
    if let begunAt = try own.date("renewal-begun") {
      guard let sends = own["renewal-sends"].flatMap({ Int($0) }) else { throw AuthenticationError.unreadableRecord }
      record.refreshJournal = RefreshJournalEntry(
        begunAt: begunAt, sends: sends, isAnswered: own["refresh-answered"] != nil)
    }
    if record.session != nil, let latestAt = try own.date("refused-at") {
      record.refusedRefresh = RefusedRefresh(
        latestAt: latestAt, count: own["refused-times"].map(Self.count) ?? 1, isConfirmed: own["refused-again"] != nil)
    }
    if record.session != nil { record.retryAt = try own.date("retry-at") }
    record.needsInteraction = record.session != nil && own["needs-interaction"] != nil
    record.formerUser = own["former-user-id"].map {
      User(id: $0, name: own["former-user-name"], email: own["former-user-email"])
    }
    if record.session == nil {
      record.endReason = own["end-reason"].flatMap {
        SignOutReason($0, code: own["end-code"], providerCode: own["end-provider-code"])
      }
    }
    for part in parts { if let key = part["resource"] { record.keep(try part.tokens().access, for: key) } }
    record.pendingRevocations = try parts.dropFirst().filter { $0["resource"] == nil }.map {
      guard let queuedAt = try $0.date("revocation") else { throw AuthenticationError.unreadableRecord }
      return PendingRevocation(tokens: try $0.tokens(), queuedAt: queuedAt, userID: $0["revocation-user"])
    }
    return record
  }

  /// An invalid count is read as 0: counts only say which of two refreshes came later.
  private static func count(_ text: String) -> Int { min(max(Int(text) ?? 0, 0), 1_000_000_000) }
}

/// Fields by name; of a repeated one the last counts.
private struct Fields {
  private var values: [String: String] = [:]
  var scopes: [String] = []

  subscript(name: String) -> String? {
    get { values[name] }
    set { values[name] = newValue }
  }

  func date(_ name: String) throws -> Date? {
    guard let text = values[name] else { return nil }
    guard let seconds = Double(text), seconds.magnitude <= Date.latestSeconds else {
      throw AuthenticationError.unreadableRecord
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  private func duration(_ name: String) throws -> Duration? {
    guard let text = values[name] else { return nil }
    guard let seconds = Int64(text) else { throw AuthenticationError.unreadableRecord }
    return .seconds(seconds)
  }

  func tokens() throws -> SessionTokens {
    guard let access = self["access"], let type = self["type"], let receivedAt = try date("received-at") else {
      throw AuthenticationError.unreadableRecord
    }
    return SessionTokens(
      access: try AccessToken(
        Secret(access), type: type, receivedAt: receivedAt, lifetime: try duration("lifetime"), scopes: scopes,
        clockOffset: try duration("clock-offset")), refresh: self["refresh"].map { Secret($0) },
      identity: self["identity"].map { Secret($0) },
      proofKey: self["proof-key"].map { Secret($0) })
  }

  func user(with claims: [(name: String, value: String)]) -> User? {
    self["user-id"].map { id in
      User(
        id: id, name: self["user-name"], email: self["email"], isNew: self["new-user"] != nil,
        isEmailVerified: self["email-verified"].map { $0 == "yes" }, phoneNumber: self["phone"],
        picture: self["picture"], locale: self["locale"], createdAt: (try? date("created-at")) ?? nil,
        isAnonymous: self["anonymous"] != nil, claims: StoredClaims.read(claims),
        omittedClaims: claims.filter { $0.name == "claim-omitted" }.map(\.value))
    }
  }
}

extension StoredFields.Writer {
  fileprivate mutating func add(_ name: String, _ date: Date?) {
    add(name, date.map { String($0.timeIntervalSinceReferenceDate) })
  }

  fileprivate mutating func add(_ tokens: SessionTokens) {
    add("access", tokens.access.value.reveal())
    add("type", tokens.access.type)
    add("received-at", tokens.access.receivedAt)
    add("lifetime", tokens.access.lifetime.map { String($0.components.seconds) })
    add("clock-offset", tokens.access.clockOffset.map { String($0.components.seconds) })
    for scope in tokens.access.scopes { add("scope", scope) }
    add("refresh", tokens.refresh?.reveal())
    add("identity", tokens.identity?.reveal())
    add("proof-key", tokens.proofKey?.reveal())
  }

  fileprivate mutating func add(_ user: User) {
    add("user-id", user.id)
    add("user-name", user.name)
    add("email", user.email)
    add("new-user", user.isNew ? "yes" : nil)
    add("email-verified", user.isEmailVerified.map { $0 ? "yes" : "no" })
    add("phone", user.phoneNumber)
    add("picture", user.picture)
    add("locale", user.locale)
    add("created-at", user.createdAt)
    add("anonymous", user.isAnonymous ? "yes" : nil)
    for name in user.omittedClaims { add("claim-omitted", name) }
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

  /// The claims that were read; one that is not complete is left out.
  static func read(_ fields: [(name: String, value: String)]) -> [String: JSONValue] {
    var rest = fields[...]
    var claims: [String: JSONValue] = [:]
    while let field = rest.popFirst() {
      if field.name == "claim", let value = value(from: &rest, depth: 0) { claims[field.value] = value }
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
    case "claim-array", "claim-object": break
    default: return nil
    }
    guard let count = Int(next.value), 0...rest.count ~= count else { return nil }
    var items: [JSONValue] = []
    var members: [String: JSONValue] = [:]
    for _ in 0..<count {
      var name: String?
      if next.name == "claim-object" {
        guard let field = rest.first, field.name == "claim-member" else { return nil }
        rest.removeFirst()
        name = field.value
      }
      guard let item = value(from: &rest, depth: depth + 1) else { return nil }
      if let name { members[name] = item } else { items.append(item) }
    }
    return next.name == "claim-array" ? .array(items) : .object(members)
  }
}
