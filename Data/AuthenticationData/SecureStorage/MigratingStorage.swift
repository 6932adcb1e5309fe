package import AuthenticationDomain
package import Foundation

extension SecureStorage {
  /// Moves the values of another storage to this one, each at its next use, and loses none.
  ///
  /// As long as the old storage has a value, that value counts. It is deleted there only after this storage has
  /// returned the same bytes. So a process that is killed at any step leaves either the old value or the new one, and a
  /// new storage that cannot be reached, or does not keep a value, hides nothing. An old storage that cannot be read
  /// throws.
  ///
  /// A call blocks as the two storages do, and waits at most 2 seconds for other processes that move or write.
  ///
  /// ```swift
  /// let storage = SecretServiceStorage(service: "org.example.notes").migrating(
  ///   from: FileStorage(folder: folder), lockPath: folder.appending(path: "moving").path)
  /// ```
  ///
  /// - Parameters:
  ///   - old: the storage that is emptied.
  ///   - lockPath: a file for a lock (`flock`), the same for each process that uses the two storages.
  public func migrating(from old: any SecureStorage, lockPath: String) -> some SecureStorage {
    MigratingStorage(from: old, to: self, lockPath: lockPath)
  }
}

package struct MigratingStorage: UnlockSignalingStorage {
  /// Whether the new storage is used for a key now: read, moved to, and written first. Throws if that is unknown.
  typealias IsDue = @Sendable (_ key: String, _ isFirstWrite: Bool) throws(AuthenticationError) -> Bool

  private let old: any SecureStorage
  private let new: any SecureStorage
  private let lockPath: String
  private let isDue: IsDue

  init(
    from old: any SecureStorage, to new: any SecureStorage, lockPath: String,
    when isDue: @escaping IsDue = { _, _ in true }
  ) {
    self.old = old
    self.new = new
    self.lockPath = lockPath
    self.isDue = isDue
  }

  /// The identity of both storages together.
  package var identity: [String]? { old.identity.flatMap { old in new.identity.map { old + ["to"] + $0 } } }

  package func read(_ key: String) throws(AuthenticationError) -> Data? {
    if let value = try old.read(key) {
      let lock = FileLock(path: lockPath)
      if (try? isDue(key, false)) == true, (try? lock.tryAcquire()) == true {
        defer { lock.release() }
        move(key)
      }
      return value
    }
    // Checked after the old storage: a process that moves a value makes it due first.
    return try isDue(key, false) ? new.read(key) : nil
  }

  package func write(_ value: Data, for key: String) throws(AuthenticationError) {
    let lock = FileLock(path: lockPath)
    try lock.acquire(within: .seconds(2))
    defer { lock.release() }
    if try !isInOld(key), try isDue(key, true) { return try new.write(value, for: key) }
    try old.write(value, for: key)
    move(key)
  }

  /// Deletes from the new storage first: a value that an interrupted move left there must not outlive the old one.
  package func delete(_ key: String) throws(AuthenticationError) {
    let lock = FileLock(path: lockPath)
    try lock.acquire(within: .seconds(2))
    defer { lock.release() }
    let isElsewhere: Result<Void, AuthenticationError> = Result { () throws(AuthenticationError) in
      if try isDue(key, false) { try new.delete(key) }
    }
    try old.delete(key)
    try isElsewhere.get()
  }

  package func unlocks() -> AsyncStream<Void>? { new.unlockSignals() }

  /// A value that cannot be read also counts: the old storage handles it.
  private func isInOld(_ key: String) throws(AuthenticationError) -> Bool {
    do throws(AuthenticationError) { return try old.read(key) != nil } catch {
      guard error == .storageCorrupt else { throw error }
      return true
    }
  }

  /// Called under the lock. Failures are not reported: the old value still counts.
  private func move(_ key: String) {
    guard (try? isDue(key, false)) == true, let value = try? old.read(key) else { return }
    guard (try? new.write(value, for: key)) != nil, (try? new.read(key)) == value else { return }
    try? old.delete(key)
  }
}

