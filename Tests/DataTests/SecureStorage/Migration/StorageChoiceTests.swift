import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// failure rows 1 and 6: a keyring that is there one day and away the next signs no user out.
@Suite struct StorageChoiceTests {
  let home = TemporaryFolder()
  let keyring = MovableStorage()
  let first = Data("first".utf8)
  let second = Data("second".utf8)

  var files: FileStorage { FileStorage(folder: home.url.appending(path: "state")) }
  /// As a process finds it: each decides anew.
  var storage: MigratingStorage {
    let isOpen = !keyring.isAway
    return MigratingStorage(from: files, to: MarkedStorage(keyring, marks: files)) { isOpen }
  }

  @Test(arguments: [true, false], SecureStorageContract.facts + SecureStorageContract.sharedPlaceFacts)
  func `a storage that chooses between two locations fulfils the contract in both`(
    isOpen: Bool, fact: SecureStorageContract.Fact
  ) throws {
    if !isOpen { keyring.goAway() }
    try SecureStorageContract(
      make: {
        try? FileManager.default.removeItem(at: files.folder)
        for key in keyring.values.keys { try keyring.delete(key) }
        return storage
      }, reopen: { _ in storage }
    ).verify(fact)
  }

  @Test func `a session goes to the keyring where it is open, and into no file`() throws {
    try storage.write(first, for: "session")
    #expect(keyring.values == ["session": first])
    #expect(try files.read("session") == nil)
    #expect(try storage.read("session") == first)
  }

  @Test func `a session goes into a file where there is no keyring, and the keyring is not even asked`() throws {
    keyring.goAway()
    let calls = keyring.calls
    try storage.write(first, for: "session")
    #expect(try storage.read("session") == first)
    #expect(try storage.read("other") == nil)
    #expect(try files.read("session") == first)
    #expect(keyring.calls == calls)
  }

  @Test func `a session in a file moves once there is a keyring`() throws {
    keyring.goAway()
    try storage.write(first, for: "session")
    keyring.comeBack()
    #expect(try storage.read("session") == first)
    #expect(try files.read("session") == nil)
    #expect(keyring.values == ["session": first])
  }

  @Test func `a session in the keyring is unavailable, not absent, while the keyring is away`() throws {
    try storage.write(first, for: "session")
    keyring.goAway()
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.read("session") }
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.write(second, for: "session") }
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.delete("session") }
    #expect(try files.read("session") == nil)
    keyring.comeBack()
    #expect(try storage.read("session") == first)
  }

  @Test func `a user who was never signed in is signed out also where the keyring is away`() throws {
    #expect(try storage.read("session") == nil)
    keyring.goAway()
    #expect(try storage.read("session") == nil)
  }

  @Test func `signing out in the keyring is remembered where the keyring is away`() throws {
    try storage.write(first, for: "session")
    try storage.delete("session")
    #expect(keyring.values.isEmpty)
    keyring.goAway()
    #expect(try storage.read("session") == nil)
    try storage.write(second, for: "session")
    #expect(try storage.read("session") == second)
  }

  @Test func `a session that the keyring did not give up is not absent while the keyring is away`() throws {
    try storage.write(first, for: "session")
    keyring.refuseDeletes()
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.delete("session") }
    keyring.goAway()
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.read("session") }
  }

  @Test func `a mark that cannot be read is not taken for none`() throws {
    try storage.write(first, for: "session")
    keyring.goAway()
    let mark = try #require(home.names(in: "state").first { $0.hasSuffix("elsewhere") && !$0.hasPrefix(".") })
    let url = home.url.appending(path: "state/\(mark)")
    try FileManager.default.removeItem(at: url)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.read("session") }
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.write(second, for: "session") }
    #expect(try files.read("session") == nil)
  }

  @Test func `a session whose mark was lost is found again, and marked`() throws {
    try storage.write(first, for: "session")
    try FileManager.default.removeItem(at: files.folder)
    #expect(try storage.read("session") == first)
    keyring.goAway()
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.read("session") }
  }

  @Test func `a write that the keyring refused leaves no mark`() throws {
    keyring.refuseWrites()
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.write(first, for: "session") }
    keyring.goAway()
    #expect(try storage.read("session") == nil)
  }

  @Test func `a value whose write the keyring confirmed too late is not absent while the keyring is away`() throws {
    keyring.loseAnswers()
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.write(first, for: "session") }
    keyring.goAway()
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.read("session") }
    keyring.comeBack()
    #expect(try storage.read("session") == first)
  }

  @Test func `a keyring that goes away during the first write may have kept it`() throws {
    let storage = storage
    keyring.goAway()
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.write(first, for: "session") }
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try self.storage.read("session") }
    keyring.comeBack()
    #expect(try storage.read("session") == nil)
  }

  @Test func `a process that found no keyring does not hide a value that another process has moved to the keyring`()
    throws
  {
    keyring.goAway()
    try storage.write(first, for: "session")
    let earlier = storage
    keyring.comeBack()
    #expect(try storage.read("session") == first)
    #expect(keyring.values == ["session": first])
    #expect(try earlier.read("session") == first)
    try earlier.write(second, for: "session")
    #expect(try storage.read("session") == second)
    #expect(try files.read("session") == nil)
  }

  @Test func `no file of the folder holds anything of a secret that is in the keyring`() throws {
    try storage.write(first, for: "session")
    for name in home.names(in: "state") {
      let text = String(decoding: try Data(contentsOf: home.url.appending(path: "state/\(name)")), as: UTF8.self)
      #expect(!text.contains("first"))
    }
  }
}
