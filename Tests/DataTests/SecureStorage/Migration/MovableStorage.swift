import AuthenticationData
import AuthenticationDomain
import Foundation
import Synchronization

/// Storage in memory that goes away and comes back, or spoils the values it is given, as a test says.
final class MovableStorage: SecureStorage {
  private struct Contents {
    var values: [String: Data] = [:]
    var isAway = false
    var refusesWrites = false
    var refusesDeletes = false
    var losesAnswers = false
    var longest = Int.max
    var calls = 0
  }

  private let contents = Mutex(Contents())
  private let failure = AuthenticationError(.storageUnavailable, "Away.")

  var values: [String: Data] { contents.withLock { $0.values } }
  var calls: Int { contents.withLock { $0.calls } }

  var isAway: Bool { contents.withLock { $0.isAway } }

  func goAway() { contents.withLock { $0.isAway = true } }
  func comeBack() { contents.withLock { $0.isAway = false } }
  func refuseWrites() { contents.withLock { $0.refusesWrites = true } }
  func refuseDeletes() { contents.withLock { $0.refusesDeletes = true } }
  /// A write takes effect, and is reported as a failure.
  func loseAnswers() { contents.withLock { $0.losesAnswers = true } }
  /// As some tools do, without a word.
  func cutOff(after count: Int) { contents.withLock { $0.longest = count } }

  func read(_ key: String) throws(AuthenticationError) -> Data? {
    try perform { contents -> Data?? in contents.isAway ? nil : .some(contents.values[key]) }
  }

  func write(_ value: Data, for key: String) throws(AuthenticationError) {
    try perform { contents -> Void? in
      if contents.isAway || contents.refusesWrites { return nil }
      contents.values[key] = value.prefix(contents.longest)
      return contents.losesAnswers ? nil : ()
    }
  }

  func delete(_ key: String) throws(AuthenticationError) {
    try perform { contents -> Void? in
      if contents.isAway || contents.refusesDeletes { return nil }
      contents.values[key] = nil
      return ()
    }
  }

  private func perform<Value>(_ operation: (inout Contents) -> Value?) throws(AuthenticationError) -> Value {
    var answer: Value?
    contents.withLock { contents in
      contents.calls += 1
      answer = operation(&contents)
    }
    guard let answer else { throw failure }
    return answer
  }
}
