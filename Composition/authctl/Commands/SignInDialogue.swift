import AuthenticationKit

/// Leads an attempt to its end: on a terminal by questions, in a script by lines of standard input.
struct SignInDialogue {
  let console: Console

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
    return try await lead(attempt)
  }

  /// Creates an account, and signs in to it.
  func signUp(at root: MainRoot, _ input: SignInInput) async throws -> User {
    let attempt = try root.attempts.begin(.password)
    attempt.signUp(input)
    return try await lead(attempt)
  }

  private func lead(_ attempt: SignInAttempt) async throws -> User {
    let showing = Task {
      for await state in attempt.states() {
        if case .waitingElsewhere(let place) = state, let code = DeviceEvent(place) { console.show(code) }
      }
    }
    defer { showing.cancel() }
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
        let line = try await console.line(
          answering: challenge, timeLeft: attempt.timeLeft(), resendIn: attempt.timeToResend(),
          continuing: "login --continue")
        switch line {
        case .answer(let answer): attempt.answer(answer)
        case .resend: attempt.resend()
        case .cancel:
          attempt.cancel()
          await attempt.settled()
          throw AuthenticationError.declined
        }
      case .collecting, .submitting, .waitingElsewhere: continue
      }
    }
  }
}

extension AuthenticationError {
  static let nothingPending = Self(
    .notSignedIn, "No login waits for a step, or the step is no longer accepted.", suggestion: "Log in anew.")
}
