import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

@Suite struct FileLockTests {
  let home = TemporaryFolder()

  var path: String { home.url.appending(path: "lock").path }

  @Test func `two locks on one path exclude each other`() throws {
    let first = FileLock(path: path)
    let second = FileLock(path: path)
    #expect(try first.tryAcquire())
    #expect(try !second.tryAcquire())
    first.release()
    #expect(try second.tryAcquire())
    #expect(try !first.tryAcquire())
  }

  @Test func `locks on two paths do not exclude each other`() throws {
    let first = FileLock(path: path)
    #expect(try first.tryAcquire())
    #expect(try FileLock(path: path + "-2").tryAcquire())
    first.release()
  }

  @Test func `a lock that no process holds any more is free`() throws {
    var first: FileLock? = FileLock(path: path)
    #expect(try first?.tryAcquire() == true)
    first = nil
    #expect(try FileLock(path: path).tryAcquire())
  }

  @Test func `releasing a lock that is not held does nothing`() throws {
    let holder = FileLock(path: path)
    let other = FileLock(path: path)
    #expect(try holder.tryAcquire())
    other.release()
    #expect(try !other.tryAcquire())
  }

  @Test func `a lock whose folder is missing makes it, and is given to one only`() throws {
    let path = home.url.appending(path: "missing/folder/lock").path
    #expect(try FileLock(path: path).tryAcquire())
    let held = FileLock(path: path)
    #expect(try held.tryAcquire())
    #expect(try !FileLock(path: path).tryAcquire())
    #expect(home.mode(of: "missing") == 0o700 && home.mode(of: "missing/folder") == 0o700)
    #expect(home.names(in: "missing/folder") == ["lock"])
    held.release()
  }

  @Test func `every lock of a storage makes its folder, or is not taken`() throws {
    let file = home.url.appending(path: "file")
    try Data().write(to: file)
    let locks: [(FileStorage) -> any SessionLock] = [
      { $0.writeLock(for: "session") }, { $0.sessionLock(for: "session") },
    ]
    for (number, lock) in locks.enumerated() {
      let storage = FileStorage(folder: home.url.appending(path: "locks-\(number)"))
      let held = lock(storage)
      #expect(try held.tryAcquire())
      #expect(try !lock(storage).tryAcquire())
      held.release()
      #expect(throws: AuthenticationError(.storageUnavailable, "")) {
        try lock(FileStorage(folder: file.appending(path: "locks"))).tryAcquire()
      }
    }
  }

  @Test func `a link in the lock's place is refused and not followed`() throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "elsewhere")
    let error = #expect(throws: AuthenticationError(.storageUnavailable, "")) { try FileLock(path: path).tryAcquire() }
    #expect(error?.message.contains("symbolic link") == true)
    #expect(home.names(in: "") == ["lock"])
  }

  @Test func `a lock file is empty and closed to others`() throws {
    let lock = FileLock(path: path)
    #expect(try lock.tryAcquire())
    #expect(home.mode(of: "lock") == 0o600)
    #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
  }

  @Test func `waiting for a lock that stays taken ends with an error`() throws {
    let holder = FileLock(path: path)
    #expect(try holder.tryAcquire())
    #expect(throws: AuthenticationError(.storageUnavailable, "")) { try FileLock(path: path).acquire(within: .zero) }
  }

  @Test func `the session lock is another one than the lock of a write`() throws {
    let storage = FileStorage(folder: home.url)
    let lock = storage.sessionLock(for: "session")
    #expect(try lock.tryAcquire())
    try storage.write(Data("value".utf8), for: "session")
    #expect(try !FileStorage(folder: home.url).sessionLock(for: "session").tryAcquire())
    #expect(try storage.sessionLock(for: "other").tryAcquire())
  }
}

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
extension FileLockTests {
  // Root is refused nothing: where the tests run as root, a separate process becomes another user.
  // failure row 9
  @Test(arguments: [0o400, nil])
  func `in a folder of this user's own that is only readable a lock can be taken, also one that is not there`(
    lockFile: Int?
  ) async {
    await #expect(processExitsWith: .success) { [mode = lockFile as Int?] in
      let home = TemporaryFolder()
      let path = home.url.appending(path: "lock").path
      if let mode {
        _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: mode])
      }
      try OtherUser.becomesOwner(of: home.url.path, path)
      try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: home.url.path)
      let (first, second) = (FileLock(path: path), FileLock(path: path))
      #expect(try first.tryAcquire())
      #expect(try !second.tryAcquire())
      #expect(home.mode(of: "") == 0o700 || mode != nil)
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: home.url.path)
    }
  }

  // failure row 9
  @Test(.enabled(if: geteuid() == 0)) func `a lock file of another owner is not taken for a free one`() async {
    await #expect(processExitsWith: .success) {
      let home = TemporaryFolder()
      let path = home.url.appending(path: "lock").path
      _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
      let foreign = TemporaryFolder()
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: foreign.url.path)
      try OtherUser.becomesOwner(of: home.url.path)
      #expect(throws: AuthenticationError(.storageUnavailable, "")) { try FileLock(path: path).tryAcquire() }
      let error = #expect(throws: AuthenticationError.self) {
        try FileLock(path: foreign.url.appending(path: "lock").path).tryAcquire()
      }
      #expect(error?.cause == .init(domain: "errno", code: Int(EACCES)))
    }
  }

  /// Holds the lock in a separate process: it has the open file that was locked, and no other process has.
  func holdElsewhere() throws -> ChildProcess {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX) == 0)
    let process = ChildProcess()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["sleep", "600"]
    process.standardInput = FileHandle(fileDescriptor: descriptor)
    try process.runAlone()
    return process
  }

  // failure row 14
  @Test func `a lock held by another process is free once that process was killed`() throws {
    let process = try holdElsewhere()
    #expect(try !FileLock(path: path).tryAcquire())
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    // Another process that a test starts may have the open file for a moment, until it executes its program.
    #expect(throws: Never.self) { try FileLock(path: path).acquire(within: .seconds(60)) }
  }
}

