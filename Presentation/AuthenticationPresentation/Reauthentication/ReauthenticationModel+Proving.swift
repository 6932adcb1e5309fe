public import AuthenticationDomain

extension ReauthenticationModel {
  /// Proves by signing in again with a method.
  public func prove(with method: SignInMethod) {
    if case .required(_, let methods, _) = state, methods.contains(method) { steps.start(method) }
  }

  /// Sends the password or the code, or says what is missing.
  public func submit() {
    switch state {
    case .askingPassword(var form, let challenge, _):
      guard let fields = form.submit(flows.rules) else { return state = .askingPassword(form, challenge, nil) }
      let answer = ChallengeAnswer(to: challenge, .newPassword(Secret(fields[.password] ?? "")))
      check(answer) { [flows, form, weak self] challenge, error in
        self?.state = .askingPassword(
          form.withoutSecrets(), challenge, error.isSilent ? nil : flows.failure(error))
      }
    case .askingCode(var entry):
      let code = entry.codeToSend(by: flows.clock)
      state = .askingCode(entry)
      guard let code else { return }
      check(ChallengeAnswer(to: entry.challenge, .code(code))) { [flows, entry, weak self] challenge, error in
        guard challenge.handle == entry.challenge.handle else {
          self?.ask(challenge, after: error)
          return
        }
        var entry = entry
        if !error.isSilent { entry.fail(error, by: flows.clock) }
        self?.ask(entry)
      }
    default: break
    }
  }

  /// Leaves everything as it is; what was interrupted does not go on.
  public func decline() {
    switch state {
    case .resuming, .done, .failed: return
    case .required, .askingPassword, .askingCode, .checking, .proving, .declined: break
    }
    if case .proving = state { flows.attempts.current?.cancel() }
    call.cancel()
    service = nil
    state = .declined
  }

  public func finished() async {
    if case .proving(let step) = state { await step.model?.finished() }
    await call.finished()
  }

  func ask(_ challenge: Challenge, after error: AuthenticationError? = nil) {
    let failure = error.flatMap { $0.isSilent ? nil : flows.failure($0) }
    if [.password, .newPassword].contains(challenge.kind) {
      state = .askingPassword(EntryForm([.password]), challenge, failure)
    } else {
      var entry = CodeEntry(
        challenge, timeToResend: challenge.resendDelay, timeLeft: challenge.lifetime, by: flows.clock)
      entry.failure = failure
      ask(entry)
    }
  }

  /// Asks for the code until the provider takes it no more: a new sign-in is then the proof.
  private func ask(_ entry: CodeEntry) {
    guard !entry.isOver(by: flows.clock) else {
      return state = .required(reason, methods: flows.attempts.methods, flows.failure(.signInExpired))
    }
    state = .askingCode(entry)
    expiry.set(entry.expiresAt) { [weak self] in
      if case .askingCode(let entry) = self?.state { self?.ask(entry) }
    }
  }

  /// - Parameter show: asks again, for the challenge that the provider now takes an answer to.
  private func check(
    _ answer: ChallengeAnswer, orElse show: @escaping @MainActor (Challenge, AuthenticationError) -> Void
  ) {
    if isAskedByService { return resume(with: answer, orElse: show) }
    guard let challenges else { return }
    call.run(
      { () async throws(AuthenticationError) in try await challenges.answer(answer) },
      then: {
        [weak self] result in
        switch result {
        case .success(.done): self?.resume()
        case .success(.challenge(let next)): self?.ask(next)
        case .failure(let error): show(answer.challenge, error)
        }
      })
    state = .checking(call: call.id)
  }

  /// Only the same person goes on: of another one the attempt has failed.
  func proved(_ completion: SignInCompletion?) {
    if completion != nil { return resume() }
    state = .required(reason, methods: flows.attempts.methods, nil)
  }

  private func resume(
    with proof: ChallengeAnswer? = nil,
    orElse show: @escaping @MainActor (Challenge, AuthenticationError) -> Void = { _, _ in }
  ) {
    guard let service else { return }
    if let current = flows.control.state.user, current.id != user.id { return end(.failure(.otherPersonSignedIn)) }
    call.run(
      { () async throws(AuthenticationError) in try await service(proof) },
      then: { [weak self] result in
        guard let self else { return }
        guard case .failure(let error) = result else { return end(result) }
        if error.code == .challengeRequired, takesProof, let next = error.challenge {
          isAskedByService = true
          // Asked the same again: the answer was wrong.
          let isSame = next.handle == proof?.challenge.handle && next.kind == proof?.challenge.kind
          ask(next, after: isSame ? .wrongAnswer(to: next) : nil)
        } else if let proof, error.isAboutProof {
          show(error.challenge ?? error.attemptsLeft.map(proof.challenge.leaving) ?? proof.challenge, error)
        } else {
          end(result)
        }
      })
    state = .resuming(call: call.id)
  }

  private func end(_ result: Result<AccountOutcome, AuthenticationError>) {
    service = nil
    switch result {
    case .success: state = .done
    case .failure(let error): state = .failed(flows.failure(error))
    }
    onEnd?(result)
  }
}

extension AuthenticationError {
  static let otherPersonSignedIn = Self(
    .insufficientUserAuthentication, "Another person has signed in than the one whose intent waits.",
    suggestion: "Let the same person sign in.")

  /// Whether the user can prove it again: the answer was wrong, or did not reach the provider.
  fileprivate var isAboutProof: Bool {
    let codes: Set<Code> = [
      .invalidCredentials, .wrongCode, .codeExpired, .codeReused, .tooManyAttempts, .malformedCode, .emptyCode,
      .emptyPassword, .challengeReplaced,
    ]
    return codes.contains(code) || code.disposition == .transient || isSilent
  }

  fileprivate static func wrongAnswer(to challenge: Challenge) -> Self {
    [.password, .newPassword].contains(challenge.kind) ? .invalidCredentials : .wrongCode
  }
}
