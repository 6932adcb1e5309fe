#if canImport(CryptoKit) || canImport(Crypto)
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData
@testable import AuthenticationEncryption
#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

@Suite struct EncryptedStorageTests {
  let upstream = InMemoryStorage()
  let secret = SymmetricKey(data: Data(repeating: 7, count: 32))
  let value = Data("canary-token".utf8)

  var storage: some SecureStorage { upstream.encrypted(with: secret) }

  @Test func `the stored bytes contain nothing of the value`() throws {
    try storage.write(value, for: "session")
    let stored = try #require(try upstream.read("session"))
    #expect(stored.count == 12 + value.count + 16)
    #expect(stored.range(of: Data("canary".utf8)) == nil)
  }

  @Test func `one value written twice is stored as two different blobs`() throws {
    let blobs = try (1...100).map { _ in
      try storage.write(value, for: "session")
      return try #require(try upstream.read("session"))
    }
    #expect(Set(blobs.map { $0.prefix(12) }).count == 100)
    #expect(Set(blobs.map { $0.dropFirst(12) }).count == 100)
  }

  /// Made with another implementation (Python, `cryptography`): key 32 × 07, nonce 00…0b, "session" as AAD.
  @Test func `a blob of another implementation opens`() throws {
    let blob = try #require(Data(base64Encoded: "AAECAwQFBgcICQoLe+CHEW9w9D0Y2YDyPhNeLJhuZeGXa96u6TItKA=="))
    try upstream.write(blob, for: "session")
    #expect(try storage.read("session") == value)
  }

  @Test func `a wrong key says corrupt and erases nothing`() throws {
    try storage.write(value, for: "session")
    let stored = try upstream.read("session")
    let other = upstream.encrypted(with: SymmetricKey(data: Data(repeating: 8, count: 32)))
    let error = #expect(throws: AuthenticationError.self) { try other.read("session") }
    #expect(error == .storageCorrupt)
    #expect(try upstream.read("session") == stored)
    #expect(try storage.read("session") == value)
  }

  @Test func `a value that cannot be decrypted is copied to quarantine, so that a sign-in does not lose it`() throws {
    try storage.write(value, for: "session")
    let stored = try #require(try upstream.read("session"))
    let other = upstream.encrypted(with: SymmetricKey(data: Data(repeating: 8, count: 32)))
    let error = #expect(throws: AuthenticationError.self) { try other.read("session") }
    #expect(error?.suggestion?.contains("'session.quarantine'") == true)
    try other.write(Data("new".utf8), for: "session")
    let copy = try #require(try upstream.read("session.quarantine").flatMap { QuarantinedCopy(stored: $0) })
    #expect(copy.content == stored)
    // A session store on it looks for copies, too.
    try other.sessionStore().save(SessionRecord())
    #expect(try upstream.read("session.quarantine.quarantine") == nil)
    try other.sessionStore().removeQuarantinedCopies()
    #expect(try upstream.read("session.quarantine") == nil)
  }

  @Test func `a blob with any byte changed, cut off or added does not open`() throws {
    try storage.write(value, for: "session")
    let stored = try #require(try upstream.read("session"))
    var broken = stored.indices.map { index in
      var blob = stored
      blob[index] ^= 1
      return blob
    }
    broken += (0..<stored.count).map { stored.prefix($0) } + [stored + [0]]
    for blob in broken {
      try upstream.write(Data(blob), for: "session")
      #expect(throws: AuthenticationError(.storageCorrupt, "")) { try storage.read("session") }
      #expect(try upstream.read("session") == Data(blob))
    }
  }

