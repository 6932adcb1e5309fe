public import AuthenticationDomain
public import Foundation
#if canImport(Security)
import Security
#endif

/// Stores each secret in a file that only its owner can read: 0600, in a folder of 0700.
///
/// A write replaces the file atomically and reaches the disk (fsync of file and folder; on Apple platforms
/// `F_FULLFSYNC`) before it returns. If a process is killed while it writes, the file it leaves behind is removed by the
/// next access. Calls block; writers of several processes wait for each other, at most 2 seconds. On Apple platforms the
/// system is asked to leave the file out of backups, and to decrypt it after the first unlock since a restart; a volume
/// that cannot do this keeps the file all the same.
///
/// Files and folders have these modes whatever the umask. If a folder or file of this user, closed to others, lacks a bit
/// of its owner's, it is added; a mode that lets others in is never changed.
///
/// Not every file system has every call (network file systems, FUSE, shared folders of virtual machines):
///
/// | call | if the file system does not have it |
/// |---|---|
/// | `fsync` (`EINVAL`, `ENOTSUP`, `EOPNOTSUPP`, `ENOSYS`) | A written and renamed file counts as stored. Any other failure (`EIO`, `ENOSPC`) is an error. |
/// | `F_FULLFSYNC` | `fsync` is used. |
/// | `flock` (also `ENOLCK`) | ``AuthenticationError/storageUnavailable``, which names the call: without locks two processes could send one refresh token. |
/// | `fchmod`, `fchmodat` | The mode of the mount counts: a file or folder that other users may read is refused. |
/// | `link` | A file that is too large to be read, and is replaced, is renamed instead. |
/// | `rename`, `mkdir`, `O_CREAT`, `O_NOFOLLOW` | ``AuthenticationError/storageUnavailable``; the stored value is left as it is. |
/// | `inotify` | Changes by other processes are noticed at the next read, not at once. |
/// | backups, data protection | The file is stored without. |
///
/// ```swift
/// let storage = FileStorage(folder: folder.appending(path: "Sessions"))
/// try storage.write(secret, for: "session")
/// ```
public struct FileStorage: SecureStorage {
  /// The folder of the files: one for each key, and its locks.
  package let folder: URL
  private let path: String
  private let sync: OwnedFile.Sync

  /// Creates a storage in this folder, which is created on the first write.
  ///
  /// An existing folder must belong to this user and be accessible to no other user. That is checked at each access:
  /// another user with write access could replace the session.
  public init(folder: URL) { self.init(folder: folder, sync: OwnedFile.reachDisk) }

  init(folder: URL, sync: @escaping OwnedFile.Sync) {
    self.folder = folder
    self.sync = sync
    // Not `path`, whose first use takes longer than restoring a session (Linux).
    let path = folder.path(percentEncoded: false)
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  public func read(_ key: String) throws(AuthenticationError) -> Data? {
    guard try OwnedFile.checkFolder(path) else { return nil }
    let names = names(key)
    removeLeftover(names)
    guard let file = try OwnedFile(reading: names.value) else { return nil }
    return try file.contents()
  }

  public func write(_ value: Data, for key: String) throws(AuthenticationError) {
    guard value.count <= OwnedFile.largest else { throw .tooLarge(value.count) }
    try makeFolder()
    let names = names(key)
    let lock = FileLock(path: names.lock)
    try lock.acquire(within: .seconds(2))
    defer { lock.release() }
    do {
      let file = try OwnedFile(creating: names.unfinished)
      try file.append(value)
      OwnedFile.keepOnDevice(names.unfinished)
      try file.sync(by: sync)
      try keepForeign(names)
      try OwnedFile.move(from: names.unfinished, to: names.value)
    } catch {
      OwnedFile.remove(names.unfinished)
      throw error
    }
    try OwnedFile.syncFolder(path, by: sync)
  }

  public func delete(_ key: String) throws(AuthenticationError) {
    guard try OwnedFile.checkFolder(path) else { return }
    let names = names(key)
    removeLeftover(names)
    guard let file = try OwnedFile(reading: names.value) else { return }
    if file.isForeign {
      let lock = FileLock(path: names.lock)
      try lock.acquire(within: .seconds(2))
      defer { lock.release() }
      try keepForeign(names)
    }
    if let failure = OwnedFile.remove(names.value) { throw failure }
    try OwnedFile.syncFolder(path, by: sync)
  }

  /// The folder.
  public var identity: [String]? {
    ["files", folder.standardizedFileURL.resolvingSymlinksInPath().path(percentEncoded: false)]
  }

  /// Returns a lock on the folder's key for ``AuthManager``, which other processes with the same folder respect.
  public func sessionLock(for key: String) -> any SessionLock {
    let lock = FileLock(path: names(key).sessionLock)
    #if canImport(Security) && !os(macOS)
    return SuspendingLock(lock) {
      ProcessInfo.processInfo.performExpiringActivity(withReason: "Refreshing a session", using: $0)
    }
    #else
    return lock
    #endif
  }

  /// Returns a lock for ``SessionStore/locked(by:telling:timeout:)``: held for one write, never during a request.
  package func writeLock(for key: String) -> FileLock { FileLock(path: names(key).writeLock) }

  /// Returns a signal for ``SessionStore/locked(by:telling:timeout:)``, which notifies every process with this folder
  /// of each write.
  package func changeSignal(for key: String) -> ChangeSignal { .contents(of: names(key).name, in: path) }

  /// Returns a signal for a store that keeps its values elsewhere, and its locks here.
  package func signalFile(for key: String) -> ChangeSignal { .file(".\(names(key).name).changed", in: path) }

  private func names(_ key: String) -> FileNames { FileNames(folder: path, key: key) }

  package func makeFolder() throws(AuthenticationError) { try OwnedFile.makeFolder(path) }

  /// Called under the lock. A file that is too large to be read, and therefore to be copied, is not erased either: it
  /// is given another name before it loses this one.
  private func keepForeign(_ names: FileNames) throws(AuthenticationError) {
    guard let file = try? OwnedFile(reading: names.value), file.isForeign else { return }
    try OwnedFile.link(names.value, as: names.foreign)
  }

  private func removeLeftover(_ names: FileNames) {
    guard OwnedFile.exists(names.unfinished) else { return }
    let lock = FileLock(path: names.lock)
    guard (try? lock.tryAcquire()) == true else { return }
    OwnedFile.remove(names.unfinished)
    lock.release()
  }
}

/// The files of one key. Names that are not values begin with a dot, which no key's file name does.
private struct FileNames {
  let name: String
  private let folder: String

