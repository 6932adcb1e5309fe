public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Moves secrets from one storage to another, each at its next use, and loses none on the way.
///
/// As long as the old storage has a value, that value counts. It is deleted there only after the new storage has
/// returned the same bytes. So a process that is killed at any step leaves either the old value or the new one, and a
/// new storage that cannot be reached, or does not keep a value, hides nothing. An old storage that cannot be read
/// throws.
///
/// A call blocks as the two storages do, and waits at most 2 seconds for other processes that move or write.
///
/// ```swift
/// let storage = MigratingStorage(
///   from: FileStorage(folder: folder), to: SecretServiceStorage(service: "org.example.notes"),
///   lockPath: folder.appending(path: "moving").path)
/// ```
public struct MigratingStorage: SecureStorage {
  /// Whether a key may be in the new storage now, and may be moved there. Throws if that is unknown.
  typealias IsDue = @Sendable (_ key: String) throws(AuthenticationError) -> Bool

  private let old: any SecureStorage
  private let new: any SecureStorage
  private let lockPath: String
  private let isDue: IsDue
  /// Whether a value that neither storage has yet is written to the new one.
  private let isDueAtFirst: IsDue

  /// Creates a storage; moves nothing yet.
  ///
  /// - Parameters:
  ///   - old: the storage that is emptied.
  ///   - new: the storage to which values are moved.
  ///   - lockPath: a file for a lock (`flock`), the same for each process that uses the two storages.
  public init(from old: any SecureStorage, to new: any SecureStorage, lockPath: String) {
    self.init(from: old, to: new, lockPath: lockPath) { _ in true }
  }

  init(
    from old: any SecureStorage, to new: any SecureStorage, lockPath: String, when isDue: @escaping IsDue,
    atFirstWhen isDueAtFirst: IsDue? = nil
  ) {
    self.old = old
    self.new = new
    self.lockPath = lockPath
    self.isDue = isDue
    self.isDueAtFirst = isDueAtFirst ?? isDue
  }

  /// The identity of both storages together.
  public var identity: StorageIdentity? { old.identity.flatMap { old in new.identity.map { old.with("to", $0) } } }

  public func read(_ key: String) throws(AuthenticationError) -> Data? {
    if let value = try old.read(key) {
      let lock = FileLock(path: lockPath)
      if (try? isDue(key)) == true, (try? lock.tryAcquire()) == true {
        defer { lock.release() }
        move(key)
      }
      return value
    }
    // Checked after the old storage: a process that moves a value makes it due first.
    return try isDue(key) ? new.read(key) : nil
  }

  public func write(_ value: Data, for key: String) throws(AuthenticationError) {
    let lock = FileLock(path: lockPath)
    try lock.acquire(within: .seconds(2))
    defer { lock.release() }
    if try !isInOld(key), try isDueAtFirst(key) { return try new.write(value, for: key) }
    try old.write(value, for: key)
    move(key)
  }

  /// Deletes from the new storage first: a value that an interrupted move left there must not outlive the old one.
  public func delete(_ key: String) throws(AuthenticationError) {
    let lock = FileLock(path: lockPath)
    try lock.acquire(within: .seconds(2))
    defer { lock.release() }
    let isElsewhere: Result<Void, AuthenticationError> = Result { () throws(AuthenticationError) in
      if try isDue(key) { try new.delete(key) }
    }
    try old.delete(key)
    try isElsewhere.get()
  }

  /// A value that cannot be read also counts: the old storage handles it.
  private func isInOld(_ key: String) throws(AuthenticationError) -> Bool {
    do throws(AuthenticationError) { return try old.read(key) != nil } catch {
      guard error.code == .storageCorrupt else { throw error }
      return true
    }
  }

  /// Called under the lock. Failures are not reported: the old value still counts.
  private func move(_ key: String) {
    guard (try? isDue(key)) == true, let value = try? old.read(key) else { return }
    guard (try? new.write(value, for: key)) != nil, (try? new.read(key)) == value else { return }
    try? old.delete(key)
  }
}
