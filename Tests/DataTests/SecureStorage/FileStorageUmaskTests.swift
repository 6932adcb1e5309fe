#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// Root is refused nothing: where the tests run as root, a separate process becomes another user.
@Suite struct FileStorageUmaskTests {
  @Test(arguments: [0o177, 0o277, 0o377, 0o777, 0o077, 0o000])
  func `folders and files have their modes whatever the umask, and can be used again`(mask: Int) async {
    await #expect(processExitsWith: .success) { [mask = mask as Int] in
      let home = try OtherUser.home()
      umask(mode_t(mask))
      let storage = FileStorage(folder: home.url.appending(path: "state/app/secrets"))
      let store = storage.sessionStore().locked(
        by: storage.writeLock(for: "session"), telling: storage.signalFile(for: "session"))
      let token = try AccessToken(Secret("token"), receivedAt: Date(), lifetime: nil)
      let record = SessionRecord(session: AuthSession(user: User(id: "ada"), tokens: SessionTokens(access: token)))
      for _ in 0..<2 {
        let lock = storage.sessionLock(for: "session")
        #expect(try lock.tryAcquire())
        try store.exclusively { #expect(throws: Never.self) { try store.save(record) } }
        #expect(try store.read()?.session?.user.id == "ada")
        lock.release()
      }
      for folder in ["state", "state/app", "state/app/secrets"] { #expect(home.mode(of: folder) == 0o700) }
      let names = home.names(in: "state/app/secrets")
      #expect(names.count == 5, "\(names)")
      for name in names { #expect(home.mode(of: "state/app/secrets/\(name)") == 0o600) }
      try store.delete()
    }
  }

  @Test(arguments: [0o600, 0o500, 0o400, 0o000, 0o300])
  func `a folder of this user's own that lacks a bit of its owner's is given it`(mode: Int) async {
    await #expect(processExitsWith: .success) { [mode = mode as Int] in
      for broken in ["state", "state/secrets"] {
        let home = try OtherUser.home()
        let storage = FileStorage(folder: home.url.appending(path: "state/secrets"))
        try storage.write(Data("old".utf8), for: "session")
        try home.setMode(mode, of: broken)
        #expect(try storage.read("session") == Data("old".utf8))
        try home.setMode(mode, of: broken)
        try storage.write(Data("new".utf8), for: "session")
        try home.setMode(mode, of: broken)
        #expect(try storage.writeLock(for: "session").tryAcquire())
        try home.setMode(mode, of: broken)
        try storage.delete("session")
        #expect(home.mode(of: "state/secrets") == 0o700)
      }
    }
  }

  @Test(arguments: [0o600, 0o400, 0o000])
  func `each of the folders above gets the permissions that it lacks, at once, unless others may enter it`(mode: Int)
    async
  {
    await #expect(processExitsWith: .success) { [mode = mode as Int] in
      let home = try OtherUser.home()
      let storage = FileStorage(folder: home.url.appending(path: "state/app/secrets"))
      try storage.write(Data("old".utf8), for: "session")
      for broken in ["state/app", "state"] { try home.setMode(mode, of: broken) }
      #expect(try storage.read("session") == Data("old".utf8))
      #expect(home.mode(of: "state") == 0o700 && home.mode(of: "state/app") == 0o700)
      try home.setMode(mode | 0o055, of: "state")
      #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.read("session") }
      #expect(home.mode(of: "state") == mode | 0o055)
    }
  }

  @Test func `the mode of a file that a link names is left as it is`() async {
    await #expect(processExitsWith: .success) {
      let home = try OtherUser.home()
      let storage = FileStorage(folder: home.url.appending(path: "secrets"))
      try storage.write(Data("old".utf8), for: "session")
      try Data().write(to: home.url.appending(path: "other"))
      try home.setMode(0o400, of: "other")
      let file = home.url.appending(path: "secrets/session")
      try FileManager.default.removeItem(at: file)
      try FileManager.default.createSymbolicLink(at: file, withDestinationURL: home.url.appending(path: "other"))
      #expect(throws: AuthenticationError(.storageUnavailable, "")) { try storage.read("session") }
      #expect(home.mode(of: "other") == 0o400)
    }
  }

  @Test(arguments: [0o600, 0o500, 0o400, 0o000])
  func `a folder is made in one that a umask has left without a bit of its owner's`(mode: Int) async {
    await #expect(processExitsWith: .success) { [mode = mode as Int] in
      let home = try OtherUser.home()
      try FileManager.default.createDirectory(at: home.url.appending(path: "state"), withIntermediateDirectories: false)
      try home.setMode(mode, of: "state")
      let storage = FileStorage(folder: home.url.appending(path: "state/secrets"))
      try storage.write(Data("new".utf8), for: "session")
      #expect(try storage.read("session") == Data("new".utf8))
    }
  }

  @Test(arguments: [0o000, 0o200, 0o400])
  func `a file and a lock of this user's own that lack a bit of their owner's are given it`(mode: Int) async {
    await #expect(processExitsWith: .success) { [mode = mode as Int] in
      let home = try OtherUser.home()
      let storage = FileStorage(folder: home.url.appending(path: "secrets"))
      try storage.write(Data("old".utf8), for: "session")
      for name in home.names(in: "secrets") { try home.setMode(mode, of: "secrets/\(name)") }
      #expect(try storage.read("session") == Data("old".utf8))
      try storage.write(Data("new".utf8), for: "session")
      #expect(try storage.read("session") == Data("new".utf8))
      try storage.delete("session")
    }
  }
}

private enum OtherUser {
  /// A folder of theirs; the process has their rights from then on, if it was root's.
  static func home() throws -> TemporaryFolder {
    let home = TemporaryFolder()
    if geteuid() == 0 {
      let otherUser = 65_534
      try FileManager.default.setAttributes([.ownerAccountID: otherUser], ofItemAtPath: home.url.path)
      try #require(setgid(gid_t(otherUser)) == 0 && setuid(uid_t(otherUser)) == 0)
    }
    return home
  }
}

extension TemporaryFolder {
  fileprivate func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.appending(path: name).path)
  }
}
#endif
