public import AuthenticationDomain
import Synchronization
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps secrets until the process ends: for tests, previews, and apps that must not store sessions.
public final class InMemoryStorage: SecureStorage {
  private let values = Mutex<[String: Data]>([:])

  /// Creates an empty storage, which shares nothing with any other.
  public init() {}

  public func read(_ key: String) throws(AuthenticationError) -> Data? { values.withLock { $0[key] } }

  public func write(_ value: Data, for key: String) throws(AuthenticationError) {
    values.withLock { $0[key] = value }
  }

  public func delete(_ key: String) throws(AuthenticationError) {
    values.withLock { _ = $0.removeValue(forKey: key) }
  }
}
