public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps small secrets by key. A call may block.
///
/// Throws ``AuthenticationError/Code/storageUnavailable`` where it cannot tell or cannot write: locked is not absent.
public protocol SecureStorage: Sendable {
  /// Nil only where it is certain that nothing is stored under the key.
  func read(_ key: String) throws(AuthenticationError) -> Data?

  /// Adds or replaces, atomically: a reader sees the old value or the new one.
  func write(_ value: Data, for key: String) throws(AuthenticationError)

  /// Removing what is not there is a success.
  func delete(_ key: String) throws(AuthenticationError)

  /// Which place this is, so that everybody in a process who uses it behaves as one; nil where that cannot be told. By
  /// default an object is a place of its own, and a value cannot tell.
  var identity: StorageIdentity? { get }
}

extension SecureStorage {
  public var identity: StorageIdentity? {
    type(of: self) is AnyClass ? StorageIdentity(self as AnyObject) : nil
  }
}
