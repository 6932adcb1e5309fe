import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// The remains of a killed process, a full disk or another writer.
@Suite struct FileStorageInterruptionTests {
  let home = TemporaryFolder()
  let old = Data("old-canary".utf8)
  let new = Data("new-canary".utf8)

  var storage: FileStorage { FileStorage(folder: home.url) }
  var leftover: URL { home.url.appending(path: ".session.unfinished") }

  /// As a process killed in the middle of a write of `new` leaves it.
  func interruptWrite() throws { try new.prefix(5).write(to: leftover) }

  @Test func `an interrupted write keeps the old value, and reading removes its unfinished file`() throws {
    try storage.write(old, for: "session")
    try interruptWrite()
    #expect(try storage.read("session") == old)
    #expect(home.names(in: "") == ["session", ".session.lock"])
  }

  @Test func `an interrupted first write is absent, and reading removes its unfinished file`() throws {
    try interruptWrite()
    #expect(try storage.read("session") == nil)
    #expect(home.names(in: "") == [".session.lock"])
  }

  @Test func `deleting removes the unfinished file of an interrupted write`() throws {
    try storage.write(old, for: "session")
    try interruptWrite()
    try storage.delete("session")
    #expect(home.names(in: "") == [".session.lock"])
  }

  @Test func `a write over the unfinished file of an interrupted one is whole, and closed to others`() throws {
    try Data(repeating: 0x78, count: 1_000).write(to: leftover)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: leftover.path)
    try storage.write(new, for: "session")
    #expect(try Data(contentsOf: home.url.appending(path: "session")) == new)
    #expect(home.mode(of: "session") == 0o600)
    #expect(home.names(in: "") == ["session", ".session.lock"])
  }

  @Test func `the file that another process is writing now is left alone`() throws {
    try storage.write(old, for: "session")
    let writer = FileLock(path: home.url.appending(path: ".session.lock").path)
    #expect(try writer.tryAcquire())
    try interruptWrite()
    #expect(try storage.read("session") == old)
    #expect(home.names(in: "").contains(".session.unfinished"))
    writer.release()
    #expect(try storage.read("session") == old)
    #expect(!home.names(in: "").contains(".session.unfinished"))
  }
}

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
extension FileStorageInterruptionTests {
  // A limit on the size of files stands for a full disk: root obeys it too, and it needs no mount. It holds for the
  // whole process, so it is set in a separate one.
  @Test func `a disk that is full keeps the old value and no part of the new one`() async {
    await #expect(processExitsWith: .success) {
      let home = TemporaryFolder()
      let storage = FileStorage(folder: home.url)
      let old = Data("old".utf8)
      try storage.write(old, for: "session")
      LimitedFiles.toBytes(100)
      let error = #expect(throws: AuthenticationError.self) {
        try storage.write(Data(repeating: 0x78, count: 101), for: "session")
      }
      #expect(error == .storageUnavailable)
      #expect(error?.cause == .init(domain: "errno", code: Int(EFBIG)))
      #expect(home.names(in: "") == ["session", ".session.lock"])
      #expect(try storage.read("session") == old)
      #expect(throws: AuthenticationError(.storageUnavailable, "")) {
        try storage.write(Data(repeating: 0x78, count: 101), for: "first")
      }
      #expect(try storage.read("first") == nil)
    }
  }
}

private enum LimitedFiles {
  /// For the whole process; a write beyond it fails with EFBIG.
  static func toBytes(_ size: Int) {
    _ = signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(size), rlim_max: rlim_t(size))
    #if canImport(Darwin)
    _ = unsafe setrlimit(RLIMIT_FSIZE, &limit)
    #else
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #endif
  }
}
#endif
