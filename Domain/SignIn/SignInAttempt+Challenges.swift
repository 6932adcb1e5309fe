import Synchronization

extension SignInAttempt {
  /// Answers the challenge that is asked. Does nothing while something is on its way, or after the end.
  ///
  /// An answer to another challenge than the current one is not sent; the state then says
  /// ``AuthenticationError/Code/challengeReplaced``. An answer that cannot be right is not sent either.
  public func answer(_ answer: ChallengeAnswer, _ input: SignInInput = SignInInput()) {
    guard let challenge = state.challenge else { return }
    guard answer.challenge.handle == challenge.handle else { return fail(.challengeReplaced) }
    do throws(AuthenticationError) { try answer.validate() } catch { return fail(error) }
    start { state in
      guard state.challenge?.handle == challenge.handle else { return nil }
      return Step(input: input, challenge: challenge) { _ in answer }
    }
  }

  /// Answers with a code that the person typed or pasted.
  public func answer(code: Secret) {
    if let challenge = state.challenge { answer(ChallengeAnswer(to: challenge, code: code)) }
  }

  /// Has another code or link sent. Before ``timeToResend()`` has passed nothing is sent, and the state says
  /// ``AuthenticationError/Code/rateLimited``.
  public func resend() {
    guard let challenge = state.challenge else { return }
    guard let left = timeToResend() else { return fail(.noResend) }
    if left > .zero { return fail(.rateLimited(retryAfter: left)) }
    answer(ChallengeAnswer(to: challenge, .resend))
  }

  /// Goes on with another factor among the challenge's choices.
  public func choose(_ factor: Challenge.Factor) {
    if let challenge = state.challenge { answer(ChallengeAnswer(to: challenge, .choice(factor.id))) }
  }

  /// How long the provider still accepts an answer; negative if it has expired, nil if that is not known.
  public func timeLeft() -> Duration? { sinceChallenge { $0.lifetime } }

  /// How long to wait before another code may be sent; zero or less if it may be sent now, nil if none can be sent.
  public func timeToResend() -> Duration? { sinceChallenge { $0.resendDelay } }

  private func sinceChallenge(_ limit: (Challenge) -> Duration?) -> Duration? {
    let uptime = surroundings.clock.uptime
    return contents.withLock { contents in
      contents.state.challenge.flatMap(limit).map { $0 - (uptime - contents.challengedAt) }
    }
  }

  /// Shows why an answer was not sent.
  private func fail(_ error: AuthenticationError) {
    contents.withLock { contents in
      guard contents.work == nil, contents.end == nil, let challenge = contents.state.challenge else { return }
      contents.state = .challenged(challenge, error)
      broadcast.send(contents.state)
    }
  }
}

extension AuthenticationError {
  fileprivate static let noResend = Self(
    .unsupportedMethod, "This challenge cannot be sent again.", suggestion: "Begin the attempt again.")
}
