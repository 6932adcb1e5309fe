import AuthenticationDomain

extension AccountModel {
  /// Asks the provider for the account. Does nothing while anything is on its way.
  public func load() {
    if call.isRunning || leaveIfForeign() { return }
    call.run(
      { [parts] () async throws(AuthenticationError) in try await AccountOverview(parts) },
      then: {
        [weak self] in self?.showLoaded($0)
      })
    state = .loading(call: call.id)
  }

  /// Changes something, then shows what the provider says of the account. Does nothing while anything is on its way.
  public func change(_ change: AccountChange) {
    guard case .shown(let overview, _) = state, !call.isRunning, !leaveIfForeign() else { return }
    call.run(
      { [parts] () async throws(AuthenticationError) in try await parts.make(change) },
      then: {
        [weak self] in self?.showChanged($0, change, overview)
      })
    state = .changing(overview, change, call: call.id)
  }

  /// Sends the code of the factor that is enrolled, or says what is wrong with it.
  public func submit() {
    guard case .enrolling(let overview, var entry) = state, let challenges = parts.challenges, !leaveIfForeign() else {
      return
    }
    let code = entry.codeToSend(by: flows.clock)
    state = .enrolling(overview, entry)
    guard let code else { return }
    let answer = ChallengeAnswer(to: entry.challenge, .code(code))
    call.run(
      { () async throws(AuthenticationError) in try await challenges.answer(answer) },
      then: {
        [flows, entry, weak self] result in
        var entry = entry
        switch result {
        case .success(.done): self?.load()
        case .success(.challenge(let next)): self?.ask(next, overview)
        case .failure(let error):
          if !error.isSilent { entry.fail(error, by: flows.clock) }
          self?.enrol(entry, overview)
        }
      })
    state = .verifying(overview, entry, call: call.id)
  }

  /// Leaves a step or a question; nothing has changed.
  public func goBack() {
    switch state {
    case .enrolling(let overview, _), .next(let overview, _), .confirmingDeletion(let overview):
      state = .shown(overview, nil)
    case .reauthenticating(let overview, let model):
      if case .resuming = model.state { return }
      model.decline()
      if !leaveIfForeign() { state = .shown(overview, nil) }
    default: break
    }
  }

  /// The services act on who is signed in: once that is somebody else, this person's account is neither shown nor changed.
  func leaveIfForeign() -> Bool {
    guard let current = flows.control.state.user, current.id != user.id else { return false }
    state = .unavailable(flows.failure(.otherPersonSignedIn))
    return true
  }

  public func finished() async {
    if case .reauthenticating(_, let model) = state { await model.finished() }
    await call.finished()
  }

  private func showLoaded(_ result: Result<AccountOverview, AuthenticationError>) {
    switch result {
    case .success(let overview): state = .shown(overview, nil)
    case .failure(let error):
      state = .unavailable(error.isSilent ? nil : flows.failure(error))
    }
  }

  private func showChanged(
    _ result: Result<AccountOutcome, AuthenticationError>, _ change: AccountChange, _ overview: AccountOverview
  ) {
    switch result {
    case .success(.done): load()
    case .success(.challenge(let challenge)): ask(challenge, overview)
    case .failure(let error):
      let takesProof = if case .unlink = change { false } else { true }
      fail(error, overview, takesProof: takesProof) {
        [parts] proof async throws(AuthenticationError) in
        try await parts.make(change, proof: proof)
      } then: { [weak self] in
        self?.showChanged($0, change, overview)
      }
    }
  }

  func ask(_ challenge: Challenge, _ overview: AccountOverview) {
    if [.passkey, .passkeyRegistration, .newPassword, .choice].contains(challenge.kind) {
      state = .next(overview, challenge)
    } else {
      enrol(
        CodeEntry(challenge, timeToResend: challenge.resendDelay, timeLeft: challenge.lifetime, by: flows.clock),
        overview)
    }
  }

  /// Asks for the code until the provider takes it no more: the person then begins again.
  private func enrol(_ entry: CodeEntry, _ overview: AccountOverview) {
    guard !entry.isOver(by: flows.clock) else { return state = .shown(overview, flows.failure(.signInExpired)) }
    state = .enrolling(overview, entry)
    expiry.set(entry.expiresAt) { [weak self] in
      if case .enrolling(let overview, let entry) = self?.state { self?.enrol(entry, overview) }
    }
  }

  /// Shows why it did not do; what wants a proof first goes on after it, or with it.
  func fail(
    _ error: AuthenticationError, _ overview: AccountOverview, takesProof: Bool,
    again service: @escaping ReauthenticationModel.Service,
    then show: @escaping @MainActor (Result<AccountOutcome, AuthenticationError>) -> Void
  ) {
    if leaveIfForeign() { return }
    guard ReauthenticationModel.isRequired(by: error) else {
      state = .shown(overview, error.isSilent ? nil : flows.failure(error))
      return
    }
    let model = ReauthenticationModel(
      error, of: user, by: parts.challenges, in: flows, takesProof: takesProof, service: service)
    model.onEnd = show
    state = .reauthenticating(overview, model)
  }
}
