public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Stores each secret in a file that only its owner can read: 0600, in a folder of 0700.
///
/// A write replaces the file atomically and reaches the disk (fsync of file and folder) before it returns. If a process
/// is killed while it writes, the file it leaves behind is removed by the next access. Calls block; writers of several
/// processes wait for each other, at most 2 seconds.
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
  public init(folder: URL) { self.init(folder: folder, sync: OwnedFile.systemSync) }

  init(folder: URL, sync: @escaping OwnedFile.Sync) {
    self.folder = folder
    self.sync = sync
    // Not `path`, whose first use takes longer than restoring a session (Linux).
    let path = folder.path(percentEncoded: false)
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  public func read(_ key: String) throws(AuthenticationError) -> Data? {
    guard try OwnedFile.checkFolder(path) else { return nil }
    let names = FileNames(folder: path, key: key)
    removeLeftover(names)
    guard let file = try OwnedFile(reading: names.value) else { return nil }
    return try file.contents()
  }

  public func write(_ value: Data, for key: String) throws(AuthenticationError) {
    guard value.count <= OwnedFile.largest else { throw .tooLarge(value.count) }
    try makeFolder()
    let names = FileNames(folder: path, key: key)
    let lock = FileLock(path: names.lock)
    try lock.acquire(within: .seconds(2))
    defer { lock.release() }
    do {
      let file = try OwnedFile(creating: names.unfinished)
      try file.append(value)
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
    let names = FileNames(folder: path, key: key)
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
  public var identity: StorageIdentity? {
    StorageIdentity("files", folder.standardizedFileURL.resolvingSymlinksInPath().path(percentEncoded: false))
  }

  /// Returns a lock on the folder's key for ``AuthManager``, which other processes with the same folder respect.
  public func sessionLock(for key: String) -> any SessionLock {
    FileLock(path: FileNames(folder: path, key: key).sessionLock)
  }

  /// Returns a lock for ``SessionStore/locked(by:telling:patience:)``: held for one write, never during a request.
  package func writeLock(for key: String) -> FileLock {
    FileLock(path: FileNames(folder: path, key: key).writeLock)
  }

  /// Returns a signal for ``SessionStore/locked(by:telling:patience:)``, which notifies every process with this folder
  /// of each write.
  package func changeSignal(for key: String) -> ChangeSignal {
    .contents(of: FileNames(folder: "", key: key).name, in: path)
  }

  /// Returns a signal for a store that keeps its values elsewhere, and its locks here.
  package func signalFile(for key: String) -> ChangeSignal {
    .file(".\(FileNames(folder: "", key: key).name).changed", in: path)
  }

  package func makeFolder() throws(AuthenticationError) {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .fileSystem("The folder for secrets cannot be created", path)
    }
    guard try OwnedFile.checkFolder(path) else { throw .fileSystem("The folder for secrets is gone", path) }
  }

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
struct FileNames {
  let name: String
  let value: String
  let unfinished: String
  let foreign: String
  let lock: String
  let sessionLock: String
  let writeLock: String

  init(folder: String, key: String) {
    name = Self.escaped(key)
    value = "\(folder)/\(name)"
    unfinished = "\(folder)/.\(name).unfinished"
    foreign = "\(folder)/.\(name).foreign"
    lock = "\(folder)/.\(name).lock"
    sessionLock = "\(folder)/.\(name).session-lock"
    writeLock = "\(folder)/.\(name).write-lock"
  }

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
        name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    // A file name has at most 255 bytes, and the names derived from this one are longer. With the hash, two keys do not
    // get the same name.
    return name.utf8.count <= 128 ? name : name.prefix(64) + "-" + PublicSHA256.hexadecimal(key.utf8)
  }
}