  @Test func `a blob moved to another key does not open`() throws {
    try storage.write(value, for: "session")
    try upstream.write(try #require(try upstream.read("session")), for: "other")
    #expect(throws: AuthenticationError(.storageCorrupt, "")) { try storage.read("other") }
  }

  @Test func `a blob moved to another folder does not open, and one from before folders were bound does`() throws {
    let (home, upper) = (TemporaryFolder(), TemporaryFolder())
    let folders = [
      home.url, home.url.appending(path: "a"), home.url.appending(path: "b"), upper.url.appending(path: "a"),
    ]
    let files = folders.map { FileStorage(folder: $0) }
    for (index, file) in files.enumerated() {
      try file.encrypted(with: secret).write(value, for: "session")
      let blob = try #require(try file.read("session"))
      for (other, target) in files.enumerated() where other != index {
        try target.write(blob, for: "session")
        #expect(throws: AuthenticationError(.storageCorrupt, "")) { try target.encrypted(with: secret).read("session") }
      }
      try file.write(blob, for: "session")
      #expect(try file.encrypted(with: secret).read("session") == value)
      #expect(try FileStorage(folder: folders[index]).encrypted(with: secret).read("session") == value)
    }
    try storage.write(value, for: "session")
    try files[0].write(try #require(try upstream.read("session")), for: "session")
    #expect(try files[0].encrypted(with: secret).read("session") == value)
  }

  @Test func `a folder that a link leads to is the same before and after it was made`() throws {
    let home = TemporaryFolder()
    let (real, link) = (home.url.appending(path: "real"), home.url.appending(path: "link"))
    try FileManager.default.createDirectory(at: real, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
    let folder = link.appending(path: "new/secrets")
    try FileStorage(folder: folder).encrypted(with: secret).write(value, for: "session")
    #expect(try FileStorage(folder: folder).encrypted(with: secret).read("session") == value)
    let direct = FileStorage(folder: real.appending(path: "new/secrets"))
    #expect(try direct.encrypted(with: secret).read("session") == value)
  }

  @Test func `a value written during a move between storages can be decrypted after the move`() throws {
    let home = TemporaryFolder()
    let (old, new) = (FileStorage(folder: home.url.appending(path: "old")), FileStorage(folder: home.url))
    try old.encrypted(with: secret).write(value, for: "session")
    let moving = new.migrating(from: old, lockPath: home.url.appending(path: "lock").path).encrypted(with: secret)
    #expect(moving.identity?.contains("to") == true)
    try moving.write(Data("next".utf8), for: "session")
    #expect(try new.encrypted(with: secret).read("session") == Data("next".utf8))
  }

  @Test func `a key of an unusable size is named when writing, and nothing is stored`() throws {
    let storage = upstream.encrypted(with: SymmetricKey(data: Data(repeating: 7, count: 20)))
    let error = #expect(throws: AuthenticationError.self) { try storage.write(value, for: "session") }
    #expect(error == .invalidConfiguration)
    #expect(error?.message == "AES cannot use a key of 160 bits.")
    #expect(try upstream.read("session") == nil)
  }

  @Test func `a session store on encrypted storage tells a wrong key from no session`() throws {
    try storage.sessionStore().save(SessionRecord())
    let other = upstream.encrypted(with: SymmetricKey(size: .bits256))
    #expect(throws: AuthenticationError(.storageCorrupt, "")) { try other.sessionStore().read() }
    #expect(try storage.sessionStore().read() == SessionRecord())
  }
}

// MARK: - The contract

extension EncryptedStorageTests {
  @Test(arguments: ContractTests.storageFacts) func `encrypted storage keeps the contract`(
    fact: SecureStorageContract.Fact
  ) throws {
    let contract = SecureStorageContract {
      InMemoryStorage().encrypted(with: secret)
    } reopen: {
      try #require($0 as? EncryptedStorage<InMemoryStorage>).upstream.encrypted(with: secret)
    } damage: { storage, key in
      try #require(storage as? EncryptedStorage<InMemoryStorage>).upstream.write(Data("torn".utf8), for: key)
    }
    try contract.verify(fact)
  }

  @Test(arguments: ContractTests.sharedFacts) func `encrypted storage in files keeps the contract`(
    fact: SecureStorageContract.Fact
  ) throws {
    let home = TemporaryFolder()
    let contract = SecureStorageContract {
      FileStorage(folder: home.url.appending(path: "secrets")).encrypted(with: secret)
    } reopen: {
      FileStorage(folder: try #require($0 as? EncryptedStorage<FileStorage>).upstream.folder).encrypted(with: secret)
    }
    try contract.verify(fact)
  }
}
#endif
