import AuthenticationData
import AuthenticationMultiAccount
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

@testable import AuthenticationKit

/// A store that could not be read is read again by itself when the device or the keyring is unlocked.
@Suite(.timeLimit(.minutes(10))) struct UnlockTests {
  let home = TemporaryFolder()
  let storage = LockableStorage()
  let provider = ScriptedAuthProvider()
  let clock = TravelClock()

  static let kinds: [@Sendable (LockableStorage, URL) -> StorageLocation] = [
    { storage, _ in .secure(storage) }, { .secure($0, locksIn: $1) },
    { storage, _ in .secure(PrefixedStorage(storage, prefix: "app ")) },
    { .secure($0.migrating(from: InMemoryStorage(), lockPath: $1.appending(path: "moving").path)) },
    { .secure($0.forgettingAfterReinstall(marks: FileStorage(folder: $1))) },
    { storage, _ in StorageLocation { .init(store: storage.sessionStore(realm: $0)) } },
  ]

  func root(in location: StorageLocation) throws -> MainRoot {
    try MainRoot(.custom(provider)) {
      $0.storage = location
      $0.clock = clock
    }
  }

  @Test(arguments: kinds.indices) func `the session shows without a tap`(kind: Int) async throws {
    let location = Self.kinds[kind](storage, home.url)
    provider.answerSignIn(.success(.session(.sample(1, receivedAt: clock.now))))
    try await root(in: location).useCase.login(username: "ada", password: "correct horse")
    storage.isLocked = true
    let root = try root(in: Self.kinds[kind](storage, home.url))
    #expect(await root.manager.restore() == .unavailable(.storageUnavailable))
    let states = root.manager.states()
    storage.unlock()
    #expect(await states.first { $0.user == .ada } != nil)
  }

  @Test func `a lock that stays locked is asked no more often than it is told`() async throws {
    storage.isLocked = true
    let root = try root(in: .secure(storage))
    await root.manager.restore()
    let reads = storage.reads
    storage.signal()
    while storage.reads == reads { await Task.yield() }
    #expect(root.manager.state == .unavailable(.storageUnavailable))
    #expect(storage.reads == reads + 1)
  }

  @Test func `a list of accounts that could not be read shows, too`() async throws {
    let accounts = try AccountRegistry(in: .secure(storage)) {
      [provider] _, location throws(AuthenticationError) in
      try MainRoot(.custom(provider)) { $0.storage = location }
    }
    storage.isLocked = true
    await #expect(throws: AuthenticationError.storageUnavailable) { try await accounts.list() }
    var changes = accounts.changes().makeAsyncIterator()
    storage.unlock()
    await changes.next()
    #expect(try await accounts.list() == [])
  }
}

/// Secrets in memory, behind a lock that a user opens.
final class LockableStorage: UnlockSignalingStorage {
  private struct Contents {
    var values: [String: Data] = [:]
    var isLocked = false
    var reads = 0
  }

  private let contents = Mutex(Contents())
  private let unlocked = Broadcast<Void>()

  var reads: Int { contents.withLock { $0.reads } }

  var isLocked: Bool {
    get { contents.withLock { $0.isLocked } }
    set { contents.withLock { $0.isLocked = newValue } }
  }

  func unlocks() -> AsyncStream<Void>? { unlocked.values(keeping: 1) }
  func signal() { unlocked.send(()) }

  func unlock() {
    isLocked = false
    signal()
  }

  private func open<Value>(_ body: (inout [String: Data]) -> Value) throws(AuthenticationError) -> Value {
    let value = contents.withLock { $0.isLocked ? nil : body(&$0.values) }
    guard let value else { throw .storageUnavailable }
    return value
  }

  func read(_ key: String) throws(AuthenticationError) -> Data? {
    contents.withLock { $0.reads += 1 }
    return try open { $0[key] }
  }

  func write(_ value: Data, for key: String) throws(AuthenticationError) { try open { $0[key] = value } }
  func delete(_ key: String) throws(AuthenticationError) { try open { _ = $0.removeValue(forKey: key) } }
}
