import AuthenticationDomainTesting
import Testing
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@testable import AuthenticationDomain

/// Records of an earlier version, which name neither writes nor sign-ins, beside those that do. // failure row 6
@Suite struct SessionRecordEarlierVersionTests {
  let known: SessionRecord = {
    var record = SessionRecord.of("a", 1)
    record.writeID = "write"
    record.endedSignIns = [EndedSignIn(id: "earlier")]
    return record
  }()

  @Test func `a record that an earlier version wrote again is of the same sign-in`() {
    let again = known.withoutIDs.identified(after: known)
    #expect(again.signInID == "a")
    #expect(again.refreshes == 0)
    #expect(again.hasEnded("earlier"))
  }

  @Test func `what an earlier version refreshed is the same sign-in, refreshed once more`() {
    let refreshed = known.refreshed(to: 2).withoutIDs.identified(after: known)
    #expect(refreshed.signInID == "a")
    #expect(refreshed.refreshes == 1)
  }

  @Test func `what an earlier version refreshed is kept, of a sign-in that seemed not to be stored`() {
    let ours = known.signedIn("b", 2, at: .noon + 60)
    let stored = ours.refreshed(to: 3).withoutIDs.identified(after: known)
    let merged = ours.merged(with: stored, since: known, at: .noon + 61)
    #expect(merged.session == stored.session)
    #expect(merged.signInID == "b")
    #expect(merged.refreshes == 1)
    #expect(merged.pendingRevocations.map(\.tokens) == ours.pendingRevocations.map(\.tokens))
  }

  @Test func `a session that an earlier version ended or replaced has ended`() {
    #expect(SessionRecord().identified(after: known).hasEnded("a"))
    let other = SessionRecord.of("b", 2, at: .noon + 60).withoutIDs.identified(after: known)
    #expect(other.hasEnded("a"))
    #expect(other.signInID != "a")
  }

  @Test func `every process gives a sign-in of an earlier version the same name, and another one to another`() {
    let record = SessionRecord.of("a", 1).withoutIDs
    let name = record.identified(after: SessionRecord()).signInID
    #expect(name != nil)
    #expect(record.identified(after: SessionRecord()).signInID == name)
    let later = SessionRecord.of("a", 1, at: .noon + 1).withoutIDs
    #expect(later.identified(after: SessionRecord()).signInID != name)
  }

  @Test func `a sign-in that another process could not name is known by its user and time`() {
    var other = known.withoutIDs.identified(after: SessionRecord())
    #expect(other.signInID != "a")
    other.writeID = "other"
    #expect(other.identified(after: known).signInID == "a")
  }

  @Test func `a sign-in that another process could not name, and ended, does not return`() {
    var others = known.withoutIDs.identified(after: SessionRecord())
    others.endSignIn()
    others.session = nil
    others.writeID = "other"
    let merged = known.merged(with: others, since: SessionRecord(), at: .noon)
    #expect(merged.session == nil)
    #expect(merged.pendingRevocations.map(\.tokens) == [known.session?.tokens.withoutIdentity].compactMap(\.self))
  }

  @Test func `a record that names its write is taken as it is`() {
    #expect(known.identified(after: SessionRecord.of("b", 2)) == known)
  }

  @Test func `a record remembers the sign-ins that ended last`() {
    var record = SessionRecord()
    for number in 0..<100 { record.note(EndedSignIn(id: RecordID(0, UInt64(number)))) }
    #expect(record.endedSignIns.count == SessionRecord.maximumEndedSignIns)
    #expect(record.hasEnded(RecordID(0, 99)))
    #expect(!record.hasEnded(RecordID(0, 0)))
  }

  @Test func `of a refusal and a sign-out of one sign-in the sign-out counts, in either order`() {
    for order in [[nil, 3], [3, nil]] as [[Int?]] {
      var record = SessionRecord()
      for refreshes in order { record.note(EndedSignIn(id: "a", refreshes: refreshes)) }
      #expect(record.endedSignIns == [EndedSignIn(id: "a")])
    }
  }

  @Test func `random names differ`() {
    #expect(RecordID.random() != RecordID.random())
  }
}
