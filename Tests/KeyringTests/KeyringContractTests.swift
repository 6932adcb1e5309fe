import AuthenticationData
import AuthenticationTesting
import Foundation
import Testing

extension KeyringTests {
  /// failure row 8, and the rules of every storage
  @Suite struct ContractTests {
    static let facts = SecureStorageContract.facts + SecureStorageContract.sharedPlaceFacts

    @Test(arguments: facts) func `the Secret Service keeps the contract`(fact: SecureStorageContract.Fact) throws {
      try SecureStorageContract(make: { storage() }, reopen: { $0 }).verify(fact)
    }

    @Test(arguments: SecureStorageContract.failureFacts)
    func `the Secret Service keeps the contract when it is locked`(fact: SecureStorageContract.Fact) throws {
      defer { try? Keyring.unlock() }
      try SecureStorageContract(make: { storage() }, damage: { _, _ in try Keyring.lock() }).verify(fact)
    }

    @Test(arguments: SessionStoreContract.facts)
    func `a session store on the Secret Service keeps the contract`(fact: SessionStoreContract.Fact) throws {
      try SessionStoreContract(make: { storage().sessionStore() }).verify(fact)
    }
  }
}
