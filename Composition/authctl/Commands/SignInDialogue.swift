import AuthenticationKit
import Foundation

/// Leads an attempt to its end: on a terminal by questions, in a script by lines of standard input.
struct SignInDialogue {
  let console: Console
  let json: Bool

  /// - Parameter begin: nil to go on with the step that is pending.
  func signIn(at root: MainRoot, _ begin: (method: SignInMethod, input: SignInInput)?) async throws -> User {
    let attempt: SignInAttempt
    if let begin {
      attempt = try root.attempts.begin(begin.method)
      attempt.submit(begin.input)
    } else if let pending = await root.attempts.resume() {
      attempt = pending
    } else {
      throw AuthenticationError.nothingPending
    }
    return try await withTaskCancellationHandler {
      try await finish(attempt)
    } onCancel: {
      // A challenge stays: a later login goes on with it.
      if attempt.state.challenge == nil { attempt.cancel() }
    }
  }

  private func finish(_ attempt: SignInAttempt) async throws -> User {
    while true {
      switch await attempt.settled() {
      case .ended(.signedIn(let user)): return user
      case .ended: throw AuthenticationError.cancelled
      case .failed(let error): throw error
      case .challenged(let challenge, let failure):
        if let failure {
          guard failure.code.disposition != .transient || failure.code == .rateLimited else { throw failure }
          console.say(failure.message)
        }
        ask(challenge, attempt)
        guard let line = await StandardInput.line() else { throw AuthenticationError.leftPending(challenge) }
        guard try await answer(challenge, attempt, ChallengeLine(line, to: challenge)) else {
          throw AuthenticationError.declined
        }
      case .collecting, .submitting, .waitingElsewhere: continue
      }
    }
  }

  /// Returns false if the person has given up.
  private func answer(_ challenge: Challenge, _ attempt: SignInAttempt, _ line: ChallengeLine) async throws -> Bool {
    switch line {
    case .cancel:
      attempt.cancel()
      await attempt.settled()
      return false
    case .resend: attempt.resend()
    case .choose(let id): attempt.answer(ChallengeAnswer(to: challenge, .choice(id)))
    case .newPassword(let password): attempt.answer(ChallengeAnswer(to: challenge, .newPassword(password)))
    case .link(let url): attempt.answer(ChallengeAnswer(to: challenge, .link(url)))
    case .code(let code): attempt.answer(ChallengeAnswer(to: challenge, code: code))
    case .approved: attempt.answer(ChallengeAnswer(to: challenge, .approval))
    }
    return true
  }

  private func ask(_ challenge: Challenge, _ attempt: SignInAttempt) {
    if json { return console.out(json: ChallengeEvent(challenge, attempt)) }
    for sentence in challenge.sentences(resendIn: attempt.timeToResend()) { console.say(sentence) }
    console.ask("> ")
  }
}

/// Lines of standard input; the caller waits elsewhere than on the threads that run everything else.
enum StandardInput {
  /// Nil at the end of the input, or if the task is cancelled.
  static func line() async -> String? {
    let call = AbandonableCall<String?>()
    let answer = try? await call.run { _ in
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: .success(readLine())) }
      }
    }
    return answer ?? nil
  }
}

extension AuthenticationError {
  static let nothingPending = Self(
    .notSignedIn, "No login waits for a step, or the step is no longer accepted.", suggestion: "Log in anew.")

  static func leftPending(_ challenge: Challenge) -> Self {
    var error = Self(
      .challengeRequired, "The login waits for a step ('\(challenge.kind.id)').",
      suggestion: "Go on with 'authctl login --continue'.")
    error.challenge = challenge
    return error
  }
}
