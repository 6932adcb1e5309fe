import AuthenticationKit
import Foundation

extension Console {
  /// Says what is asked: on a terminal by sentences, in a script by an event.
  func show(_ challenge: Challenge, timeLeft: Duration?, resendIn: Duration?) {
    if isJSON {
      out(json: ChallengeEvent(challenge, timeLeft: timeLeft, resendIn: resendIn))
    } else {
      for sentence in challenge.sentences(resendIn: resendIn) { say(sentence) }
    }
  }

  /// Asks for the answer to a challenge, and reads one line.
  ///
  /// - Parameters:
  ///   - command: the one that goes on where the input ends.
  ///   - readLine: the next line of the input; nil at its end.
  func line(
    answering challenge: Challenge, timeLeft: Duration?, resendIn: Duration?, continuing command: String,
    from readLine: () async -> String? = StandardInput.line
  ) async throws -> ChallengeLine {
    show(challenge, timeLeft: timeLeft, resendIn: resendIn)
    if !isJSON {
      if [.newPassword, .password].contains(challenge.kind), isatty(STDIN_FILENO) != 0 {
        let words = challenge.kind == .newPassword ? "New password: " : "Password: "
        let password = try PasswordPrompt.read(fromInput: false, console: self, asking: words)
        return .answer(ChallengeAnswer(to: challenge, .newPassword(password)))
      }
      if isatty(STDIN_FILENO) != 0 { ask("> ") }
    }
    guard let line = await readLine() else { throw AuthenticationError.leftPending(challenge, command) }
    return ChallengeLine(line, to: challenge)
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
  static func leftPending(_ challenge: Challenge, _ command: String) -> Self {
    // A key, or the options for a passkey, is not stored.
    let isKept = challenge.enrolment == nil && challenge.passkeyRequest == nil
    var error = Self(
      .challengeRequired, "The provider waits for a step ('\(challenge.kind.id)').",
      suggestion: isKept ? "Go on with 'authctl \(command)'." : "Begin again: this step is not kept.")
    error.challenge = challenge
    return error
  }
}
