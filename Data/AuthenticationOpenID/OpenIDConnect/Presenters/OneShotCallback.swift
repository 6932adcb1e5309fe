import AuthenticationDomain
import Synchronization
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A result that one caller waits for and takes once: the first one counts, whenever it arrives; cancelling the caller
/// is also a result. May be called from any thread.
final class OneShotCallback: Sendable {
  typealias Answer = Result<URL, AuthenticationError>

  private enum State {
    case open
    case awaited(CheckedContinuation<Answer, Never>)
    case answered(Answer)
  }

  private let state = Mutex(State.open)

  var isAnswered: Bool {
    state.withLock { if case .answered = $0 { true } else { false } }
  }

  /// Returns false if there was already a result.
  @discardableResult
  func answer(_ answer: Answer) -> Bool {
    let (counts, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Answer, Never>?) in
      switch state {
      case .answered: return (false, nil)
      case .open:
        state = .answered(answer)
        return (true, nil)
      case .awaited(let continuation):
        state = .answered(answer)
        return (true, continuation)
      }
    }
    waiting?.resume(returning: answer)
    return counts
  }

  /// Waits for the result. Throws it if it is an error, and ``AuthenticationError/Code/cancelled`` as soon as the task
  /// is cancelled. Only one caller may wait.
  func value() async throws(AuthenticationError) -> URL {
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let early = state.withLock { state -> Answer? in
          if case .answered(let answer) = state { return answer }
          state = .awaited(continuation)
          return nil
        }
        if let early { continuation.resume(returning: early) }
      }
    } onCancel: {
      self.answer(.failure(.cancelled))
    }
    return try answer.get()
  }
}
