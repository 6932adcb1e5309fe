import AuthenticationDomain
import AuthenticationTesting
import Testing

@testable import AuthenticationData
import Foundation

/// The contract suites of both ports, run on each implementation. // failure rows 7, 8
@Suite struct ContractTests {
  typealias StorageFact = SecureStorageContract.Fact
  typealias StoreFact = SessionStoreContract.Fact

  static let sharedFacts = SecureStorageContract.facts + SecureStorageContract.sharedPlaceFacts
  static let storageFacts = sharedFacts + SecureStorageContract.failureFacts
  static let storeFacts = SessionStoreContract.facts + SessionStoreContract.failureFacts

  let home = TemporaryFolder()

  @Test(arguments: sharedFacts) func `storage in memory keeps the contract`(fact: StorageFact) throws {
    try SecureStorageContract(make: { InMemoryStorage() }, reopen: { $0 }).verify(fact)
  }

  @Test(arguments: storageFacts) func `the rules of the keychain keep the contract`(fact: StorageFact) throws {
    let keychain = ScriptedKeychain()
    let storage = KeychainStorage(
      service: "app", accessGroup: nil, accessibility: .afterFirstUnlockThisDeviceOnly, items: keychain)
    try SecureStorageContract(
      make: { storage }, reopen: { $0 },
      damage: { _, _ in keychain.script(Array(repeating: .interactionNotAllowed, count: 10)) }
    ).verify(fact)
  }

  @Test(arguments: sharedFacts) func `a part of a storage keeps the contract`(fact: StorageFact) throws {
    try SecureStorageContract(make: { PrefixedStorage(InMemoryStorage(), prefix: "part ") }, reopen: { $0 })
      .verify(fact)
  }

  @Test(arguments: storageFacts) func `storage in files keeps the contract`(fact: StorageFact) throws {
    let contract = SecureStorageContract {
      FileStorage(folder: home.url.appending(path: "secrets"))
    } reopen: {
      FileStorage(folder: try #require($0 as? FileStorage).folder)
    } damage: { _, _ in
      let file = home.url.appending(path: "secrets/key")
      try FileManager.default.removeItem(at: file)
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    }
    try contract.verify(fact)
  }

  @Test(arguments: storeFacts) func `a session store on secure storage keeps the contract`(fact: StoreFact) throws {
    let storage = InMemoryStorage()
    let contract = SessionStoreContract {
      // The facts that make several stores make them in separate folders.
      try storage.delete("session")
      return storage.sessionStore()
    } damage: { _ in
      try storage.write(Data("torn".utf8), for: "session")
    }
    try contract.verify(fact)
  }

  @Test(arguments: storeFacts)
  func `a session store under the lock of several processes keeps the contract`(fact: StoreFact) throws {
    let storage = FileStorage(folder: home.url.appending(path: "secrets"))
    let contract = SessionStoreContract {
      try storage.delete("session")
      return storage.sessionStore().locked(by: storage.writeLock(for: "session"))
    } damage: { _ in
      try storage.write(Data("torn".utf8), for: "session")
    }
    try contract.verify(fact)
  }

  @Test func `a storage that breaks a fact is told which one`() throws {
    let contract = SecureStorageContract { Forgetful() }
    let fact = try #require(SecureStorageContract.facts.first { $0.description == "a write replaces" })
    let violation = #expect(throws: ContractViolation.self) { try contract.verify(fact) }
    #expect(violation?.description == "a write replaces: 'key' holds no bytes, or others than were written")
  }

  @Test func `each fact of the contract is broken by some storage`() throws {
    for fact in Self.storageFacts where !fact.description.hasPrefix("deleting") {
      let storages: [any SecureStorage] = [Forgetful(), Stubborn()]
      let broken = storages.filter { storage in
        let contract = SecureStorageContract(make: { storage }, reopen: { $0 }, damage: { _, _ in })
        return (try? contract.verify(fact)) == nil
      }
      #expect(!broken.isEmpty, "\(fact)")
    }
  }
}

/// Keeps nothing.
private struct Forgetful: SecureStorage {
  func read(_ key: String) throws(AuthenticationError) -> Data? { nil }
  func write(_ value: Data, for key: String) throws(AuthenticationError) {}
  func delete(_ key: String) throws(AuthenticationError) {}
}

/// Says the same of every key.
private struct Stubborn: SecureStorage {
  func read(_ key: String) throws(AuthenticationError) -> Data? { Data("stubborn".utf8) }
  func write(_ value: Data, for key: String) throws(AuthenticationError) {}
  func delete(_ key: String) throws(AuthenticationError) {}
}
