public import AuthenticationDomain
public import Foundation
import Synchronization

/// Stores small secrets by key.
///
/// Sessions, pending sign-ins and the reports of diagnostics are kept in one. The format of a session is not its
/// concern: ``SecureStorage/sessionStore(key:realm:clock:)`` adds it.
///
/// ```swift
/// let storage: any SecureStorage = InMemoryStorage()
/// try storage.write(Data("secret".utf8), for: "key")
/// let value = try storage.read("key")
/// ```
///
/// ### Choose a storage
///
/// `StorageLocation.platformDefault()` of `AuthenticationKit` takes the best one of the system.
///
/// | storage | for |
/// |---|---|
/// | ``KeychainStorage`` | Apple platforms |
/// | ``SecretServiceStorage`` | a Linux desktop with a keyring |
/// | ``FileStorage`` | owner-only files: a server, a terminal, several processes |
/// | ``InMemoryStorage`` | tests, previews, and apps that must not store sessions |
///
/// The decorators `encrypted(with:)` (of `AuthenticationEncryption`), `migrating(from:lockPath:)` and
/// `forgettingAfterReinstall(marks:)` fit each of them.
///
/// ### Implement a storage
///
/// Three calls. Nil means that it is certain that nothing is stored; a storage that is locked or out of reach throws
/// ``AuthenticationError/storageUnavailable``, since nil would sign the user out. A write is atomic.
/// `SecureStorageContract` of `AuthenticationTesting` checks an implementation.
///
/// ```swift
/// struct VaultStorage: SecureStorage {
///   func read(_ key: String) throws(AuthenticationError) -> Data? { try vault.read() }
///   func write(_ value: Data, for key: String) throws(AuthenticationError) { try vault.write(value) }
///   func delete(_ key: String) throws(AuthenticationError) { try vault.erase() }
///   var identity: [String]? { ["vault"] }
/// }
/// ```
///
/// ### Implement a middleware
///
/// A storage that wraps another one also forwards ``identity``, which has a default, or adds to it if it stores other
/// values.
///
/// ```swift
/// struct LoggingStorage<Upstream: SecureStorage>: SecureStorage {
///   let upstream: Upstream
///   var identity: [String]? { upstream.identity }
///   func read(_ key: String) throws(AuthenticationError) -> Data? {
///     log("read \(key)")
///     return try upstream.read(key)
///   }
///   func write(_ value: Data, for key: String) throws(AuthenticationError) { try upstream.write(value, for: key) }
///   func delete(_ key: String) throws(AuthenticationError) { try upstream.delete(key) }
/// }
/// ```
///
/// ### Errors
///
/// ``AuthenticationError/storageUnavailable`` for everything that may succeed later: locked, full, out of reach;
/// ``AuthenticationError/userPresenceRequired`` if the user did not unlock it. No error holds a value or a key's
/// content.
///
/// ### Concurrency
///
/// The calls are synchronous and may block; callers use an executor that may. Calls of several threads may overlap, and
/// calls of several processes as well. Values of equal ``identity`` and key are one value, and their users in one
/// process coordinate.
public protocol SecureStorage: Sendable {
  /// Returns the value of the key; nil only if it is certain that nothing is stored under the key.
  func read(_ key: String) throws(AuthenticationError) -> Data?

  /// Adds or replaces a value atomically: a reader sees the old value or the new one.
  func write(_ value: Data, for key: String) throws(AuthenticationError)

  /// Deletes the value of the key. Deleting a missing value succeeds.
  func delete(_ key: String) throws(AuthenticationError)

  /// Names where the values are stored, such as the kind of storage and a path: storages of equal names hold the same
  /// values, and their users in one process coordinate. Nil if it is unknown. By default an object names itself, and a
  /// value type has no identity.
  var identity: [String]? { get }
}

extension SecureStorage {
  public var identity: [String]? { type(of: self) is AnyClass ? ["\(ObjectIdentifier(self as AnyObject))"] : nil }

  /// Removes the copy that was kept of an unreadable value under this key. Removing a missing copy succeeds.
  func removeQuarantinedCopy(of key: String) throws(AuthenticationError) {
    try delete(QuarantinedCopy.key(of: key))
  }

