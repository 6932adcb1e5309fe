import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationData

/// The records of each released version stay readable, byte for byte. // failure row 6
@Suite struct StoredFormatTests {
  static let full = "session-v1-full"
  static let minimal = "session-v1-minimal"
  static let revocations = "session-v1-revocations"
  /// With a key, in the session and in a revocation; an older version 1 passes over it.
  static let bound = "session-v1-bound"

  /// A refresh in flight, and the entry after one was lost; an older version 1 passes over both.
  static let refreshing = "session-v1-refreshing"
  static let lost = "session-v1-lost"

  /// With the time of the sign-in; an older version 1 passes over it.
  static let dated = "session-v1-dated"

  @Test func `a record of version 2 has tokens of resources beside the session's`() throws {
    var record = SessionRecord(
      session: AuthSession(
        user: User(id: "ada"),
        tokens: SessionTokens(
          access: try AccessToken(Secret("access-1"), receivedAt: Self.date(788_918_400)),
          refresh: Secret("refresh-1"))),
      pendingRevocations: [
        PendingRevocation(
          tokens: SessionTokens(access: try AccessToken(Secret("old-access"), receivedAt: Self.date(788_910_000))),
          queuedAt: Self.date(788_918_401))
      ])
    record.needsInteraction = true
    record.keep(
      try AccessToken(
        Secret("orders"), receivedAt: Self.date(788_918_402), lifetime: .seconds(600), scopes: ["a", "b"]),
      for: ProtectedResource.resource("https://orders.example.com", scopes: ["b", "a"]).key)
    record.keep(
      try AccessToken(Secret("bills"), type: "DPoP", receivedAt: Self.date(788_918_403)),
      for: ProtectedResource.resource("urn:bills").key)
    let fixture = try Self.fixture("session-v2-resources")
    #expect(SessionCoder().encode(record) == fixture)
    #expect((try? SessionCoder().decode(fixture)) == record)
  }

