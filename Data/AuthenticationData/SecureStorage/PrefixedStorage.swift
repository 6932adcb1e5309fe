package import AuthenticationDomain
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A part of another storage, in which every key has the same prefix.
package struct PrefixedStorage: SecureStorage {
  private let upstream: any SecureStorage
  private let prefix: String

  /// Creates the part of `upstream` whose keys begin with `prefix`.
  package init(_ upstream: any SecureStorage, prefix: String) {
    self.upstream = upstream
    self.prefix = prefix
  }

  /// The identity of the upstream storage, together with the prefix.
  package var identity: StorageIdentity? { upstream.identity?.with(prefix) }

  package func read(_ key: String) throws(AuthenticationError) -> Data? { try upstream.read(prefix + key) }

  package func write(_ value: Data, for key: String) throws(AuthenticationError) {
    try upstream.write(value, for: prefix + key)
  }

  package func delete(_ key: String) throws(AuthenticationError) { try upstream.delete(prefix + key) }
}
