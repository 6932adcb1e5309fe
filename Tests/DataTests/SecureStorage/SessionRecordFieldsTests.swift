import AuthenticationData
import AuthenticationDomainTesting
import Foundation
import Testing

@testable import AuthenticationDomain

/// A field of the stored record that is forgotten where records are encoded, or merged, would be lost silently.
@Suite struct SessionRecordFieldsTests {
  private static let noon = Date(timeIntervalSince1970: 1_767_268_800)

  @Test func `a sample has each field of a record`() {
    let (empty, samples) = (Mirror(reflecting: SessionRecord()), SessionRecord.samples(at: Self.noon))
    for field in empty.children {
      let name = field.label
      let isVaried = samples.contains { sample in
        let value = Mirror(reflecting: sample).children.first { $0.label == name }?.value
        return value.map { "\($0)" } != "\(field.value)"
      }
      #expect(isVaried, "\(name ?? "")")
    }
  }

  @Test(arguments: SessionRecord.samples(at: noon)) func `a stored record is read again with each field`(
    record: SessionRecord
  ) throws {
    #expect(try SessionCoder().decode(SessionCoder().encode(record)) == record)
  }

  @Test(arguments: SessionRecord.samples(at: noon)) func `a record that could not be saved is merged with each field`(
    record: SessionRecord
  ) {
    var merged = record.merged(with: SessionRecord(), since: SessionRecord(), at: Self.noon)
    merged.writeID = record.writeID
    #expect(merged == record)
  }
}
