import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationData

extension KeyringTests {
  /// failure rows 1, 2 and 4: a value out of reach is not absent, and no call waits for ever.
  @Suite struct UnavailableTests {
    let value = Data("canary-secret".utf8)

    private func errors(of storage: SecretServiceStorage) -> [AuthenticationError?] {
      [
        thrown { () throws(AuthenticationError) in _ = try storage.read("session") },
        thrown { () throws(AuthenticationError) in _ = try storage.read("never written") },
        thrown { () throws(AuthenticationError) in try storage.write(Data("new".utf8), for: "session") },
        thrown { () throws(AuthenticationError) in try storage.write(Data("new".utf8), for: "never written") },
        thrown { () throws(AuthenticationError) in try storage.delete("session") },
        thrown { () throws(AuthenticationError) in try storage.delete("never written") },
      ]
    }

    @Test func `a locked keyring is unavailable and not absent, and keeps its values`() throws {
      let storage = storage()
      try storage.write(value, for: "session")
      #expect(storage.isOpen)
      try Keyring.lock()
      defer { try? Keyring.unlock() }
      #expect(!storage.isOpen)
      #expect(errors(of: storage) == Array(repeating: .storageUnavailable, count: 6))
      #expect(errors(of: storage).map { $0?.message } == Array(repeating: "The keyring is locked.", count: 6))
      try Keyring.unlock()
      #expect(try storage.read("session") == value)
      #expect(try storage.read("never written") == nil)
    }

    @Test func `a user who does not unlock the keyring is an error of its own, and the session stays`() throws {
      let storage = storage(promptTimeout: .seconds(1))
      try storage.write(value, for: "session")
      try Keyring.lock()
      defer { try? Keyring.unlock() }
      #expect(errors(of: storage) == Array(repeating: .userPresenceRequired, count: 6))
      try Keyring.unlock()
      #expect(try storage.read("session") == value)
    }

    @Test func `a prompt without an answer ends`() throws {
      let storage = storage(promptTimeout: .milliseconds(300))
      try storage.write(value, for: "session")
      defer { try? Keyring.unlock() }
      try Keyring.withHangingPrompt {
        try Keyring.lock()
        #expect(
          thrown { () throws(AuthenticationError) in _ = try storage.read("session") } == .userPresenceRequired)
      }
      try Keyring.unlock()
      #expect(try storage.read("session") == value)
    }

    @Test func `a service that answers nothing ends each call with an error`() throws {
      let storage = storage(limit: .milliseconds(200))
      try Keyring.whileStopped {
        #expect(!storage.isOpen)
        let errors = errors(of: storage)
        #expect(errors == Array(repeating: .storageUnavailable, count: 6))
        #expect(Set(errors.map { $0?.message }) == ["The Secret Service did not answer in time."])
      }
    }

    @Test func `a service that was restarted is spoken to again`() throws {
      let storage = storage()
      try storage.write(value, for: "session")
      try Keyring.unlock()
      #expect(try storage.read("session") == value)
    }
  }
}
