public import AuthenticationDomain

extension SignUpModel {
  public func submit(_ input: SignInInput = SignInInput()) {
    guard case .editing(var form, _) = state else { return }
    guard let fields = form.submit(flows.rules) else { return state = .editing(form, nil) }
    do throws(AuthenticationError) {
      let attempt = try flows.attempts.begin(method)
      sent = form.withoutSecrets()
      state = .submitting(sent, attempt: attempt.id)
      attempt.signUp(input.with(fields, for: method))
      following.follow(attempt) { [weak self] in self?.show($0, of: attempt) }
    } catch {
      state = .editing(form.withoutSecrets(), flows.failure(error))
    }
  }

  public func finished() async { await following.finished() }

  private func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    switch attemptState {
    case .collecting, .submitting, .waitingElsewhere: break
    case .challenged(let challenge, _): ask(challenge, of: attempt)
    case .failed(let error): fail(error)
    case .ended(.signedIn(let user)):
      if case .done = state { return }
      state = SignInCompletion(user, of: attempt, by: flows.control).map(State.done) ?? .editing(sent, nil)
    case .ended: state = .editing(sent, nil)
    }
  }

  private func ask(_ challenge: Challenge, of attempt: SignInAttempt) {
    guard case .submitting = state else { return }
    if challenge.kind == .link, let model = EmailLinkModel(attempt, in: flows) {
      model.onEnd = { [weak self] in self?.goOn($0) }
      state = .waiting(model)
    } else if [.confirmation, .emailCode, .smsCode].contains(challenge.kind),
      let model = CodeEntryModel(attempt, in: flows)
    {
      model.onEnd = { [weak self] in self?.goOn($0) }
      state = .confirming(model)
    } else {
      state = .next(challenge, attempt: attempt.id)
    }
  }

  /// The confirmation ends by itself; what comes after it is told by the attempt.
  private func goOn(_ end: StepEnd) {
    if case .next(let attempt) = end, let challenge = attempt.state.challenge {
      state = .next(challenge, attempt: attempt.id)
    }
  }

  private func fail(_ error: AuthenticationError) {
    guard case .submitting(let form, _) = state else { return }
    if error.code == .accountExists { return state = .alreadyExists(form) }
    state = .editing(form, error.isSilent ? nil : flows.failure(error))
  }
}
