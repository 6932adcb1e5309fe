import AuthenticationDomain
import Synchronization

/// Answers in their order; a request too many fails.
final class ScriptedAnswers: Sendable {
  private let answers: Mutex<[Answer]>

  init(_ answers: [Answer]) { self.answers = Mutex(answers) }

  func next() -> Answer {
    answers.withLock { answers in
      answers.isEmpty ? .failure(AuthenticationError(.unsupportedMethod, "Not scripted.")) : answers.removeFirst()
    }
  }
}