  /// Keeps a copy of an unreadable value under a separate key.
  ///
  /// There is one copy of each key, the latest, and none of a copy.
  ///
  /// - Returns: the key of the copy; nil if it cannot be kept.
  package func setAside(_ data: Data, of key: String, at now: Date = Date()) -> String? {
    if QuarantinedCopy.isKey(key) { return nil }
    let copy = QuarantinedCopy.key(of: key)
    do {
      if try read(copy).flatMap({ QuarantinedCopy(stored: $0) })?.content != data {
        try write(QuarantinedCopy(content: data, madeAt: now).stored, for: copy)
      }
      return copy
    } catch {
      return nil
    }
  }

  /// Removes the copy if it is older than 30 days, or from the future by as much. A copy of unknown age is kept.
  package func removeAgedCopy(of key: String, at now: Date) {
    guard let stored = try? read(QuarantinedCopy.key(of: key)), let copy = QuarantinedCopy(stored: stored),
      abs(now.timeIntervalSince(copy.madeAt)) > QuarantinedCopy.lifetime
    else { return }
    try? removeQuarantinedCopy(of: key)
  }
}

/// An unreadable value, with the time (UTC) at which that was noticed.
struct QuarantinedCopy {
  /// In seconds.
  static let lifetime = 30 * 86_400.0
  private static let heading = Data("AuthenticationKit copy ".utf8)

  let content: Data
  let madeAt: Date

  static func key(of key: String) -> String { "\(key)\(suffix)" }
  static func isKey(_ key: String) -> Bool { key.hasSuffix(suffix) }
  private static let suffix = ".quarantine"

  /// A heading, the seconds since 2001, and the unchanged content.
  var stored: Data { Self.heading + Data("\(madeAt.timeIntervalSinceReferenceDate)\n".utf8) + content }
}

extension QuarantinedCopy {
  /// Nil if the data is not such a copy.
  init?(stored: Data) {
    guard stored.starts(with: Self.heading), let end = stored.firstIndex(of: UInt8(ascii: "\n")),
      let seconds = Double(String(decoding: stored[..<end].dropFirst(Self.heading.count), as: UTF8.self))
    else { return nil }
    content = Data(stored[(end + 1)...])
    madeAt = Date(timeIntervalSinceReferenceDate: seconds)
  }
}

/// A storage that reports when it may be readable again.
package protocol UnlockSignalingStorage: SecureStorage {
  /// An element each time after the device or the keyring was unlocked, without a prompt; nil if that cannot be
  /// observed.
  func unlocks() -> AsyncStream<Void>?
}

extension SecureStorage {
  /// As ``UnlockSignalingStorage/unlocks()``; nil for a storage that does not report it.
  package func unlockSignals() -> AsyncStream<Void>? { (self as? any UnlockSignalingStorage)?.unlocks() }
}

/// A part of another storage, in which every key has the same prefix.
package struct PrefixedStorage: UnlockSignalingStorage {
  private let upstream: any SecureStorage
  private let prefix: String

  /// Creates the part of `upstream` whose keys begin with `prefix`.
  package init(_ upstream: any SecureStorage, prefix: String) {
    self.upstream = upstream
    self.prefix = prefix
  }

  /// The identity of the upstream storage, together with the prefix.
  package var identity: [String]? { upstream.identity.map { $0 + [prefix] } }

  package func read(_ key: String) throws(AuthenticationError) -> Data? { try upstream.read(prefix + key) }

  package func write(_ value: Data, for key: String) throws(AuthenticationError) {
    try upstream.write(value, for: prefix + key)
  }

  package func delete(_ key: String) throws(AuthenticationError) { try upstream.delete(prefix + key) }

  package func unlocks() -> AsyncStream<Void>? { upstream.unlockSignals() }
}

/// Keeps secrets until the process ends: for tests, previews, and apps that must not store sessions.
public final class InMemoryStorage: SecureStorage {
  private let values = Mutex<[String: Data]>([:])

  /// Creates an empty storage, which shares nothing with any other.
  public init() {}

  public func read(_ key: String) throws(AuthenticationError) -> Data? { values.withLock { $0[key] } }

  public func write(_ value: Data, for key: String) throws(AuthenticationError) { values.withLock { $0[key] = value } }

  public func delete(_ key: String) throws(AuthenticationError) { values.withLock { _ = $0.removeValue(forKey: key) } }
}
