import AuthenticationData
import AuthenticationDomain
import Foundation
import Synchronization

/// Storage in memory that shows its content, records writes, and fails as a test says.
final class RecordingStorage: SecureStorage {
  private struct Contents {
    var values: [String: Data] = [:]
    var writes: [String] = []
    var failsReads = false
    var failsWrites = false
  }

  private let contents = Mutex(Contents())
  private let failure = AuthenticationError(.storageUnavailable, "Scripted.")

  var values: [String: Data] { contents.withLock { $0.values } }
  /// The keys written to, in order.
  var writes: [String] { contents.withLock { $0.writes } }

  func failReads() { contents.withLock { $0.failsReads = true } }
  func failWrites() { contents.withLock { $0.failsWrites = true } }

  func read(_ key: String) throws(AuthenticationError) -> Data? {
    if contents.withLock({ $0.failsReads }) { throw failure }
    return values[key]
  }

  func write(_ value: Data, for key: String) throws(AuthenticationError) {
    if contents.withLock({ $0.failsWrites }) { throw failure }
    contents.withLock {
      $0.values[key] = value
      $0.writes.append(key)
    }
  }

  func delete(_ key: String) throws(AuthenticationError) {
    if contents.withLock({ $0.failsWrites }) { throw failure }
    contents.withLock { _ = $0.values.removeValue(forKey: key) }
  }
}
