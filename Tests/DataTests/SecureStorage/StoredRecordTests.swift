import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationData

/// What each released version wrote stays readable, byte for byte. // failure row 6
@Suite struct StoredRecordTests {
  static let full = "session-v1-full"
  static let minimal = "session-v1-minimal"
  static let revocations = "session-v1-revocations"

  static func fixture(_ name: String) throws -> Data {
    try Data(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/\(name).json"))
  }

  static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  static func record(_ name: String) throws -> SessionRecord {
    let revocation = PendingRevocation(
      tokens: SessionTokens(
        access: try AccessToken(Secret("old-access"), receivedAt: date(788_910_000), lifetime: .seconds(60)),
        refresh: RefreshToken(Secret("old-refresh"))),
      queuedAt: date(name == full ? 788_918_401.5 : 788_918_401))
    if name == revocations { return SessionRecord(pendingRevocations: [revocation]) }
    if name == minimal {
      let tokens = SessionTokens(access: try AccessToken(Secret("access-1"), receivedAt: date(788_918_400)))
      return SessionRecord(session: AuthSession(user: User(id: "ada"), tokens: tokens))
    }
    let tokens = SessionTokens(
      access: try AccessToken(
        Secret("access-1"), receivedAt: date(788_918_400.25), lifetime: .seconds(3_600),
        scopes: ["openid", "https://api.example.com/read"]),
      refresh: RefreshToken(Secret("refresh-1 \"\\/")), identity: RawIdentityToken(Secret("header.payload.signature")))
    let older = PendingRevocation(
      tokens: SessionTokens(
        access: try AccessToken(Secret("older-access"), type: "DPoP", receivedAt: date(788_900_000))),
      queuedAt: date(788_918_402))
    let user = User(id: "ada", name: "Ada Lovelace", email: "ada@example.com", isNew: true)
    return SessionRecord(session: AuthSession(user: user, tokens: tokens), pendingRevocations: [revocation, older])
  }

  @Test(arguments: [full, minimal, revocations]) func `a record of version 1 is read as it was`(name: String) throws {
    #expect(StoredRecord.decode(try Self.fixture(name)) == (try Self.record(name)))
  }

  @Test(arguments: [full, minimal, revocations]) func `a record is written as version 1 is`(name: String) throws {
    #expect(try StoredRecord(Self.record(name)).encoded() == Self.fixture(name))
  }

  @Test func `an empty record is written as its version alone`() throws {
    #expect(try StoredRecord(SessionRecord()).encoded() == Data(#"{"version":1}"#.utf8))
    #expect(StoredRecord.decode(Data(#"{"version":1}"#.utf8)) == SessionRecord())
  }

  @Test func `fields that a later version added are passed over`() {
    #expect(StoredRecord.decode(Data(#"{"version":1,"added":[{"a":1}]}"#.utf8)) == SessionRecord())
  }

  @Test(arguments: [
    (#""access":"access-1""#, #""access":"access\r\nX-Injected: 1""#), (#""access":"access-1""#, #""access":"""#),
    (#""access":"access-1""#, #""access":"access\u00001""#), (#""access":"access-1""#, #""access":null"#),
    (#""type":"Bearer""#, #""type":"Bearer\n""#), (#""type":"Bearer""#, #""type":"""#),
    (#""type":"Bearer""#, #""lifetime":0,"type":"Bearer""#), (#""type":"Bearer""#, #""lifetime":-1,"type":"Bearer""#),
    (#""type":"Bearer""#, #""lifetime":9223372036854775807,"type":"Bearer""#),
    (#""type":"Bearer""#, #""lifetime":1e300,"type":"Bearer""#), (#""receivedAt":788918400"#, #""receivedAt":1e400"#),
    (#""userID":"ada","#, ""), (#""userID":"ada""#, #""userID":7"#), (#""version":1"#, #""version":2"#),
    (#""version":1"#, #""version":0"#), (#""version":1"#, #""version":"1""#), (#","version":1"#, ""),
  ])
  func `a record with a field nobody could have written is not read`(part: String, other: String) throws {
    let text = String(decoding: try Self.fixture(Self.minimal), as: UTF8.self)
    try #require(text.contains(part))
    #expect(StoredRecord.decode(Data(text.replacingOccurrences(of: part, with: other).utf8)) == nil)
  }

  @Test func `a user without tokens is not read`() {
    #expect(StoredRecord.decode(Data(#"{"userID":"ada","isNewUser":false,"version":1}"#.utf8)) == nil)
  }

  @Test func `a token in a pending revocation that no header may carry is not read`() throws {
    let text = String(decoding: try Self.fixture(Self.revocations), as: UTF8.self)
    #expect(StoredRecord.decode(Data(text.replacingOccurrences(of: "old-access", with: #"old\naccess"#).utf8)) == nil)
  }
}
