public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Stores small secrets by key. A call may block.
///
/// Throws ``AuthenticationError/Code/storageUnavailable`` if it cannot read or write: locked is not absent.
///
/// ```swift
/// let storage: any SecureStorage = InMemoryStorage()
/// try storage.write(Data("secret".utf8), for: "key")
/// let value = try storage.read("key")
/// ```
public protocol SecureStorage: Sendable {
  /// Returns the value of the key; nil only if it is certain that nothing is stored under the key.
  func read(_ key: String) throws(AuthenticationError) -> Data?

  /// Adds or replaces a value atomically: a reader sees the old value or the new one.
  func write(_ value: Data, for key: String) throws(AuthenticationError)

  /// Deletes the value of the key. Deleting a missing value succeeds.
  func delete(_ key: String) throws(AuthenticationError)

  /// Identifies where the values are stored, so that all users of one place in a process coordinate; nil if it is
  /// unknown. By default an object identifies itself, and a value type has no identity.
  var identity: StorageIdentity? { get }
}

extension SecureStorage {
  public var identity: StorageIdentity? {
    type(of: self) is AnyClass ? StorageIdentity(self as AnyObject) : nil
  }
}
