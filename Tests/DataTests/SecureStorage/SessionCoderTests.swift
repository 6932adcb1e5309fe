import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

import AuthenticationData

/// A custom store, by the public coder alone.
@Suite struct SessionCoderTests {
  private final class VaultStore: SessionStore {
    private let coder = SessionCoder(realm: "vault")
    private let vault = Mutex<Data?>(nil)

    func read() throws(AuthenticationError) -> SessionRecord? {
      guard let data = vault.withLock({ $0 }) else { return nil }
      return try coder.decode(data)
    }
    func save(_ record: SessionRecord) throws(AuthenticationError) { vault.withLock { $0 = coder.encode(record) } }
    func delete() throws(AuthenticationError) { vault.withLock { $0 = nil } }
  }

  private let record = SessionRecord(
    session: .sample(receivedAt: ManualClock().now), signedInAt: ManualClock().now)

  @Test func `a store in ten lines keeps a session`() throws {
    let store = VaultStore()
    #expect(try store.read() == nil)
    try store.save(record)
    #expect(try store.read() == record)
    try store.delete()
    #expect(try store.read() == nil)
  }

  @Test(arguments: ["vault", nil] as [String?])
  func `a record is read by a coder of its realm, and by a coder without a realm`(
    realm: String?
  ) throws {
    #expect(try SessionCoder(realm: realm).decode(SessionCoder(realm: "vault").encode(record)) == record)
  }

  @Test func `a record of another realm is refused`() throws {
    let data = SessionCoder(realm: "vault").encode(record)
    let error = #expect(throws: AuthenticationError.self) { try SessionCoder(realm: "safe").decode(data) }
    #expect(error == .storageCorrupt && error?.message.contains("another realm") == true)
  }

  @Test(arguments: ["", "session", "AuthenticationKit session 2\n"]) func `data that is no record is corrupt`(
    text: String
  ) {
    #expect(throws: AuthenticationError(.storageCorrupt, "")) { try SessionCoder().decode(Data(text.utf8)) }
  }
}
