import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

// origin A5
@Suite struct FileStorageTests {
  let home = TemporaryFolder()
  let old = Data("old-canary".utf8)
  let new = Data("new-canary".utf8)
  let other = Data("other-canary".utf8)

  var folder: URL { home.url.appending(path: "secrets") }
  var storage: FileStorage { FileStorage(folder: folder) }
  func file(_ name: String) -> URL { folder.appending(path: name) }

  @Test func `a secret is a file of 0600 in a folder of 0700`() throws {
    try storage.write(old, for: "session")
    #expect(home.mode(of: "secrets") == 0o700)
    #expect(home.mode(of: "secrets/session") == 0o600)
    #expect(try Data(contentsOf: file("session")) == old)
    #expect(home.names(in: "secrets") == ["session", ".session.lock"])
    #expect(home.mode(of: "secrets/.session.lock") == 0o600)
  }

  @Test func `many storages that create the folder at once all store their values`() async throws {
    for number in 0..<40 {
      let folder = home.url.appending(path: "new-\(number)")
      let failures = await withTaskGroup(of: Bool.self) { group in
        for key in ["session", "log", "other", "more"] {
          group.addTask { (try? FileStorage(folder: folder).write(Data("x".utf8), for: key)) == nil }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(failures == 0)
    }
  }

  @Test func `reading and deleting make no folder and no file`() throws {
    #expect(try storage.read("session") == nil)
    try storage.delete("session")
    #expect(home.names(in: "") == [])
  }

  @Test(arguments: [0o750, 0o705, 0o701, 0o770, 0o777])
  func `a folder that others may enter is refused, and the message names the remedy`(mode: Int) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
    let error = #expect(throws: AuthenticationError.self) { try storage.write(old, for: "session") }
    #expect(error == .storageUnavailable)
    #expect(error?.message.contains("open to others: make it yours, with mode 700") == true)
    #expect(home.names(in: "secrets") == [])
    #expect(home.mode(of: "secrets") == mode)
  }

  @Test(arguments: [0o750, 0o707, 0o722])
  func `the content of a folder that others may enter is neither read nor deleted`(mode: Int) throws {
    try storage.write(old, for: "session")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
    let error = #expect(throws: AuthenticationError.self) { try storage.read("session") }
    #expect(error == .storageUnavailable && error?.message.contains("mode 700") == true)
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.delete("session") }
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    #expect(try storage.read("session") == old)
  }

  @Test func `a folder that is a link is refused`() throws {
    try FileManager.default.createDirectory(at: home.url.appending(path: "other"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: folder.path, withDestinationPath: "other")
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.write(old, for: "session") }
    #expect(home.names(in: "other") == [])
  }

