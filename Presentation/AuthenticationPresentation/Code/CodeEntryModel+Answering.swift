import AuthenticationDomain

extension CodeEntryModel {
  /// Sends the code, or says what is wrong with it. The same code is not sent again once it was refused.
  public func submit() {
    guard case .editing(var entry) = state else { return }
    let code = entry.codeToSend(by: flows.clock)
    state = .editing(entry)
    if let code { send(code, entry) }
  }

  func send(_ code: Secret, _ entry: CodeEntry) {
    state = .verifying(entry)
    attempt.answer(code: code)
    show(attempt.state)
  }

  /// Whether another code may be sent now.
  public var canResend: Bool {
    switch state {
    case .editing(let entry), .expired(let entry): entry.resendAt?.isOver(by: flows.clock) ?? false
    default: false
    }
  }

  /// Has another code sent to the same destination. Does nothing before it may.
  public func resend() {
    guard canResend, let entry else { return }
    state = .sending(entry)
    attempt.resend()
    show(attempt.state)
  }

  /// Gives the attempt up; the host shows the list of methods again.
  public func startAgain() {
    guard following.cancel() else { return }
    state = .ended
  }

  /// Whether another factor can be chosen instead.
  public var canChooseAnother: Bool { !isWorking && (entry?.challenge.choices.count ?? 0) > 1 }

  /// Goes back to the choice among the factors, without a new sign-in.
  public func chooseAnother() {
    if canChooseAnother { onEnd?(.factors(attempt)) }
  }

  public func finished() async { await following.finished() }

  func show(_ attemptState: SignInAttempt.State) {
    switch attemptState {
    case .submitting, .collecting, .waitingElsewhere: break
    case .challenged(let challenge, let error): show(challenge, error)
    case .failed(let error): end(error)
    case .ended(.signedIn(let user)):
      if case .done = state { return }
      state = SignInCompletion(user, of: attempt, by: flows.control).map(State.done) ?? .ended
    case .ended: state = .ended
    }
  }

  private func show(_ challenge: Challenge, _ error: AuthenticationError?) {
    guard isWorking, var entry else {
      if let entry, entry.challenge.handle != challenge.handle { ask(challenge, after: entry) }
      return
    }
    guard let error else { return ask(challenge, after: entry) }
    switch error.code {
    case _ where error.isSilent: edit(entry)
    case .tooManyAttempts: end(error)
    case .codeExpired: state = .expired(entry)
    default:
      entry.fail(error, by: flows.clock)
      edit(entry)
    }
  }

  /// It may have expired while it was verified.
  private func edit(_ entry: CodeEntry) {
    state = entry.isOver(by: flows.clock) ? .expired(entry) : .editing(entry)
  }

  /// The same kind of code again, or another step.
  private func ask(_ challenge: Challenge, after entry: CodeEntry) {
    guard challenge.kind == entry.challenge.kind else {
      state = .next(challenge, attempt: attempt.id)
      return expiry.set(nil) {}
    }
    var new = CodeEntry(challenge, of: attempt, by: flows.clock)
    if case .sending = state { new.wasResent = true }
    state = .editing(new)
    watchExpiry()
  }

  private func end(_ error: AuthenticationError) {
    switch error.code {
    case .tooManyAttempts: state = .spent(until: error.retryAfter.map { Deadline(in: $0, by: flows.clock) })
    case .signInExpired, .codeExpired:
      guard let entry else { return }
      state = .expired(entry)
    default:
      guard var entry else { return }
      entry.fail(error, by: flows.clock)
      state = .editing(entry)
    }
  }

  func watchExpiry() {
    expiry.set(entry?.expiresAt) { [weak self] in
      if case .editing(let entry) = self?.state { self?.state = .expired(entry) }
    }
  }
}
