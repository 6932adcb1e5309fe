public import AuthenticationData
import AuthenticationDomain
public import AuthenticationDomainTesting
import Dispatch
import Synchronization
import Foundation

/// The rules of every ``SecureStorage``, as named facts that any test framework can run.
///
/// ```swift
/// @Test(arguments: SecureStorageContract.facts) func `keeps the contract`(fact: SecureStorageContract.Fact) throws {
///   try SecureStorageContract { MyStorage() }.verify(fact)
/// }
/// ```
public struct SecureStorageContract: Sendable {
  /// One statement, to run as an argument of a test.
  public typealias Fact = ContractFact<Self>

  let make: @Sendable () throws -> any SecureStorage
  let reopen: (@Sendable (any SecureStorage) throws -> any SecureStorage)?
  let damage: (@Sendable (any SecureStorage, String) throws -> Void)?

  /// Makes the storage that is checked.
  ///
  /// - Parameters:
  ///   - make: a new storage at a place where nothing is stored.
  ///   - reopen: another instance at the same place, for ``sharedPlaceFacts``.
  ///   - damage: makes reading this key fail, for ``failureFacts``.
  public init(
    make: @escaping @Sendable () throws -> any SecureStorage,
    reopen: (@Sendable (any SecureStorage) throws -> any SecureStorage)? = nil,
    damage: (@Sendable (any SecureStorage, String) throws -> Void)? = nil
  ) {
    self.make = make
    self.reopen = reopen
    self.damage = damage
  }

  /// Checks one fact on a subject made for it; throws its violation.
  public func verify(_ fact: Fact) throws(ContractViolation) { try fact.verify(self) }
}

// MARK: - The facts

extension SecureStorageContract {
  /// For every storage.
  public static let facts: [Fact] = [
    Fact("what was never written is absent") { contract in
      let storage = try contract.make()
      for key in oddKeys { try expect(nil, at: key, in: storage) }
    },
    Fact("what was written is read back byte for byte") { contract in
      let storage = try contract.make()
      for value in [Data(), Data([0]), Data(0...255), Data(repeating: 0xA5, count: 65_536)] {
        try storage.write(value, for: "key")
        try expect(value, at: "key", in: storage)
      }
    },
    Fact("a write replaces") { contract in
      let storage = try contract.make()
      for value in [Data("first, and longer".utf8), Data("second".utf8)] { try storage.write(value, for: "key") }
      try expect(Data("second".utf8), at: "key", in: storage)
    },
    Fact("keys do not mix") { contract in
      let storage = try contract.make()
      for key in oddKeys { try storage.write(Data("value of \(key)".utf8), for: key) }
      for key in oddKeys { try expect(Data("value of \(key)".utf8), at: key, in: storage) }
      try storage.delete(oddKeys[0])
      for key in oddKeys.dropFirst() { try expect(Data("value of \(key)".utf8), at: key, in: storage) }
    },
    Fact("what was deleted is absent") { contract in
      let storage = try contract.make()
      for key in oddKeys {
        try storage.write(Data("value".utf8), for: key)
        try storage.delete(key)
        try expect(nil, at: key, in: storage)
      }
    },
    Fact("deleting what is not there succeeds") { contract in
      let storage = try contract.make()
      for _ in 1...2 { try storage.delete("key") }
    },
    Fact("a reader never sees a value absent or mixed while it is replaced") { contract in
      let storage = try contract.make()
      try readWhileReplacing(storage, storage)
    },
  ]

  /// For a storage that several instances, or processes, share.
  public static let sharedPlaceFacts: [Fact] = [
    Fact("another instance sees what was written, replaced and deleted") { contract in
      let storage = try contract.make()
      let other = try contract.reopened(storage)
      for value in [Data("first".utf8), Data("second".utf8)] {
        try storage.write(value, for: "key")
        try expect(value, at: "key", in: other)
      }
      try other.delete("key")
      try expect(nil, at: "key", in: storage)
    },
    Fact("a reader of another instance never sees a value absent or mixed while it is replaced") { contract in
      let storage = try contract.make()
      try readWhileReplacing(storage, contract.reopened(storage))
    },
  ]

  /// For a storage whose reads can fail.
  public static let failureFacts: [Fact] = [
    Fact("a failed read is an error, never absent") { contract in
      let storage = try contract.make()
      try storage.write(Data("value".utf8), for: "key")
      guard let damage = contract.damage else { throw Finding(text: "pass `damage` to check this fact") }
      try damage(storage, "key")
      try Finding.expectFailure(Result { () throws(AuthenticationError) in try storage.read("key") })
    }
  ]
}

// MARK: - How they are checked

extension SecureStorageContract {
  private static let oddKeys =
    ["key", "a/b", "a", "A", "b", "../x", "..", "ä", ".hidden", "%61", "a b", "key.lock", ""]
    + ["1", "2"].map { String(repeating: "long-", count: 40) + $0 }

  private static func expect(_ value: Data?, at key: String, in storage: any SecureStorage) throws {
    let found = try storage.read(key)
    try Finding.expect(
      found == value, "'\(key)' holds \(found?.count.description ?? "no") bytes, or others than were written")
  }

  private func reopened(_ storage: any SecureStorage) throws -> any SecureStorage {
    guard let reopen else { throw Finding(text: "pass `reopen` to check this fact") }
    return try reopen(storage)
  }

  private static func readWhileReplacing(_ writer: any SecureStorage, _ reader: any SecureStorage) throws {
    let values = [Data(repeating: 1, count: 8_192), Data(repeating: 2, count: 4_096)]
    try writer.write(values[0], for: "key")
    let finding = Mutex<String?>(nil)
    let isWriting = Mutex(true)
    DispatchQueue.concurrentPerform(iterations: 3) { worker in
      do {
        if worker == 0 {
          defer { isWriting.withLock { $0 = false } }
          for round in 1...60 { try writer.write(values[round % 2], for: "key") }
        } else {
          repeat {
            let found = try reader.read("key")
            if found == nil || !values.contains(found!) { throw Finding(text: "\(found?.count ?? -1) bytes were read") }
          } while isWriting.withLock { $0 }
        }
      } catch {
        finding.withLock { $0 = (error as? Finding)?.text ?? "threw \(error)" }
      }
    }
    if let text = finding.withLock({ $0 }) { throw Finding(text: text) }
  }
}