/// Marks in a folder which keys have a value in another storage; the marks contain no secret.
///
/// So the folder exists whenever a secret does, for the lock files in it, and a storage that cannot be reached is not
/// mistaken for an empty one.
package struct MarkedStorage: UnlockSignalingStorage {
  private let upstream: any SecureStorage
  private let marks: FileStorage

  package init(_ upstream: any SecureStorage, marks: FileStorage) {
    self.upstream = upstream
    self.marks = marks
  }

  /// Whether the key was written and not deleted since. Throws if the folder cannot be read.
  func isMarked(_ key: String) throws(AuthenticationError) -> Bool { try marks.read(mark(key)) != nil }

  package var identity: [String]? { upstream.identity }

  package func read(_ key: String) throws(AuthenticationError) -> Data? {
    let value = try upstream.read(key)
    if value != nil, try !isMarked(key) { try? setMark(key) }
    return value
  }

  package func write(_ value: Data, for key: String) throws(AuthenticationError) {
    if try isMarked(key) { return try upstream.write(value, for: key) }
    try setMark(key)
    do {
      try upstream.write(value, for: key)
    } catch {
      // The user did not unlock the keyring, so nothing was written; reading it would ask the user again.
      if error == .userPresenceRequired { try? marks.delete(mark(key)) } else { forgetIfAbsent(key) }
      throw error
    }
  }

  /// The value may have been written although its response came too late.
  private func forgetIfAbsent(_ key: String) {
    do throws(AuthenticationError) {
      if try upstream.read(key) == nil { try marks.delete(mark(key)) }
    } catch {}
  }

  package func delete(_ key: String) throws(AuthenticationError) {
    try upstream.delete(key)
    try marks.delete(mark(key))
  }

  package func unlocks() -> AsyncStream<Void>? { upstream.unlockSignals() }

  private func setMark(_ key: String) throws(AuthenticationError) {
    try marks.write(Data("kept elsewhere\n".utf8), for: mark(key))
  }

  /// An app's own keys, which may be in the same folder, contain no NUL.
  private func mark(_ key: String) -> String { "\(key)\0elsewhere" }
}

extension MigratingStorage {
  /// Moves values from files to a storage that is not always available; marks say which keys that storage has.
  ///
  /// - Parameter canBeOpened: called at the first write of a key if the storage is not open: whether the user would
  ///   be asked to open it, so that the value is not silently written to a file.
  init(
    from files: FileStorage, to marked: MarkedStorage, whereOpen isOpen: @escaping @Sendable () -> Bool,
    canBeOpened: @escaping @Sendable () -> Bool = { false }
  ) {
    let lock = files.folder.appending(path: ".move-lock").path(percentEncoded: false)
    self.init(from: files, to: marked, lockPath: lock) { key, isFirstWrite throws(AuthenticationError) in
      try marked.isMarked(key) || isOpen() || isFirstWrite && canBeOpened()
    }
  }
}

#if os(Linux)
import Synchronization

extension MigratingStorage {
  /// Uses the Secret Service if it is available, else files; decided for each key at its use, and remembered.
  ///
  /// Values in files are moved as soon as a keyring is open. A value that was moved is unavailable while the service
  /// is: it is neither reported as absent nor stored a second time. Until a key's place is decided, reading does not
  /// ask the user to unlock anything. The first write asks a user at a display to unlock a locked keyring, and
  /// fails if they do not.
  package init(from files: FileStorage, toWhereOpen service: SecretServiceStorage) {
    // Slow, so that it is asked at most once.
    let known = Mutex<Bool?>(nil)
    self.init(from: files, to: MarkedStorage(service, marks: files)) {
      known.withLock { known in
        let isOpen = known ?? service.isOpen
        known = isOpen
        return isOpen
      }
    } canBeOpened: {
      service.asksToUnlock && service.availability == .locked
    }
  }
}
#endif