  @Test(arguments: [0o644, 0o640, 0o604, 0o666, 0o660])
  func `a file that others may read is closed to them when it is read`(mode: Int) throws {
    try storage.write(old, for: "session")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file("session").path)
    #expect(try storage.read("session") == old)
    #expect(home.mode(of: "secrets/session") == 0o600)
  }

  @Test func `a link in a secret's place is neither followed nor removed`() throws {
    try storage.write(old, for: "other")
    try FileManager.default.createSymbolicLink(atPath: file("session").path, withDestinationPath: "other")
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.read("session") }
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.delete("session") }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file("session").path) == "other")
    #expect(try storage.read("other") == old)
  }

  @Test func `a link in a secret's place is replaced by a write, and not written through`() throws {
    try storage.write(old, for: "other")
    try FileManager.default.createSymbolicLink(atPath: file("session").path, withDestinationPath: "other")
    try storage.write(new, for: "session")
    #expect(try storage.read("session") == new)
    #expect(try storage.read("other") == old)
  }

  @Test func `a link in the place of the unfinished file is not written through`() throws {
    try storage.write(old, for: "other")
    try FileManager.default.createSymbolicLink(atPath: file(".session.unfinished").path, withDestinationPath: "other")
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.write(new, for: "session") }
    #expect(try storage.read("other") == old)
  }

  @Test func `a folder in a secret's place is an error, and its content stays`() throws {
    try FileManager.default.createDirectory(
      at: file("session/inner"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.read("session") }
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.write(new, for: "session") }
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.delete("session") }
    #expect(home.names(in: "secrets/session") == ["inner"])
    #expect(home.names(in: "secrets") == ["session", ".session.lock"])
  }

  @Test func `a file in the folder's place is an error for every call, and stays`() throws {
    try old.write(to: folder)
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.read("session") }
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.write(new, for: "session") }
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.delete("session") }
    #expect(try Data(contentsOf: folder) == old)
  }

  @Test func `keys too long for a file name have files of their own`() throws {
    let long = String(repeating: "k", count: 300)
    try storage.write(old, for: long)
    try storage.write(new, for: long + "k")
    #expect(try storage.read(long) == old)
    #expect(try storage.read(long + "k") == new)
    // The SHA-256 of three hundred k, by another implementation.
    #expect(
      home.names(in: "secrets").contains {
        $0 == String(repeating: "k", count: 64) + "-17b16d8ef494060fefa36a6a41567b8c32d213a17e02b7eeae86158cc4495461"
      })
  }

  // failure row 7
  @Test func `a file larger than any session is corrupt, and is not read into memory`() throws {
    try storage.write(old, for: "session")
    let file = folder.appending(path: "session")
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: 1 << 43)
    try handle.close()
    #expect(throws: AuthenticationError(.storageCorrupt, "")) { try storage.read("session") }
  }

  // failure row 7
  @Test(arguments: [false, true]) func `a file larger than any session is moved aside, and not erased`(
    isDeleted: Bool
  ) throws {
    for content in [old, other] {
      try storage.write(content, for: "session")
      try makeTooLarge("session")
      if isDeleted { try storage.delete("session") } else { try storage.write(new, for: "session") }
      #expect(try storage.read("session") == (isDeleted ? nil : new))
    }
    for (number, content) in [(1, old), (2, other)] {
      let aside = try FileHandle(forReadingFrom: folder.appending(path: ".session.foreign-\(number)"))
      #expect(try aside.read(upToCount: content.count) == content)
      #expect(try aside.seekToEnd() == 1 << 33)
    }
  }

  // failure row 7
  @Test func `a file larger than any session keeps no new session out, where a keyring may answer later`() throws {
    try storage.write(old, for: "session")
    try makeTooLarge("session")
    let keyring = InMemoryStorage()
    let migrating = MigratingStorage(from: storage, to: keyring, lockPath: home.url.appending(path: "lock").path)
    try migrating.write(new, for: "session")
    #expect(try migrating.read("session") == new)
    #expect(home.names(in: "secrets").contains(".session.foreign-1"))
  }

  private func makeTooLarge(_ name: String) throws {
    let handle = try FileHandle(forWritingTo: folder.appending(path: name))
    try handle.truncate(atOffset: 1 << 33)
    try handle.close()
  }

  @Test func `a value that is too large to be read again is not written`() throws {
    try storage.write(old, for: "session")
    let error = #expect(throws: AuthenticationError.self) {
      try storage.write(Data(count: 4 << 20 + 1), for: "session")
    }
    #expect(error == .storageUnavailable)
    #expect(try storage.read("session") == old)
  }

  @Test(arguments: [
    ("session", "session"), ("A", "%41"), ("a/b", "a%2fb"), ("../x", "%2e.%2fx"), (".hidden", "%2ehidden"),
    ("ä", "%c3%a4"), ("\u{1}", "%01"), ("%41", "%2541"), ("a.lock", "a.lock"), ("", "%"),
  ])
  func `each key has a file name of its own, in lower case, that is not hidden`(key: String, name: String) throws {
    try storage.write(old, for: key)
    #expect(home.names(in: "secrets") == [name, ".\(name).lock"])
  }

  @Test func `an error names the place and holds nothing of the secret`() throws {
    try old.write(to: folder)
    let error = #expect(throws: AuthenticationError.self) { try storage.write(new, for: "session") }
    #expect(error.map { "\($0)" }?.contains("canary") == false)
    #expect(error?.message.contains(folder.path) == true)
  }
}
