import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

// failure row 7
@Suite struct CodedSessionStoreTests {
  let storage = RecordingStorage()
  let clock = ManualClock()
  var store: some SessionStore { storage.sessionStore(clock: clock) }
  /// The content of the copy.
  var copy: Data? { storage.values["session.quarantine"].flatMap { QuarantinedCopy(stored: $0) }?.content }

  @Test(arguments: [
    "", " ", "not json", "[]", "[{\"version\":1}]", "{}", "null", "1", "\"session\"", "{\"version\":2}",
    "AuthenticationKit session 1\n", "AuthenticationKit session 2\n", "<html>503</html>", "\u{0}\u{0}\u{0}\u{0}",
  ])
  func `data that is no record is corrupt, stays where it is and is copied to quarantine once`(text: String) throws {
    let corrupt = Data(text.utf8)
    try storage.write(corrupt, for: "session")
    for _ in 1...3 {
      let error = #expect(throws: AuthenticationError.self) { try store.read() }
      #expect(error == .storageCorrupt)
    }
    #expect(copy == corrupt)
    #expect(storage.values["session"] == corrupt)
    #expect(storage.writes.count == 2)
  }

  @Test func `the error names the key and the copy, and nothing of the content`() throws {
    try storage.write(Data("a".utf8), for: "session")
    let error = #expect(throws: AuthenticationError.self) { try store.read() }
    let date = clock.now.timeIntervalSinceReferenceDate
    #expect(storage.values["session.quarantine"] == Data("AuthenticationKit copy \(date)\na".utf8))
    #expect(error?.message.contains("'session'") == true)
    #expect(
      error?.suggestion == "Signing in replaces it; until then a copy stays under 'session.quarantine'.")
  }

  @Test func `of two corrupt blobs the latest is kept aside`() throws {
    for text in ["first", "second"] {
      try storage.write(Data(text.utf8), for: "session")
      _ = try? store.read()
    }
    #expect(copy == Data("second".utf8))
    #expect(Set(storage.values.keys) == ["session", "session.quarantine"])
  }

  @Test func `a corrupt record is replaced by the next, and its copy removed when that is asked for`() throws {
    try storage.write(Data("torn".utf8), for: "session")
    _ = try? store.read()
    let record = try StoredFormatTests.record(StoredFormatTests.minimal)
    try store.save(record)
    #expect(try store.read() == record)
    #expect(copy == Data("torn".utf8))
    try store.removeQuarantinedCopies()
    #expect(Set(storage.values.keys) == ["session"])
    try store.removeQuarantinedCopies()
  }

  @Test(arguments: [(2_592_000, true), (2_592_001, false), (-2_592_001, false)])
  func `a copy older than 30 days goes with the next write`(seconds: Int, isKept: Bool) throws {
    try storage.write(Data("torn".utf8), for: "session")
    _ = try? store.read()
    clock.jumpWallClock(by: .seconds(seconds))
    try store.save(StoredFormatTests.record(StoredFormatTests.minimal))
    #expect((copy != nil) == isKept)
  }

  @Test func `a record of another realm is refused, left where it is, and kept aside`() throws {
    let record = try StoredFormatTests.record(StoredFormatTests.full)
    try storage.sessionStore(realm: "https://id.example.com app").save(record)
    let written = try #require(storage.values["session"])
    let error = #expect(throws: AuthenticationError.self) {
      try storage.sessionStore(realm: "https://evil.example app", clock: clock).read()
    }
    #expect(error == .storageCorrupt && error?.message.contains("another realm") == true)
    #expect(storage.values["session"] == written && copy == written)
    #expect(try storage.sessionStore(realm: "https://id.example.com app").read() == record)
  }

  @Test func `a record that names no realm is read`() throws {
    try storage.write(StoredFormatTests.fixture(StoredFormatTests.full), for: "session")
    let store = storage.sessionStore(realm: "https://id.example.com app")
    #expect(try store.read() == StoredFormatTests.record(StoredFormatTests.full))
  }

  @Test func `a corrupt record that cannot be copied is still reported, and stays`() throws {
    try storage.write(Data("torn".utf8), for: "session")
    storage.failWrites()
    let error = #expect(throws: AuthenticationError.self) { try store.read() }
    #expect(error == .storageCorrupt)
    #expect(error?.suggestion == "No copy could be made: signing in replaces it.")
    #expect(storage.values == ["session": Data("torn".utf8)])
  }

  @Test func `a storage that cannot be read is unavailable, and nothing is written`() throws {
    storage.failReads()
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try store.read() }
    #expect(storage.writes == [])
  }

  @Test func `a failed save is the caller's to know`() throws {
    storage.failWrites()
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try store.save(SessionRecord()) }
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try store.delete() }
  }

  @Test func `two keys hold two sessions`() throws {
    let other = storage.sessionStore(key: "work")
    try store.save(StoredFormatTests.record(StoredFormatTests.minimal))
    #expect(try other.read() == nil)
    try other.save(StoredFormatTests.record(StoredFormatTests.full))
    try store.delete()
    #expect(try other.read() == StoredFormatTests.record(StoredFormatTests.full))
    #expect(Set(storage.values.keys) == ["work"])
  }

  @Test(arguments: [StoredFormatTests.full, StoredFormatTests.minimal, StoredFormatTests.revocations])
  func `a record cut off anywhere is corrupt`(name: String) throws {
    let whole = try StoredFormatTests.fixture(name)
    for count in 0..<whole.count {
      try storage.write(whole.prefix(count), for: "session")
      #expect(throws: AuthenticationError(.storageCorrupt, "")) { try store.read() }
      #expect(storage.values["session"] == whole.prefix(count))
    }
  }

  @Test(arguments: [UInt8(0xFF), 0x01, 0x80, 0x20])
  func `a record with any byte flipped is corrupt, never another session`(mask: UInt8) throws {
    let whole = try StoredFormatTests.fixture(StoredFormatTests.full)
    for index in whole.indices {
      var flipped = whole
      flipped[index] ^= mask
      try storage.write(flipped, for: "session")
      #expect(throws: AuthenticationError(.storageCorrupt, "")) { try store.read() }
      #expect(storage.values["session"] == flipped)
    }
  }
}