  init(folder: String, key: String) {
    name = Self.escaped(key)
    self.folder = folder
  }

  var value: String { "\(folder)/\(name)" }
  var unfinished: String { hidden("unfinished") }
  var foreign: String { hidden("foreign") }
  var lock: String { hidden("lock") }
  var sessionLock: String { hidden("session-lock") }
  var writeLock: String { hidden("write-lock") }

  private func hidden(_ suffix: String) -> String { "\(folder)/.\(name).\(suffix)" }

  /// One file name for each key, also if the file system ignores upper and lower case.
  private static func escaped(_ key: String) -> String {
    if key.isEmpty { return "%" }
    var name = ""
    for byte in key.utf8 {
      let isPlain = (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
      let isInnerDot = byte == 0x2E && !name.isEmpty
      if isPlain || isInnerDot {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        name += "%" + String(decoding: [byte].hexadecimalDigits, as: UTF8.self)
      }
    }
    // A file name has at most 255 bytes, and the names derived from this one are longer. With the hash, two keys do not
    // get the same name.
    return name.utf8.count <= 128 ? name : name.prefix(64) + "-" + PublicSHA256.hexadecimal(key.utf8)
  }
}

/// An open file that belongs to this user and that no other user can read.
struct OwnedFile: ~Copyable {
  private let descriptor: Int32
  private let path: String
  private let size: Int
  /// The largest file that is written, or read into memory, in bytes.
  static let largest = 4 << 20

  /// Returns 0 once all data of the descriptor is on the disk.
  typealias Sync = @Sendable (_ descriptor: Int32) -> Int32

  /// Apple's fsync leaves the data in the drive's cache; not every file system has more.
  static let reachDisk: Sync = { descriptor in
    #if canImport(Darwin)
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
    #endif
    return fsync(descriptor)
  }

  /// Leaves a file out of backups, and binds it to the first unlock since a restart, on file systems that can.
  static func keepOnDevice(_ path: String) {
    #if canImport(Darwin)
    var (url, values) = (URL(filePath: path), URLResourceValues())
    values.isExcludedFromBackup = true
    try? url.setResourceValues(values)
    try? FileManager.default.setAttributes(
      [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: path)
    #endif
  }

  /// Nil if there is no such file. A link, a file of another owner, or anything but a regular file is refused; if
  /// others may read this user's file, their access is removed.
  init?(reading path: String) throws(AuthenticationError) {
    let descriptor = Self.openFile(path, O_RDONLY | O_NONBLOCK)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw .fileSystem("A stored secret cannot be opened", path, errno)
    }
    var status = stat()
    let isOurs =
      unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
    guard isOurs, Self.isClosedToOthers(descriptor) else {
      close(descriptor)
      throw .fileSystem("A stored secret is not a file of this user's own", path)
    }
    self.descriptor = descriptor
    self.path = path
    self.size = Int(status.st_size)
  }

