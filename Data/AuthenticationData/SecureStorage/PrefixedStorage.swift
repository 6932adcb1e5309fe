public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A part of another storage, in which every key has the same prefix.
public struct PrefixedStorage: SecureStorage {
  private let upstream: any SecureStorage
  private let prefix: String

  /// Creates the part of `upstream` whose keys begin with `prefix`.
  public init(_ upstream: any SecureStorage, prefix: String) {
    self.upstream = upstream
    self.prefix = prefix
  }

  /// The identity of the upstream storage, together with the prefix.
  public var identity: StorageIdentity? { upstream.identity?.with(prefix) }

  public func read(_ key: String) throws(AuthenticationError) -> Data? { try upstream.read(prefix + key) }

  public func write(_ value: Data, for key: String) throws(AuthenticationError) {
    try upstream.write(value, for: prefix + key)
  }

  public func delete(_ key: String) throws(AuthenticationError) { try upstream.delete(prefix + key) }
}
