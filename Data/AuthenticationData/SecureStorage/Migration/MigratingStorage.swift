public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Moves secrets from one storage to another, each when it is next used, and loses none on the way.
///
/// A value counts where the old storage has it, and is deleted there only once the new one has given it back byte for
/// byte. So a process that is killed at any step leaves either the old value or the new one, and a new storage that
/// cannot be reached, or does not keep what it is given, hides nothing. An old storage that cannot be read throws.
///
/// A call blocks as the two storages do, and waits for other processes that move or write for at most 2 seconds.
public struct MigratingStorage: SecureStorage {
  /// Whether a key may be in the new storage now, and may be moved there. Throws where that cannot be told.
  typealias IsDue = @Sendable (_ key: String) throws(AuthenticationError) -> Bool

  private let old: any SecureStorage
  private let new: any SecureStorage
  private let lockPath: String
  private let isDue: IsDue
  /// Whether what neither storage has yet goes to the new one.
  private let isDueAtFirst: IsDue

  /// Moves nothing yet.
  ///
  /// - Parameter lockPath: a file for a lock (`flock`), the same for each process that uses the two storages.
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

  /// Both storages together.
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
    // Asked after the old storage: whoever moves a value makes it due first.
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

  /// The new storage first: what is left there by a move that was interrupted must not outlive the old value.
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

  /// What cannot be read is there, too: the old storage knows what to do with it.
  private func isInOld(_ key: String) throws(AuthenticationError) -> Bool {
    do throws(AuthenticationError) { return try old.read(key) != nil } catch {
      guard error.code == .storageCorrupt else { throw error }
      return true
    }
  }

  /// Under the lock. A failure is no one's to know: the old value still counts.
  private func move(_ key: String) {
    guard (try? isDue(key)) == true, let value = try? old.read(key) else { return }
    guard (try? new.write(value, for: key)) != nil, (try? new.read(key)) == value else { return }
    try? old.delete(key)
  }
}
