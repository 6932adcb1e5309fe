import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

// failure row 5
@Suite struct ReinstallForgettingStorageTests {
  let keychain = InMemoryStorage()
  let marks = InMemoryStorage()
  let session = Data("session".utf8)

  var storage: some SecureStorage { keychain.forgettingAfterReinstall(marks: marks) }

  @Test func `a session lives on from launch to launch`() throws {
    #expect(try storage.read("session") == nil)
    try storage.write(session, for: "session")
    #expect(try storage.read("session") == session)
  }

  @Test func `a removed and reinstalled app does not know the user of before`() throws {
    try storage.write(session, for: "session")
    try marks.delete("session")
    #expect(try storage.read("session") == nil)
    #expect(try keychain.read("session") == nil)
  }

  @Test func `a mark that cannot be read erases nothing`() throws {
    try storage.write(session, for: "session")
    let locked = RefusingStorage(marks, isReadable: false)
    #expect(try keychain.forgettingAfterReinstall(marks: locked).read("session") == session)
  }

  @Test func `where no mark can be made, nothing is written that the next launch would erase`() throws {
    let full = RefusingStorage(marks, isReadable: true)
    let storage = keychain.forgettingAfterReinstall(marks: full)
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.write(session, for: "session") }
    #expect(try keychain.read("session") == nil)
  }

  @Test func `a value of an earlier installation is erased before the new one writes`() throws {
    try keychain.write(Data("of before".utf8), for: "session")
    try storage.write(session, for: "session")
    #expect(try storage.read("session") == session)
  }

  @Test func `a failed erasure leaves no mark, so that a later launch repeats it`() throws {
    let stubborn = MovableStorage()
    try stubborn.write(session, for: "session")
    stubborn.refuseDeletes()
    let storage = stubborn.forgettingAfterReinstall(marks: marks)
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.read("session") }
    #expect(try marks.read("session") == nil)
  }

  @Test func `each key is forgotten by itself`() throws {
    try storage.write(session, for: "first")
    try storage.write(session, for: "second")
    try marks.delete("first")
    #expect(try storage.read("first") == nil)
    #expect(try storage.read("second") == session)
  }

  @Test(arguments: ContractTests.sharedFacts)
  func `it keeps the contract of a storage`(fact: SecureStorageContract.Fact) throws {
    let contract = SecureStorageContract(
      make: { InMemoryStorage().forgettingAfterReinstall(marks: InMemoryStorage()) }, reopen: { $0 })
    try contract.verify(fact)
  }
}

private struct RefusingStorage: SecureStorage {
  let upstream: InMemoryStorage
  let isReadable: Bool

  init(_ upstream: InMemoryStorage, isReadable: Bool) {
    self.upstream = upstream
    self.isReadable = isReadable
  }

  func read(_ key: String) throws(AuthenticationError) -> Data? {
    guard isReadable else { throw .init(.storageUnavailable, "Locked.") }
    return try upstream.read(key)
  }

  func write(_ value: Data, for key: String) throws(AuthenticationError) { throw .init(.storageUnavailable, "Full.") }
  func delete(_ key: String) throws(AuthenticationError) { throw .init(.storageUnavailable, "Full.") }
}
