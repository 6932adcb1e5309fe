import AuthenticationData
import AuthenticationDomain
import Foundation
import Synchronization

/// A process that is killed at one of the operations on its storages: from then on it does nothing at all. Or one that
/// lives through that operation's failure.
final class Mortality: Sendable {
  /// Whether the last operation has taken effect.
  enum Moment: CaseIterable {
    case before
    case after
  }

  private let left: Mutex<Int>
  private let moment: Moment
  private let isSurvived: Bool

  init(dyingAt operation: Int, _ moment: Moment, isSurvived: Bool = false) {
    left = Mutex(operation)
    self.moment = moment
    self.isSurvived = isSurvived
  }

  var isOver: Bool { left.withLock { $0 <= 0 } }

  func perform<Value>(_ operation: () throws(AuthenticationError) -> Value) throws(AuthenticationError) -> Value {
    let remaining = left.withLock { left in
      left -= 1
      return left
    }
    let isSpared = remaining > 0 || remaining < 0 && isSurvived
    if isSpared || remaining == 0 && moment == .after {
      let value = try operation()
      if isSpared { return value }
    }
    throw AuthenticationError(.storageUnavailable, "The process has exited.")
  }
}

/// A storage as a process sees it that will be killed.
struct MortalStorage: SecureStorage {
  let upstream: any SecureStorage
  let life: Mortality

  func read(_ key: String) throws(AuthenticationError) -> Data? {
    try life.perform { () throws(AuthenticationError) in try upstream.read(key) }
  }

  func write(_ value: Data, for key: String) throws(AuthenticationError) {
    try life.perform { () throws(AuthenticationError) in try upstream.write(value, for: key) }
  }

  func delete(_ key: String) throws(AuthenticationError) {
    try life.perform { () throws(AuthenticationError) in try upstream.delete(key) }
  }
}
