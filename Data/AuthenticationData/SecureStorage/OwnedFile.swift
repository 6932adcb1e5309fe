import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An open file that belongs to this user and that no other user can read.
struct OwnedFile: ~Copyable {
  private let descriptor: Int32
  private let path: String
  private let size: Int
  /// The largest file that is written, or read into memory, in bytes.
  static let largest = 4 << 20

  /// Nil if there is no such file. A link, a file of another owner, or anything but a regular file is refused; if
  /// others may read this user's file, their access is removed.
  init?(reading path: String) throws(AuthenticationError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw .fileSystem("A stored secret cannot be opened", path, errno)
    }
    var status = stat()
    let isOurs =
      unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
    guard isOurs, status.st_mode & 0o077 == 0 || fchmod(descriptor, 0o600) == 0 else {
      close(descriptor)
      throw .fileSystem("A stored secret is not a file of this user's own", path)
    }
    self.descriptor = descriptor
    self.path = path
    self.size = Int(status.st_size)
  }

  init(creating path: String) throws(AuthenticationError) {
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    self.path = path
    size = 0
    guard descriptor >= 0 else { throw .fileSystem("A file for a secret cannot be created", path, errno) }
    guard fchmod(descriptor, 0o600) == 0 else { throw .fileSystem("A file cannot be closed to others", path, errno) }
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
    if sync(descriptor) != 0 { throw .fileSystem("A secret did not reach the disk", path, errno) }
  }

  private static func uninterrupted(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}

// MARK: - To the disk

extension OwnedFile {
  /// Returns 0 once all data of the descriptor is on the disk.
  typealias Sync = @Sendable (_ descriptor: Int32) -> Int32

  static let systemSync: Sync = { fsync($0) }
}

// MARK: - By path

extension OwnedFile {
  static func move(from old: String, to new: String) throws(AuthenticationError) {
    if unsafe rename(old, new) != 0 { throw .fileSystem("A secret cannot be put in place", new, errno) }
  }

  /// Gives a file a second name: an unused one with this prefix.
  static func link(_ path: String, as name: String) throws(AuthenticationError) {
    for number in 1...100 {
      if unsafe linkat(AT_FDCWD, path, AT_FDCWD, "\(name)-\(number)", 0) == 0 { return }
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

  /// Returns false if there is no such folder. Throws if it is not this user's own.
  static func checkFolder(_ path: String) throws(AuthenticationError) -> Bool {
    var status = stat()
    if unsafe lstat(path, &status) != 0 {
      if errno == ENOENT { return false }
      throw .fileSystem("The folder for secrets cannot be looked at", path, errno)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .fileSystem("The place for secrets is not a folder", path) }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw .fileSystem("The folder for secrets is open to others: make it yours, with mode 700", path)
    }
    return true
  }

  static func syncFolder(_ path: String, by sync: Sync) throws(AuthenticationError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .fileSystem("The folder for secrets cannot be opened", path, errno) }
    defer { close(descriptor) }
    if sync(descriptor) != 0 { throw .fileSystem("The folder for secrets did not reach the disk", path, errno) }
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