  init(creating path: String) throws(AuthenticationError) {
    descriptor = Self.openFile(path, O_WRONLY | O_CREAT | O_TRUNC)
    self.path = path
    size = 0
    guard descriptor >= 0 else { throw .fileSystem("A file for a secret cannot be created", path, errno) }
    guard Self.isClosedToOthers(descriptor) else { throw .fileSystem("A file cannot be closed to others", path, errno) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  var isForeign: Bool { size > Self.largest }

  func contents() throws(AuthenticationError) -> Data {
    guard !isForeign else {
      throw AuthenticationError(
        .storageCorrupt, "A stored secret is larger than any that is written here (\(path)).",
        suggestion: "It was left as it is; signing in keeps it under another name.")
    }
    var data = Data(count: size)
    var count = 0
    while count < size {
      let done = unsafe data.withUnsafeMutableBytes { bytes in
        Self.uninterrupted { unsafe read(descriptor, bytes.baseAddress! + count, size - count) }
      }
      if done < 0 { throw .fileSystem("A stored secret cannot be read", path, errno) }
      if done == 0 { break }
      count += done
    }
    return count == size ? data : data.prefix(count)
  }

  func append(_ data: Data) throws(AuthenticationError) {
    var count = 0
    while count < data.count {
      let done = unsafe data.withUnsafeBytes { bytes in
        Self.uninterrupted { unsafe write(descriptor, bytes.baseAddress! + count, bytes.count - count) }
      }
      if done < 0 { throw .fileSystem("A secret cannot be written", path, errno) }
      count += done
    }
  }

  func sync(by sync: Sync) throws(AuthenticationError) {
    if !Self.isSynced(sync(descriptor)) { throw .fileSystem("A secret did not reach the disk", path, errno) }
  }

  /// A file system without this call writes when it writes: nothing can be done about it, now or later.
  private static func isSynced(_ result: Int32) -> Bool { result == 0 || isMissingCall(errno) }

  /// The error of a file system for a call that it does not have.
  static func isMissingCall(_ error: Int32) -> Bool { [EINVAL, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(error) }

  private static func uninterrupted(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }

  /// Removes the access of others. A file system without modes has that of its mount, which may have none either.
  private static func isClosedToOthers(_ descriptor: Int32) -> Bool {
    var status = stat()
    func isClosed() -> Bool { unsafe fstat(descriptor, &status) == 0 && status.st_mode & 0o077 == 0 }
    return isClosed() || fchmod(descriptor, 0o600) == 0 && isClosed()
  }

  // MARK: By path

  /// Opens a file without following a link; one that is created is closed to others, and its owner may read and write
  /// it whatever the umask.
  ///
  /// - Returns: the descriptor; below 0, with the reason in `errno`, if there is none.
  static func openFile(_ path: String, _ flags: Int32) -> Int32 {
    let flags = flags | O_CLOEXEC | O_NOFOLLOW
    var descriptor = unsafe open(path, flags, 0o600)
    if descriptor < 0, errno == EACCES {
      if addOwnersBits(path, 0o600) { descriptor = unsafe open(path, flags, 0o600) } else { errno = EACCES }
    } else if descriptor >= 0, flags & O_CREAT != 0 {
      addOwnersBits(path, 0o600)
    }
    return descriptor
  }

  /// Adds bits to the mode of this user's own file or folder that lacks one of them: made under a umask like 0777, it
  /// would refuse its owner. By name, since it may not be possible to open it, but through no link. One that others may
  /// use is not of this storage.
  @discardableResult
  private static func addOwnersBits(_ path: String, _ bits: mode_t, ifMissing missing: mode_t? = nil) -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0,
      [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT), ~status.st_mode & (missing ?? bits) != 0
    else { return false }
    return unsafe fchmodat(AT_FDCWD, path, status.st_mode & 0o7700 | bits, AT_SYMLINK_NOFOLLOW) == 0
  }

  /// Nil for a root, and for a relative name.
  static func folder(above path: String) -> String? {
    let parts = path.split(separator: "/")
    let above = parts.dropLast().joined(separator: "/")
    guard !parts.isEmpty, path.hasPrefix("/") || !above.isEmpty else { return nil }
    return path.hasPrefix("/") ? "/\(above)" : above
  }

  /// Returns whether a folder above it can be entered now that could not be; the highest is opened first.
  private static func opensFolders(above path: String) -> Bool {
    guard let above = folder(above: path) else { return false }
    return [opensFolders(above: above), addOwnersBits(above, 0o700, ifMissing: 0o100)].contains(true)
  }

  /// Makes a folder that only this user can enter, and those above it that are missing. Throws if it is there, and is
  /// not this user's own.
  static func makeFolder(_ path: String) throws(AuthenticationError) {
    if try checkFolder(path) { return }
    if let failure = makeMissingFolder(path) {
      throw .fileSystem("The folder for secrets cannot be created", path, failure)
    }
    #if canImport(Darwin) && !os(macOS)
    // Files inherit the protection of their folder, locks included. A Mac's volume need not have such protection, and
    // would refuse the folder.
    let protection: [FileAttributeKey: Any] = [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication]
    do { try FileManager.default.setAttributes(protection, ofItemAtPath: path) } catch {
      throw .fileSystem("The folder for secrets cannot be created", path)
    }
    #endif
    guard try checkFolder(path) else { throw .fileSystem("The folder for secrets is gone", path) }
  }

  /// Returns why there is none. A folder has its mode from the first moment on, so that others never find it open.
  private static func makeMissingFolder(_ path: String) -> Int32? {
    if let above = folder(above: path), !exists(above), let failure = makeMissingFolder(above) { return failure }
    if unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
      let failure = errno
      guard failure == EACCES, let above = folder(above: path), addOwnersBits(above, 0o700, ifMissing: 0o300),
        unsafe mkdir(path, 0o700) == 0 || errno == EEXIST
      else { return failure }
    }
    addOwnersBits(path, 0o700)
    return nil
  }

  static func move(from old: String, to new: String) throws(AuthenticationError) {
    if unsafe rename(old, new) != 0 { throw .fileSystem("A secret cannot be put in place", new, errno) }
  }

  /// Gives a file a second name: an unused one with this prefix.
  static func link(_ path: String, as name: String) throws(AuthenticationError) {
    for number in 1...100 {
      if unsafe linkat(AT_FDCWD, path, AT_FDCWD, "\(name)-\(number)", 0) == 0 { return }
      if isMissingCall(errno) || errno == EPERM || errno == EMLINK {
        // Under the lock, so that nothing else takes the name.
        if exists("\(name)-\(number)") { continue }
        if unsafe rename(path, "\(name)-\(number)") == 0 { return }
      }
      if errno != EEXIST { break }
    }
    throw .fileSystem("What is stored is not this version's, and cannot be kept under another name", path, errno)
  }

  static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  @discardableResult
  static func remove(_ path: String) -> AuthenticationError? {
    if unsafe unlink(path) == 0 || errno == ENOENT { return nil }
    return .fileSystem("A stored secret cannot be removed", path, errno)
  }

  /// Returns false if there is no such folder. Throws if it is not this user's own; adds the permissions that its owner
  /// lacks.
  ///
  /// - Parameter opens: false once the folders above have been opened: a file system may ignore modes.
  static func checkFolder(_ path: String, opens: Bool = true) throws(AuthenticationError) -> Bool {
    var status = stat()
    if unsafe lstat(path, &status) != 0 {
      let failure = errno
      if failure == ENOENT { return false }
      if failure == EACCES, opens, opensFolders(above: path) { return try checkFolder(path, opens: false) }
      throw .fileSystem("The folder for secrets cannot be looked at", path, failure)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .fileSystem("The place for secrets is not a folder", path) }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw .fileSystem("The folder for secrets is open to others: make it yours, with mode 700", path)
    }
    addOwnersBits(path, 0o700)
    return true
  }

