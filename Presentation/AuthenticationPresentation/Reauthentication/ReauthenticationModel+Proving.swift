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
      check(answer) { [flows, form, weak self] error in
        self?.state = .askingPassword(
          form.withoutSecrets(), challenge, error.isSilent ? nil : flows.failure(error))
      }
    case .askingCode(var entry):
      let code = entry.codeToSend(by: flows.clock)
      state = .askingCode(entry)
      guard let code else { return }
      check(ChallengeAnswer(to: entry.challenge, .code(code))) { [flows, entry, weak self] error in
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
    intent = nil
    state = .declined
  }

  public func finished() async {
    if case .proving(let step) = state { await step.model?.finished() }
    await call.finished()
  }

  func ask(_ challenge: Challenge) {
    if [.password, .newPassword].contains(challenge.kind) {
      state = .askingPassword(EntryForm([.password]), challenge, nil)
    } else {
      ask(CodeEntry(challenge, timeToResend: challenge.resendDelay, timeLeft: challenge.lifetime, by: flows.clock))
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

  private func check(_ answer: ChallengeAnswer, orElse show: @escaping @MainActor (AuthenticationError) -> Void) {
    guard let challenges else { return }
    call.run(
      { () async throws(AuthenticationError) in try await challenges.answer(answer) },
      then: {
        [weak self] result in
        switch result {
        case .success(.done): self?.resume()
        case .success(.challenge(let next)): self?.ask(next)
        case .failure(let error): show(error)
        }
      })
    state = .checking(call: call.id)
  }

  /// Only the same person goes on.
  func proved(_ completion: SignInCompletion?) {
    if let completion, completion.user.id == user.id { return resume() }
    state = .required(
      reason, methods: flows.attempts.methods,
      completion.map { _ in flows.failure(.otherPersonSignedIn) })
  }

  private func resume() {
    guard let intent else { return }
    self.intent = nil
    call.run(
      intent,
      then: { [flows, weak self] result in
        switch result {
        case .success: self?.state = .done
        case .failure(let error): self?.state = .failed(flows.failure(error))
        }
      })
    state = .resuming(call: call.id)
  }
}

extension AuthenticationError {
  static let otherPersonSignedIn = Self(
    .insufficientUserAuthentication, "Another person has signed in than the one whose intent waits.",
    suggestion: "Let the same person sign in.")
}
