import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationKit

extension KeyringTests {
  /// failure row 6: an app that composes the platform's default.
  @Suite struct SessionTests {
    let home = TemporaryFolder()
    let record: SessionRecord

    init() throws {
      let access = try AccessToken(Secret("canary-access"), receivedAt: Date(timeIntervalSince1970: 0))
      record = SessionRecord(session: AuthSession(user: .ada, tokens: SessionTokens(access: access)))
    }

    private func store(_ storage: StorageLocation) -> any SessionStore { storage.realm("api").store }
    private var folder: URL { home.url.appending(path: "state") }
    private var preferred: StorageLocation { .secretServiceOrFiles(service: "app", in: folder, key: "session") }

    @Test func `a session in files moves to the keyring, and stays there`() throws {
      try store(.files(in: folder)).save(record)
      #expect(try store(preferred).read() == record)
      #expect(try store(.files(in: folder)).read() == nil)
      #expect(try store(.secretService("app", locksIn: folder)).read() == record)
      try store(preferred).delete()
      #expect(try store(.secretService("app", locksIn: folder)).read() == nil)
    }

    @Test func `a session in the keyring is unavailable, not absent, while the keyring is locked`() throws {
      try store(preferred).save(record)
      try Keyring.lock()
      defer { try? Keyring.unlock() }
      #expect(throws: AuthenticationError(.storageUnavailable, "")) { try store(preferred).read() }
      #expect(throws: AuthenticationError(.storageUnavailable, "")) { try store(preferred).save(record) }
      try Keyring.unlock()
      #expect(try store(preferred).read() == record)
    }

    @Test func `a first session goes into a file while the keyring is locked, and moves when it opens`() throws {
      try Keyring.lock()
      defer { try? Keyring.unlock() }
      try store(preferred).save(record)
      #expect(try store(.files(in: folder)).read() == record)
      try Keyring.unlock()
      #expect(try store(preferred).read() == record)
      #expect(try store(.files(in: folder)).read() == nil)
    }

    @Test func `a session in the keyring is unavailable, not absent, where there is no bus`() async throws {
      try store(preferred).save(record)
      let path = folder.path
      await #expect(processExitsWith: .success) { [path = path as String] in
        Keyring.leave()
        let storage = StorageLocation.secretServiceOrFiles(service: "app", in: URL(filePath: path), key: "session")
        #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.realm("api").store.read() }
      }
      #expect(try store(preferred).read() == record)
    }

    @Test func `two folders with one name do not share a session`() throws {
      try store(preferred).save(record)
      let other = home.url.appending(path: "other")
      #expect(try store(.secretService("app", locksIn: other)).read() == nil)
    }

    @Test func `processes with one folder keep each other out while they write`() throws {
      let lock = preferred.realm("api").lock
      try store(preferred).save(record)
      #expect(try #require(lock).tryAcquire())
      #expect(try #require(preferred.realm("api").lock).tryAcquire() == false)
      lock?.release()
    }
  }
}
