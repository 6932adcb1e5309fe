import AuthenticationDomain

extension PasswordResetModel {
  /// Sends what the step that is shown asks for, or says what is missing. Does nothing while something is on its way.
  public func submit() {
    switch state {
    case .askingAccount(var form, _):
      guard let account = form.submit(flows.rules)?[.userName] else { return state = .askingAccount(form, nil) }
      ask({ .requesting(form, call: $0) }) { services throws(AuthenticationError) in
        try await services.resetPassword(of: account)
      } then: { [weak self, form] in
        self?.showRequested($0, form, account)
      }
    case .enteringCode(var entry, let account):
      let code = entry.codeToSend(by: flows.clock)
      state = .enteringCode(entry, account: account)
      guard let code else { return }
      answer(.code(code), to: entry, account) { .verifying(entry, account: account, call: $0) }
    case .editingNew(var entry, let challenge, let account):
      guard let password = entry.submit(flows.rules, by: flows.clock) else {
        return state = .editingNew(entry, challenge, account: account)
      }
      let answer = ChallengeAnswer(to: challenge, .newPassword(password))
      ask({ .submitting(entry, challenge, account: account, call: $0) }) { services throws(AuthenticationError) in
        try await services.answer(answer)
      } then: { [weak self, entry] in
        self?.showChanged($0, entry, challenge, account)
      }
    default: break
    }
  }

  /// Whether another code may be sent now.
  public var canResend: Bool {
    switch state {
    case .enteringCode(let entry, _), .expired(let entry, _): entry.resendAt?.isOver(by: flows.clock) ?? false
    default: false
    }
  }

  /// Has another code sent. Does nothing before it may.
  public func resend() {
    guard canResend else { return }
    switch state {
    case .enteringCode(let entry, let account), .expired(let entry, let account):
      answer(.resend, to: entry, account) { .resending(entry, account: account, call: $0) }
    default: break
    }
  }

  /// Asks for the account again; what is on its way counts no more.
  public func startAgain() {
    call.cancel()
    expiry.set(nil) {}
    state = .askingAccount(EntryForm([.userName]), nil)
  }

  public func finished() async { await call.finished() }

  private func answer(
    _ content: ChallengeAnswer.Content, to entry: CodeEntry, _ account: String, _ next: (Int) -> State
  ) {
    let answer = ChallengeAnswer(to: entry.challenge, content)
    ask(next) { services throws(AuthenticationError) in
      try await services.answer(answer)
    } then: { [weak self] in
      self?.showAnswered($0, entry, account)
    }
  }

  private func ask(
    _ next: (Int) -> State,
    _ ask: @escaping @Sendable (any Services) async throws(AuthenticationError) -> AccountOutcome,
    then show: @escaping @MainActor (Result<AccountOutcome, AuthenticationError>) -> Void
  ) {
    call.run({ [services] () async throws(AuthenticationError) in try await ask(services) }, then: show)
    state = next(call.id)
  }

  private func showRequested(
    _ result: Result<AccountOutcome, AuthenticationError>, _ form: EntryForm, _ account: String
  ) {
    switch result {
    case .success(.done): state = .sent(account: account)
    case .success(.challenge(let challenge)): show(challenge, account)
    case .failure(let error):
      state = .askingAccount(form, error.isSilent ? nil : flows.failure(error))
    }
  }

  private func showAnswered(
    _ result: Result<AccountOutcome, AuthenticationError>, _ former: CodeEntry, _ account: String
  ) {
    var entry = former
    switch result {
    case .success(.done): finish(account)
    case .success(.challenge(let challenge)): show(challenge, account)
    case .failure(let error) where [.codeExpired, .signInExpired].contains(error.code):
      state = .expired(entry, account: account)
    case .failure(let error):
      if !error.isSilent { entry.fail(error, by: flows.clock) }
      // It may have expired while it was verified.
      state = entry.isOver(by: flows.clock) ? .expired(entry, account: account) : .enteringCode(entry, account: account)
    }
  }

  private func showChanged(
    _ result: Result<AccountOutcome, AuthenticationError>, _ former: NewPasswordEntry, _ challenge: Challenge,
    _ account: String
  ) {
    var entry = former
    switch result {
    case .success(.done): finish(account)
    case .success(.challenge(let challenge)): show(challenge, account)
    case .failure(let error):
      entry.fail(error, by: flows.clock)
      state = .editingNew(entry, challenge, account: account)
    }
  }

  private func finish(_ account: String) {
    expiry.set(nil) {}
    state = .done(account: account, isSignedIn: flows.control.state.user != nil)
  }

  private func show(_ challenge: Challenge, _ account: String) {
    switch challenge.kind {
    case .newPassword: state = .editingNew(NewPasswordEntry(rules: rules), challenge, account: account)
    case .link: state = .sent(account: account)
    default:
      let entry = CodeEntry(
        challenge, timeToResend: challenge.resendDelay, timeLeft: challenge.lifetime, by: flows.clock)
      state = .enteringCode(entry, account: account)
      expiry.set(entry.expiresAt) { [weak self] in
        if case .enteringCode(let entry, let account) = self?.state { self?.state = .expired(entry, account: account) }
      }
    }
  }
}