#if os(Linux)
extension FileLockTests {
  /// Those of this process for the lock file.
  private var descriptors: [Int32] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return all.compactMap(Int32.init).filter {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
    }
  }

  @Test func `a lock that was released is free, even while a process that is being started shares it`() throws {
    let lock = FileLock(path: path)
    #expect(try lock.tryAcquire())
    let shared = dup(try #require(descriptors.first))
    lock.release()
    #expect(try FileLock(path: path).tryAcquire())
    close(shared)
  }

  @Test func `a lock that is not held keeps no file open`() throws {
    let lock = FileLock(path: path)
    #expect(try lock.tryAcquire())
    #expect(try !FileLock(path: path).tryAcquire())
    #expect(descriptors.count == 1)
    lock.release()
    #expect(descriptors == [])
  }

  // failure row 9
  @Test(.enabled(if: OtherUser.mayMount)) func `on a disk that is only readable a lock that is there can be taken`()
    async
  {
    await #expect(processExitsWith: .success) {
      let home = TemporaryFolder()
      let (path, folder) = (home.url.appending(path: "lock").path, home.url.path)
      // Only this process sees the disk.
      try #require(OtherUser.leavesTheMounts())
      try #require(unsafe mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0)
      try #require(unsafe mount("none", folder, "tmpfs", 0, nil) == 0)
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      try #require(unsafe mount("none", folder, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
      let lock = FileLock(path: path)
      #expect(try lock.tryAcquire())
      #expect(try !FileLock(path: path).tryAcquire())
      let error = #expect(throws: AuthenticationError.self) { try FileLock(path: path + "-2").tryAcquire() }
      #expect(error?.cause == .init(domain: "errno", code: Int(EROFS)))
      lock.release()
      _ = unsafe umount(folder)
    }
  }
}
#endif

private enum OtherUser {
  #if os(Linux)
  /// CAP_SYS_ADMIN, which root has outside of most containers.
  static let mayMount = {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    return (line.flatMap { UInt64($0.dropFirst(8), radix: 16) } ?? 0) & 1 << 21 != 0
  }()

  /// unshare(2) with CLONE_NEWNS, which Swift does not import.
  static func leavesTheMounts() -> Bool {
    guard let call = unsafe dlsym(nil, "unshare") else { return false }
    return unsafe unsafeBitCast(call, to: (@convention(c) (Int32) -> Int32).self)(0x20000) == 0
  }
  #endif

  /// Gives them the files; the process has their rights from then on, if it was root's.
  static func becomesOwner(of paths: String...) throws {
    guard geteuid() == 0 else { return }
    let otherUser = 65_534
    for path in paths where FileManager.default.fileExists(atPath: path) {
      try FileManager.default.setAttributes([.ownerAccountID: otherUser], ofItemAtPath: path)
    }
    try #require(setgid(gid_t(otherUser)) == 0 && setuid(uid_t(otherUser)) == 0)
  }
}
#endif
