import AuthenticationDomainTesting
import Testing
import Foundation

@testable import AuthenticationDomain

/// To which sign-in a record belongs, and which ones it knows to be over.
@Suite struct SessionRecordIdentityTests {
  let known = SessionRecord.of("a", 1).refreshed(to: 2)

  /// The record of an app that brings the session of another library.
  private func unnamed(_ tokens: Int, of user: User = .ada) -> SessionRecord {
    SessionRecord(session: .sample(tokens, of: user, receivedAt: .noon), signedInAt: .noon)
  }

  private func read(_ record: SessionRecord, after known: SessionRecord) -> SessionRecord {
    record.identified(after: known) { "new" }
  }

  // MARK: Records that no manager wrote

  @Test func `a session that another library kept is a sign-in of its own, which ends the one before`() {
    let read = read(unnamed(3), after: known)
    #expect(read.signInID == "new")
    #expect(read.refreshes == 0)
    #expect(read.hasEnded("a", after: 9))
  }

  @Test func `a session that another library kept has one name, however often it is read`() {
    let first = unnamed(3).identified(after: known) { "first" }
    #expect(read(unnamed(3), after: first).signInID == "first")
    #expect(!read(unnamed(3), after: first).hasEnded("first"))
  }

  @Test func `an erased record ends the sign-in that was known, and forgets none that ended`() {
    let read = read(SessionRecord(), after: known.signedIn("b", 2))
    #expect(read.signInID == nil)
    #expect(read.hasEnded("a", after: 9))
    #expect(read.hasEnded("b", after: 9))
  }

  @Test func `a record that names its write is read as it is`() {
    var record = unnamed(3)
    record.writeID = "write"
    #expect(read(record, after: known) == record)
  }

  // MARK: Ended sign-ins

  @Test func `of two ends of one sign-in the later one counts`() {
    let ends: [Int?] = [3, 5, nil]
    for (index, later) in ends.enumerated() {
      for earlier in ends[...index] {
        for order in [[earlier, later], [later, earlier]] {
          var record = SessionRecord()
          for refreshes in order { record.note(EndedSignIn(id: "a", refreshes: refreshes)) }
          #expect(record.endedSignIns == [EndedSignIn(id: "a", refreshes: later)], "\(order)")
        }
      }
    }
  }

  @Test func `a sign-in that was refused is over for good once a user signs in or out`() {
    let refused = known.refused()
    #expect(refused.hasEnded("a", after: 1))
    #expect(!refused.hasEnded("a", after: 2))
    #expect(refused.signedOut().hasEnded("a", after: 2))
    #expect(refused.signedIn("b", 3).hasEnded("a", after: 2))
  }

  @Test func `a record remembers the latest ended sign-ins, and no more than its maximum`() {
    var record = SessionRecord()
    let maximum = UInt64(SessionRecord.maximumEndedSignIns)
    for number in 0...maximum { record.note(EndedSignIn(id: RecordID(number, 0))) }
    #expect(record.endedSignIns.map(\.id) == (1...maximum).map { RecordID($0, 0) })
  }

  @Test func `random names differ`() {
    #expect(RecordID.random() != RecordID.random())
  }

  @Test func `a sign-in whose end is noted again is the latest that ended`() {
    var record = SessionRecord()
    for id in ["a", "b", "a"] as [RecordID] { record.note(EndedSignIn(id: id)) }
    #expect(record.endedSignIns.map(\.id) == ["b", "a"])
  }
}
