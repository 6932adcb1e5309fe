import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// failure row 6: each envelope that was ever released, as a file in `Fixtures`, outlives a move between storages.
@Suite struct EnvelopeUpgradeTests {
  static let released = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fixtures").standardized
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasPrefix("session-v") }.map { folder.appending(path: $0) }
  }()

  let home = TemporaryFolder()
  let old = MovableStorage()
  let new = MovableStorage()

  var store: some SessionStore {
    MigratingStorage(from: old, to: new, lockPath: home.url.appending(path: "lock").path).sessionStore(key: "session")
  }

  @Test func `there are released envelopes to check`() { #expect(Self.released.count >= 4) }

  @Test(arguments: released) func `a released envelope moves byte for byte and is read as before`(file: URL) throws {
    let envelope = try Data(contentsOf: file)
    try old.write(envelope, for: "session")
    let before = try old.sessionStore().read()
    #expect(before != nil)
    #expect(try store.read() == before)
    #expect(new.values == ["session": envelope])
    #expect(old.values.isEmpty)
    #expect(try store.read() == before)
  }

  @Test(arguments: released)
  func `a released envelope is replaced by today's only once that is read back`(file: URL) throws {
    let envelope = try Data(contentsOf: file)
    try old.write(envelope, for: "session")
    let record = try #require(try old.sessionStore().read())
    new.cutOff(after: 20)
    try store.save(record)
    #expect(try store.read() == record)
    #expect(old.values["session"] == SessionCoder().encode(record))
  }
}
