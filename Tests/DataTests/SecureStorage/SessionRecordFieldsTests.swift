import AuthenticationData
import AuthenticationDomainTesting
import Foundation
import Testing

@testable import AuthenticationDomain

/// A field of the stored record that is forgotten where records are encoded, or merged, would be lost silently.
@Suite struct SessionRecordFieldsTests {
  private static let noon = Date(timeIntervalSince1970: 1_767_268_800)

  private static var signedIn: SessionRecord {
    var record = SessionRecord(session: .sample(1, receivedAt: noon))
    (record.writeID, record.signInID) = (RecordID("write"), RecordID("sign-in"))
    (record.refreshes, record.signedInAt) = (3, noon)
    record.endedSignIns = [EndedSignIn(id: RecordID(7, 8), refreshes: 2)]
    record.refreshJournal = RefreshJournalEntry(begunAt: noon, sends: 2, isAnswered: true)
    record.refusedRefresh = RefusedRefresh(latestAt: noon, count: 2, isConfirmed: true)
    (record.retryAt, record.needsInteraction) = (noon, true)
    record.keep(SessionTokens.sample(2, receivedAt: noon).access, for: "orders")
    record.pendingRevocations = [
      PendingRevocation(tokens: .sample(3, receivedAt: noon).withoutIdentity, queuedAt: noon, userID: "ada")
    ]
    return record
  }

  private static var signedOut: SessionRecord {
    var record = SessionRecord()
    (record.writeID, record.endReason) = (RecordID("write"), .requested)
    record.formerUser = User(id: "ada", name: "Ada", email: "ada@example.com")
    return record
  }

  @Test func `a sample has each field of a record`() {
    let (empty, samples) = (Mirror(reflecting: SessionRecord()), [Self.signedIn, Self.signedOut])
    for field in empty.children {
      let name = field.label
      let isVaried = samples.contains { sample in
        let value = Mirror(reflecting: sample).children.first { $0.label == name }?.value
        return value.map { "\($0)" } != "\(field.value)"
      }
      #expect(isVaried, "\(name ?? "")")
    }
  }

  @Test(arguments: [signedIn, signedOut]) func `a stored record is read again with each field`(
    record: SessionRecord
  ) throws {
    #expect(try SessionCoder().decode(SessionCoder().encode(record)) == record)
  }

  @Test(arguments: [signedIn, signedOut]) func `a record that could not be saved is merged with each field`(
    record: SessionRecord
  ) {
    var merged = record.merged(with: SessionRecord(), since: SessionRecord(), at: Self.noon)
    merged.writeID = record.writeID
    #expect(merged == record)
  }
}
