public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A part of another storage: every key begins with the same text.
public struct PrefixedStorage: SecureStorage {
  private let upstream: any SecureStorage
  private let prefix: String

  /// The part of `upstream` whose keys begin with `prefix`.
  public init(_ upstream: any SecureStorage, prefix: String) {
    self.upstream = upstream
    self.prefix = prefix
  }

  /// A part of the storage it is a part of.
  public var identity: StorageIdentity? { upstream.identity?.with(prefix) }

  public func read(_ key: String) throws(AuthenticationError) -> Data? { try upstream.read(prefix + key) }

  public func write(_ value: Data, for key: String) throws(AuthenticationError) {
    try upstream.write(value, for: prefix + key)
  }

  public func delete(_ key: String) throws(AuthenticationError) { try upstream.delete(prefix + key) }
}