  static func fixture(_ name: String) throws -> Data {
    try Data(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/\(name).txt"))
  }

  @Test(arguments: [true, false]) func `refusals of a refresh that worked before stay with the session`(
    isConfirmed: Bool
  ) throws {
    var record = try Self.record(Self.refreshing)
    record.refusedRefresh = RefusedRefresh(latestAt: Self.date(788_922_000.5), count: 2, isConfirmed: isConfirmed)
    record.refreshJournal?.isAnswered = isConfirmed
    record.retryAt = Self.date(788_922_060)
    #expect((try? SessionCoder().decode(SessionCoder().encode(record))) == record)
    record.session = nil
    #expect(record.refusedRefresh == nil)
  }

  static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  static func record(_ name: String) throws -> SessionRecord {
    let revocation = PendingRevocation(
      tokens: SessionTokens(
        access: try AccessToken(Secret("old-access"), receivedAt: date(788_910_000), lifetime: .seconds(60)),
        refresh: Secret("old-refresh")),
      queuedAt: date(name == full ? 788_918_401.5 : 788_918_401))
    if name == revocations { return SessionRecord(pendingRevocations: [revocation]) }
    if name == lost {
      return SessionRecord(
        formerUser: User(id: "ada", name: "Ada Lovelace", email: "ada@example.com"), pendingRevocations: [revocation])
    }
    if name == refreshing {
      let tokens = SessionTokens(
        access: try AccessToken(Secret("access-1"), receivedAt: date(788_918_400), clockOffset: .seconds(-7)),
        refresh: Secret("refresh-1"))
      return SessionRecord(
        session: AuthSession(user: User(id: "ada"), tokens: tokens),
        refreshJournal: RefreshJournalEntry(begunAt: date(788_922_000.5), sends: 2))
    }
    if name == minimal || name == dated {
      let tokens = SessionTokens(access: try AccessToken(Secret("access-1"), receivedAt: date(788_918_400)))
      return SessionRecord(
        session: AuthSession(user: User(id: "ada"), tokens: tokens),
        signedInAt: name == dated ? date(788_914_800.25) : nil)
    }
    if name == bound {
      let key = Secret("proof-key-1")
      let access = try AccessToken(
        Secret("access-1"), type: "DPoP", receivedAt: date(788_918_400), lifetime: .seconds(300))
      let old = try AccessToken(Secret("old-access"), type: "DPoP", receivedAt: date(788_910_000))
      return SessionRecord(
        session: AuthSession(user: User(id: "ada"), tokens: SessionTokens(access: access, proofKey: key)),
        pendingRevocations: [
          PendingRevocation(
            tokens: SessionTokens(access: old, proofKey: Secret("proof-key-0")), queuedAt: date(788_918_401))
        ])
    }
    let tokens = SessionTokens(
      access: try AccessToken(
        Secret("access-1"), receivedAt: date(788_918_400.25), lifetime: .seconds(3_600),
        scopes: ["openid", "https://api.example.com/read"]),
      refresh: Secret("refresh-1 \"\\/\n\u{E9}"),
      identity: Secret("header.payload.signature"))
    let older = PendingRevocation(
      tokens: SessionTokens(
        access: try AccessToken(Secret("older-access"), type: "DPoP", receivedAt: date(788_900_000))),
      queuedAt: date(788_918_402))
    let user = User(id: "ada", name: "Ada Lovelace", email: "ada@example.com", isNew: true)
    return SessionRecord(session: AuthSession(user: user, tokens: tokens), pendingRevocations: [revocation, older])
  }

  @Test(arguments: [full, minimal, revocations, bound, refreshing, lost, dated])
  func `a record of version 1 is read as it was`(name: String) throws {
    #expect((try? SessionCoder().decode(try Self.fixture(name))) == (try Self.record(name)))
  }

  @Test(arguments: [full, minimal, revocations, bound, refreshing, lost, dated])
  func `a record is written as version 1 is`(name: String) throws {
    #expect(SessionCoder().encode(try Self.record(name)) == (try Self.fixture(name)))
  }

  @Test func `an empty record is its heading and a checksum`() {
    #expect(SessionCoder().encode(SessionRecord()) == Data("AuthenticationKit session 1\n2756ca2348f9f79e\n".utf8))
    #expect((try? SessionCoder().decode(Self.sealed(""))) == SessionRecord())
  }

  @Test func `fields that a later version added are passed over`() {
    #expect((try? SessionCoder().decode(Self.sealed("added 3 a b\n"))) == SessionRecord())
  }

  @Test(arguments: [
    ("access 8 access-1", "access 22 access\r\nX-Injected: 1"), ("access 8 access-1", "access 0 "),
    ("access 8 access-1\n", ""), ("access 8", "access 7"), ("access 8", "access 9"), ("access 8", "access -8"),
    ("access 8", "access 9223372036854775807"), ("access 8", "access x"), ("access 8 access-1", "access"),
    ("type 6 Bearer", "type 7 Bearer\n"), ("type 6 Bearer", "type 0 "), ("type 6 Bearer\n", ""),
    ("type 6 Bearer", "type 6 Bearer\nlifetime 1 0"), ("type 6 Bearer", "type 6 Bearer\nlifetime 2 -1"),
    ("type 6 Bearer", "type 6 Bearer\nlifetime 19 9223372036854775807"),
    ("type 6 Bearer", "type 6 Bearer\nrenewal-begun 1 0"),
    ("type 6 Bearer", "type 6 Bearer\nrenewal-sends 1 2\nrenewal-begun 1 x"),
    ("type 6 Bearer", "type 6 Bearer\nrenewal-sends 1 2\nrenewal-begun 3 inf"),
    ("type 6 Bearer", "type 6 Bearer\nsigned-in-at 3 inf"),
    ("type 6 Bearer", "type 6 Bearer\nlifetime 5 1e300"), ("received-at 11 788918400.0", "received-at 3 inf"),
    ("received-at 11 788918400.0", "received-at 5 today"), ("user-id 3 ada\n", ""), ("session 1", "session 3"),
    ("AuthenticationKit", "AuthenticatioNKit"),
  ])
  func `a record with a field that no version writes is not read`(part: String, other: String) throws {
    let text = String(decoding: try Self.fixture(Self.minimal).dropLast(17), as: UTF8.self)
    try #require(text.contains(part))
    let changed = text.replacingOccurrences(of: part, with: other)
    #expect((try? SessionCoder().decode(Data((changed + Self.checksum(of: changed)).utf8))) == nil)
  }

  @Test(arguments: ["rest", "added 9 a b\n", "added 3 a b", "added 3 a b\n\n"])
  func `a record that ends in anything but a field is not read`(end: String) {
    #expect((try? SessionCoder().decode(Self.sealed(end))) == nil)
  }

  @Test func `whose tokens are to be revoked is read as it was written`() throws {
    let tokens = SessionTokens(access: try AccessToken(Secret("old"), receivedAt: Self.date(788_910_000)))
    let record = SessionRecord(pendingRevocations: [
      PendingRevocation(tokens: tokens, queuedAt: Self.date(788_918_401), userID: "ada")
    ])
    #expect((try? SessionCoder().decode(SessionCoder().encode(record))) == record)
    #expect((try? SessionCoder().decode(Self.sealed("revocation-user 3 ada\n"))) == SessionRecord())
  }

  @Test(arguments: [
    SignOutReason.requested, .rejected, .ambiguousLoss, SignOutReason("of_the_app"),
    SignOutReason("rejected", failure: .userDisabled),
    SignOutReason("rejected", code: "own_end", providerCode: "a.b:c-1")!,
  ])
  func `why a session ended is read as it was written`(reason: SignOutReason) throws {
    let record = SessionRecord(formerUser: User(id: "ada"), endReason: reason)
    let read = try SessionCoder().decode(SessionCoder().encode(record))
    #expect(read == record)
    #expect(read.endReason?.failure?.code == reason.failure?.code)
    #expect(read.endReason?.providerCode == reason.providerCode)
  }

  @Test(arguments: ["", "a sentence", "caf\u{E9}", String(repeating: "a", count: 65)])
  func `of why a session ended nothing is kept but plain tokens`(text: String) throws {
    var record = SessionRecord(endReason: SignOutReason(text))
    #expect(SessionCoder().encode(record) == SessionCoder().encode(SessionRecord()))
    var failure = AuthenticationError.sessionRejected
    failure.providerCode = text
    record.endReason = SignOutReason("rejected", failure: failure)
    #expect((try? SessionCoder().decode(SessionCoder().encode(record)))?.endReason?.failure == .sessionRejected)
    #expect((try? SessionCoder().decode(SessionCoder().encode(record)))?.endReason?.providerCode == nil)
    #expect((try? SessionCoder().decode(Self.sealed("end-reason \(text.utf8.count) \(text)\n"))) == SessionRecord())
  }

  @Test func `a session that is stored has not ended`() throws {
    let text = String(decoding: try Self.fixture(Self.minimal).dropLast(17), as: UTF8.self)
    let changed = text + "end-reason 8 rejected\n"
    let record = (try? SessionCoder().decode(Data((changed + Self.checksum(of: changed)).utf8)))
    #expect(record == (try Self.record(Self.minimal)))
    #expect(record?.endReason == nil)
  }

  @Test func `a user without tokens is not read`() {
    #expect((try? SessionCoder().decode(Self.sealed("user-id 3 ada\n"))) == nil)
  }

  @Test func `a record whose checksum is another's is not read`() throws {
    let text = String(decoding: try Self.fixture(Self.minimal), as: UTF8.self)
    #expect((try? SessionCoder().decode(Data(text.replacingOccurrences(of: "access-1", with: "access-2").utf8))) == nil)
  }

  /// A record of these lines, whole as far as its heading and its checksum tell.
  static func sealed(_ lines: String) -> Data {
    let text = "AuthenticationKit session 1\n" + lines
    return Data((text + checksum(of: text)).utf8)
  }

  private static func checksum(of text: String) -> String {
    let hash = text.utf8.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits + "\n"
  }
}
