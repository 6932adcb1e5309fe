import AuthenticationData
import AuthenticationDomain
import Foundation
import Synchronization

/// Storage in memory that keeps a log of its calls, and refuses one kind of call when a test says so.
final class FailingStorage: SecureStorage {
  enum Call: Sendable { case read, write, delete }

  private let upstream = InMemoryStorage()
  private let broken = Mutex<Call?>(nil)

  func fail(_ call: Call?) { broken.withLock { $0 = call } }

  func read(_ key: String) throws(AuthenticationError) -> Data? {
    try check(.read)
    return try upstream.read(key)
  }

  func write(_ value: Data, for key: String) throws(AuthenticationError) {
    try check(.write)
    try upstream.write(value, for: key)
  }

  func delete(_ key: String) throws(AuthenticationError) {
    try check(.delete)
    try upstream.delete(key)
  }

  private func check(_ call: Call) throws(AuthenticationError) {
    if broken.withLock({ $0 == call }) { throw AuthenticationError(.storageUnavailable, "Scripted.") }
  }
}
