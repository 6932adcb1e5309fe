package import AuthenticationDomain
import Synchronization

/// Counts the failures of an environment, so that the same failure again is another one to focus and to announce.
final class FailureCount: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}

extension FlowEnvironment {
  package func failure(_ error: AuthenticationError) -> FlowFailure {
    FlowFailure(error, turn: failures.next(), by: clock)
  }
}
