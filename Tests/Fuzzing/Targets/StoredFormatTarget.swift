import Foundation

@testable import AuthenticationData
@testable import AuthenticationDomain

/// A stored record: the input as it is, and as the fields of a record whose heading and checksum are right.
enum StoredFormatTarget {
  static func check(_ input: [UInt8]) throws {
    try check(Data(input))
    for heading in SessionCoder.headings {
      let body = Array("\(heading)\n".utf8) + input
      try check(Data(body + body.fnv1aDigits + [UInt8(ascii: "\n")]))
    }
  }

  private static func check(_ data: Data) throws {
    let record = (try? SessionCoder().decode(data))
    try Finding.unless(record == (try? SessionCoder().decode(data)), "the same bytes are the same record")
    if let record { try check(record) }
    let storage = InMemoryStorage()
    try storage.write(data, for: "session")
    switch Result(catching: storage.sessionStore().read) {
    case .success(let read):
      try Finding.unless(read != nil && read == record, "a store that holds something never seems empty")
    case .failure(let error):
      try error.checkSilence()
      try Finding.unless(record == nil && error == .storageCorrupt, "only what is no record is corrupt")
      let copy = error.suggestion?.split(separator: "'").dropFirst().first.map(String.init) ?? ""
      let kept = try storage.read(copy).flatMap { QuarantinedCopy(stored: $0) }
      try Finding.unless(kept?.content == data, "there is a copy of what cannot be read")
    }
    try Finding.unless(try storage.read("session") == data, "reading changes nothing")
  }

  private static func check(_ record: SessionRecord) throws {
    try record.checkSurvivesStorage()
    let ofResources = record.resourceTokens.values.map { SessionTokens(access: $0) }
    for tokens in [record.session?.tokens].compactMap(\.self) + record.pendingRevocations.map(\.tokens) + ofResources {
      try tokens.checkPlausibility()
    }
    try Finding.unless(record.refreshJournal.map { (1...1_000).contains($0.sends) } ?? true, "a count is plausible")
    var machine = SessionMachine()
    _ = machine.handle(.storeRead(.success(record), at: Date(timeIntervalSinceReferenceDate: 790_000_000)))
    try Finding.unless(machine.record.session == record.session, "a session that is stored is current")
  }
}
