import AuthenticationDomainTesting
import Testing
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@testable import AuthenticationDomain

/// To which sign-in a record belongs, and which ones it knows to be over.
@Suite struct SessionRecordIdentityTests {
  let known = SessionRecord.of("a", 1).refreshed(to: 2)

  /// What an earlier version writes: it names neither writes nor sign-ins.
  private func unnamed(_ tokens: Int, of user: User = .ada, at date: Date = .noon) -> SessionRecord {
    SessionRecord(session: .sample(tokens, of: user, receivedAt: .noon), signedInAt: date)
  }

  // MARK: Records of an earlier version

  @Test func `a refresh by an earlier version belongs to the same sign-in, and counts`() {
    let read = unnamed(3).identified(after: known)
    #expect(read.signInID == "a")
    #expect(read.refreshes == 2)
    #expect(!read.hasEnded("a"))
  }

  @Test func `a session that an earlier version left as it was has had no refresh`() {
    let read = unnamed(2).identified(after: known)
    #expect(read.signInID == "a")
    #expect(read.refreshes == 1)
  }

  @Test func `a later sign-in of the same user by an earlier version ends the one before`() {
    let read = unnamed(3, at: .noon + 60).identified(after: known)
    #expect(read.signInID != nil && read.signInID != "a")
    #expect(read.refreshes == 0)
    #expect(read.hasEnded("a", after: 9))
  }

  @Test func `another user's sign-in by an earlier version ends the one before`() {
    let read = unnamed(3, of: .grace).identified(after: known)
    #expect(read.signInID != nil && read.signInID != "a")
    #expect(read.hasEnded("a", after: 9))
  }

  @Test func `an erased record ends the sign-in that was known`() {
    let read = SessionRecord().identified(after: known)
    #expect(read.signInID == nil)
    #expect(read.hasEnded("a", after: 9))
  }

  @Test func `a write by an earlier version forgets no sign-in that ended`() {
    let read = unnamed(3).identified(after: known.signedIn("b", 2))
    #expect(read.signInID == "b")
    #expect(read.hasEnded("a", after: 9))
  }

  @Test func `every process finds the same sign-in in a record of an earlier version`() {
    let first = unnamed(1).identified(after: SessionRecord()).signInID
    #expect(first != nil)
    #expect(unnamed(2).identified(after: SessionRecord()).signInID == first)
    #expect(unnamed(1, of: .grace).identified(after: SessionRecord()).signInID != first)
    #expect(unnamed(1, at: .noon + 60).identified(after: SessionRecord()).signInID != first)
  }

  @Test func `a record that names its write is read as it is`() {
    var record = unnamed(3)
    record.writeID = "write"
    #expect(record.identified(after: known) == record)
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

  @Test func `a sign-in that was refused is over for good once somebody signs in or out`() {
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

  @Test func `a sign-in whose end is noted again is the latest that ended`() {
    var record = SessionRecord()
    for id in ["a", "b", "a"] as [RecordID] { record.note(EndedSignIn(id: id)) }
    #expect(record.endedSignIns.map(\.id) == ["b", "a"])
  }
}
