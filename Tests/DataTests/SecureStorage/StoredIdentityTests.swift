import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationData

/// The names of writes and sign-ins in a stored record: an older version 1 passes over them. // failure row 6
@Suite struct StoredIdentityTests {
  private static func record() throws -> SessionRecord {
    var record = try StoredFormatTests.record(StoredFormatTests.dated)
    record.writeID = RecordID("write-1")
    record.signInID = RecordID("sign-in-3")
    record.refreshes = 12
    record.endedSignIns = [
      EndedSignIn(id: try #require(RecordID("sign-in-1"))),
      EndedSignIn(id: try #require(RecordID("sign-in-2")), refreshes: 4),
    ]
    return record
  }

  @Test func `the identifiers of a record are stored, byte for byte`() throws {
    let fixture = try StoredFormatTests.fixture("session-v1-named")
    #expect(SessionCoder().encode(try Self.record()) == fixture)
    #expect((try? SessionCoder().decode(fixture)) == (try Self.record()))
  }

  @Test func `a record without identifiers names neither its write nor its sign-in`() throws {
    let record = (try? SessionCoder().decode(try StoredFormatTests.fixture(StoredFormatTests.dated)))
    #expect(record?.writeID == nil)
    #expect(record?.signInID == nil)
    #expect(record?.endedSignIns == [])
  }

  @Test(arguments: ["", " ", "a b", "\u{E9}", String(repeating: "a", count: 65)])
  func `an invalid identifier counts as none, and the session is read`(text: String) throws {
    let length = text.utf8.count
    let lines = "write-id \(length) \(text)\nended \(length) \(text)\nended-after 1 3\nsign-in-id \(length) \(text)\n"
    let record = try SessionCoder().decode(StoredFormatTests.sealed(lines + session))
    #expect(record.writeID == nil)
    #expect(record.signInID == nil)
    #expect(record.endedSignIns == [])
    #expect(record.session?.user.id == "ada")
  }

  @Test func `an identifier that comes twice counts as it came last`() throws {
    let lines = "write-id 1 a\nwrite-id 1 b\nsign-in-id 1 c\nsign-in-id 1 d\n"
    let record = try SessionCoder().decode(StoredFormatTests.sealed(lines + session))
    #expect(record.writeID == RecordID("b"))
    #expect(record.signInID == RecordID("d"))
  }

  @Test(arguments: [("-1", 0), ("x", 0), ("9223372036854775808", 0), ("9223372036854775807", 1_000_000_000)])
  func `a count that cannot be one ends no session`(text: String, count: Int) throws {
    let lines = "refreshes \(text.utf8.count) \(text)\nended 1 a\nended-after \(text.utf8.count) \(text)\n"
    let record = try SessionCoder().decode(StoredFormatTests.sealed(lines + session))
    #expect(record.refreshes == count)
    #expect(record.endedSignIns.map(\.refreshes) == [count])
    #expect(record.session != nil)
  }

  @Test func `of more ended sign-ins than are kept, the latest count`() throws {
    let lines = (0..<40).map { "ended \("\($0)".utf8.count) \($0)\n" }.joined()
    let record = try SessionCoder().decode(StoredFormatTests.sealed(lines + session))
    #expect(record.endedSignIns.count == SessionRecord.maximumEndedSignIns)
    #expect(record.endedSignIns.last?.id == RecordID("39"))
  }

  private let session = "user-id 3 ada\naccess 8 access-1\ntype 6 Bearer\nreceived-at 11 788918400.0\n"
}
