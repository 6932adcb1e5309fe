import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Testing

@Suite struct LockingSessionStoreTests {
  // failure row 13
  @Test func `while one process reads and writes, no other does`() throws {
    let home = TemporaryFolder()
    let storage = FileStorage(folder: home.url)
    let store = SecureSessionStore(storage).locked(by: storage.writeLock(for: "session"))
    let another = storage.writeLock(for: "session")
    var isFreeMeanwhile: Bool?
    try store.exclusively {
      isFreeMeanwhile = try? another.tryAcquire()
    }
    #expect(isFreeMeanwhile == false)
    #expect(try another.tryAcquire())
  }

  @Test func `the lock of a write is not the lock of a renewal`() throws {
    let home = TemporaryFolder()
    let storage = FileStorage(folder: home.url)
    let renewal = storage.sessionLock(for: "session")
    #expect(try renewal.tryAcquire())
    #expect(try storage.writeLock(for: "session").tryAcquire())
  }
}
