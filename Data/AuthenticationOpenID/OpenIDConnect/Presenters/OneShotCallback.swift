import AuthenticationDomain
import Synchronization
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An answer that is waited for by one caller and taken once: the first counts, whenever it comes, and cancelling the
/// caller is one as well. Callable from any thread.
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

  /// False if it came too late to count.
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

  /// Waits for the answer. Throws it where it is an error, and ``AuthenticationError/Code/cancelled`` as soon as the
  /// task is cancelled. One caller only.
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