  static func syncFolder(_ path: String, by sync: Sync) throws(AuthenticationError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .fileSystem("The folder for secrets cannot be opened", path, errno) }
    defer { close(descriptor) }
    if !isSynced(sync(descriptor)) { throw .fileSystem("The folder for secrets did not reach the disk", path, errno) }
  }
}

extension AuthenticationError {
  static func tooLarge(_ size: Int) -> Self {
    Self(
      .storageUnavailable, "A secret of \(size) bytes is larger than \(OwnedFile.largest), and was not written.",
      suggestion: "Keep large data elsewhere; what was stored before was left as it is.")
  }

  static func fileSystem(_ what: String, _ path: String, _ number: Int32? = nil) -> Self {
    Self(
      .storageUnavailable, "\(what) (\(path)).",
      suggestion: "Check the folder's owner, mode and free space; what is stored was left as it is.",
      cause: number.map { Cause(domain: "errno", code: Int($0)) })
  }
}

extension URL {
  /// `$HOME` if it is an absolute path, else the home of this user's account: a job that runs with another home must
  /// not find, or replace, the account's sessions.
  package static var userHome: URL { userHome(ProcessInfo.processInfo.environment) }

  static func userHome(_ environment: [String: String]) -> URL {
    guard let home = environment["HOME"], home.hasPrefix("/") else { return .homeDirectory }
    return URL(filePath: home, directoryHint: .isDirectory)
  }
}
