import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

@testable import AuthenticationData

@Suite struct LockingSessionStoreTests {
  // failure row 13
  @Test func `while one process reads and writes, no other does`() throws {
    let home = TemporaryFolder()
    let storage = FileStorage(folder: home.url)
    let store = storage.sessionStore().locked(by: storage.writeLock(for: "session"))
    let another = storage.writeLock(for: "session")
    var isFreeMeanwhile: Bool?
    try store.exclusively {
      isFreeMeanwhile = try? another.tryAcquire()
    }
    #expect(isFreeMeanwhile == false)
    #expect(try another.tryAcquire())
  }

  // failure row 14
  @Test func `while a stopped process holds the store, nothing is written behind its back`() throws {
    let home = TemporaryFolder()
    let storage = FileStorage(folder: home.url)
    try storage.write(Data(), for: "session")
    let stopped = storage.writeLock(for: "session")
    #expect(try stopped.tryAcquire())
    let store = storage.sessionStore().locked(by: storage.writeLock(for: "session"), timeout: .zero)
    var ran = false
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try store.exclusively { ran = true } }
    #expect(!ran)
    stopped.release()
    try store.exclusively { ran = true }
    #expect(ran)
  }

  @Test func `two managers of one process take turns`() throws {
    let lock = ProcessLock()
    #expect(try lock.tryAcquire())
    #expect(try !lock.tryAcquire())
    lock.release()
    #expect(try lock.tryAcquire())
  }

  @Test func `the lock of a write is not the lock of a refresh`() throws {
    let home = TemporaryFolder()
    let storage = FileStorage(folder: home.url)
    let refresh = storage.sessionLock(for: "session")
    #expect(try refresh.tryAcquire())
    #expect(try storage.writeLock(for: "session").tryAcquire())
  }

  @Test func `a follower is told of a write when it is done, and of a failed one too, for it may be done`() throws {
    let storage = MovableStorage()
    let kept = storage.sessionStore()
    let found = Mutex<[SessionRecord?]>([])
    let store = kept.locked(
      by: ProcessLock(),
      telling: ChangeSignal {
        let record = try? kept.read()
        found.withLock { $0.append(record) }
      } changes: {
        nil
      })
    let record = SessionRecord(formerUser: .ada)
    try store.save(record)
    try store.delete()
    storage.refuseWrites()
    storage.refuseDeletes()
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try store.save(record) }
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try store.delete() }
    #expect(found.withLock { $0 } == [record, nil, nil, nil])
  }
}
