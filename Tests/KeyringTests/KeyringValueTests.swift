import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationData

extension KeyringTests {
  @Suite struct ValueTests {
    @Test(arguments: [8_192, 8_193, 61_440, 1 << 20])
    func `a secret of any size survives a restart of the service`(count: Int) throws {
      let storage = storage()
      let value = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      try storage.write(value, for: "session")
      try Keyring.unlock()
      #expect(try storage.read("session") == value)
    }

    @Test func `bytes that are no text come back as they were`() throws {
      let storage = storage()
      for value in [Data([0, 0xFF, 0xFE, 0, 0x80]), Data("a\0b".utf8), Data(), Data([0x0A, 0x0D, 0x20])] {
        try storage.write(value, for: "session")
        #expect(try storage.read("session") == value)
      }
    }

    @Test func `two apps do not see each other's secrets`() throws {
      let (ours, theirs) = (storage(), storage())
      try ours.write(Data("ours".utf8), for: "session")
      #expect(try theirs.read("session") == nil)
      try theirs.write(Data("theirs".utf8), for: "session")
      try theirs.delete("session")
      #expect(try ours.read("session") == Data("ours".utf8))
    }

    @Test func `keys that differ in a character that D-Bus cannot carry are two keys`() throws {
      let storage = storage()
      for key in ["a", "a\0b", "a%00b", "a\0"] { try storage.write(Data(key.utf8), for: key) }
      for key in ["a", "a\0b", "a%00b", "a\0"] { #expect(try storage.read(key) == Data(key.utf8)) }
    }

    @Test func `the desktop shows the app and the key of a secret, and nothing more`() throws {
      let storage = SecretServiceStorage(service: "Notes", asksToUnlock: false)
      try storage.write(Data("canary-secret".utf8), for: "session")
      defer { try? storage.delete("session") }
      let shown = try Keyring.labelsAndAttributes()
      #expect(shown.contains("Notes: session"))
      for text in ["canary-secret", Data("canary-secret".utf8).base64EncodedString()] {
        #expect(!shown.contains(text))
      }
    }

    @Test func `an item that another program has written under our key is corrupt, and stays`() throws {
      let access = try SecretServiceAccess(to: .init(service: "Foreign", key: "session"), within: .seconds(10))
      try access.add("not base 64!", label: "foreign")
      let storage = SecretServiceStorage(service: "Foreign", asksToUnlock: false)
      let error = thrown { () throws(AuthenticationError) in _ = try storage.read("session") }
      #expect(error == .storageCorrupt)
      #expect(error.map { "\($0)" }?.contains("base 64") == false)
      #expect(try access.items(withSecrets: true).text == "not base 64!")
      try storage.delete("session")
    }
  }
}
