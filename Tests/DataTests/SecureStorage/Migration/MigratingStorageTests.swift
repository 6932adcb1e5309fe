import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

@testable import AuthenticationData

/// failure row 6: an upgrade that changes where a session is kept signs no user out.
@Suite struct MigratingStorageTests {
  let home = TemporaryFolder()
  let old = MovableStorage()
  let new = MovableStorage()
  let first = Data("first".utf8)
  let second = Data("second".utf8)

  var lock: String { home.url.appending(path: "lock").path }
  var storage: MigratingStorage { MigratingStorage(from: old, to: new, lockPath: lock) }

  @Test(arguments: SecureStorageContract.facts + SecureStorageContract.sharedPlaceFacts)
  func `a storage that migrates keeps the contract`(fact: SecureStorageContract.Fact) throws {
    try SecureStorageContract(
      make: {
        for key in old.values.keys { try old.delete(key) }
        for key in new.values.keys { try new.delete(key) }
        return storage
      }, reopen: { _ in storage }
    ).verify(fact)
  }

  @Test func `a value moves when it is read, and is deleted where it was`() throws {
    try old.write(first, for: "session")
    #expect(try storage.read("session") == first)
    #expect(old.values.isEmpty)
    #expect(new.values == ["session": first])
    #expect(try storage.read("session") == first)
  }

  @Test func `a value moves when it is replaced`() throws {
    try old.write(first, for: "session")
    try storage.write(second, for: "session")
    #expect(old.values.isEmpty)
    #expect(new.values == ["session": second])
  }

  @Test func `a value that was deleted comes back from neither side`() throws {
    for store in [old, new] { try store.write(first, for: "session") }
    try storage.delete("session")
    #expect(old.values.isEmpty && new.values.isEmpty)
    #expect(try storage.read("session") == nil)
  }

  @Test func `a value that the new storage does not return whole stays in the old one, and is read from there`() throws
  {
    let long = Data(repeating: 0x78, count: 9_000)
    try old.write(long, for: "session")
    new.cutOff(after: 8_192)
    for _ in 1...2 { #expect(try storage.read("session") == long) }
    #expect(old.values == ["session": long])
    let longer = Data(repeating: 0x79, count: 9_001)
    try storage.write(longer, for: "session")
    #expect(try storage.read("session") == longer)
  }

  @Test func `a new side that is away hides nothing that has not moved`() throws {
    try old.write(first, for: "session")
    new.goAway()
    #expect(try storage.read("session") == first)
    try storage.write(second, for: "session")
    #expect(try storage.read("session") == second)
    new.comeBack()
    #expect(try storage.read("session") == second)
    #expect(new.values == ["session": second])
    #expect(old.values.isEmpty)
  }

  @Test func `a new side that is away is not absent`() throws {
    new.goAway()
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.read("session") }
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.write(first, for: "session") }
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.delete("session") }
    #expect(old.values.isEmpty)
  }

  @Test func `an old side that cannot be read is not absent, and the new one is left alone`() throws {
    try old.write(first, for: "session")
    old.goAway()
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.read("session") }
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.write(second, for: "session") }
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.delete("session") }
    old.comeBack()
    #expect(try storage.read("session") == first)
  }

  @Test func `an old side that deletes nothing stays the one that counts`() throws {
    try old.write(first, for: "session")
    old.refuseDeletes()
    #expect(try storage.read("session") == first)
    try storage.write(second, for: "session")
    #expect(try storage.read("session") == second)
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.delete("session") }
  }

  @Test func `a sign-out that the new side does not hear of erases the old side, and says so`() throws {
    try old.write(first, for: "session")
    new.goAway()
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.delete("session") }
    #expect(old.values.isEmpty)
  }

  @Test func `nothing moves while another process moves it, and reading does not wait`() throws {
    try old.write(first, for: "session")
    let other = FileLock(path: lock)
    #expect(try other.tryAcquire())
    #expect(try storage.read("session") == first)
    #expect(new.values.isEmpty)
    other.release()
    #expect(try storage.read("session") == first)
    #expect(old.values.isEmpty)
  }

  @Test func `while one process writes or deletes, no other moves`() throws {
    let sides = (0..<2).map { _ in LockProbe(path: lock) }
    let storage = MigratingStorage(from: sides[0], to: sides[1], lockPath: lock)
    try storage.write(first, for: "session")
    try storage.delete("session")
    #expect(sides.allSatisfy { $0.wasHeld.withLock { !$0.isEmpty && !$0.contains(false) } })
  }
}

/// An empty storage that notes at each call whether the lock is held.
private final class LockProbe: SecureStorage {
  let path: String
  let wasHeld = Mutex<[Bool]>([])

  init(path: String) { self.path = path }

  private func look() {
    let isHeld = (try? FileLock(path: path).tryAcquire()) == false
    wasHeld.withLock { $0.append(isHeld) }
  }

  func read(_ key: String) throws(AuthenticationError) -> Data? {
    look()
    return nil
  }

  func write(_ value: Data, for key: String) throws(AuthenticationError) { look() }
  func delete(_ key: String) throws(AuthenticationError) { look() }
}
