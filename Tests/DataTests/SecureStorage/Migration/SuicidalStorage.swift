import AuthenticationData
import AuthenticationDomain
import Foundation
import Synchronization

final class Countdown: Sendable {
  private let left: Mutex<Int>
  init(_ count: Int) { left = Mutex(count) }

  /// Ends this process as `kill -9` does, when the count is used up.
  func step() {
    let isOver = left.withLock { left in
      left -= 1
      return left <= 0
    }
    if isOver { kill(getpid(), SIGKILL) }
  }
}

/// Kills the process that uses it, before one of its operations.
struct SuicidalStorage: SecureStorage {
  let upstream: any SecureStorage
  let steps: Countdown

  func read(_ key: String) throws(AuthenticationError) -> Data? {
    steps.step()
    return try upstream.read(key)
  }

  func write(_ value: Data, for key: String) throws(AuthenticationError) {
    steps.step()
    try upstream.write(value, for: key)
  }

  func delete(_ key: String) throws(AuthenticationError) {
    steps.step()
    try upstream.delete(key)
  }
}
