public import AuthenticationDomain

extension SignInFormModel {
  public func submit(_ input: SignInInput = SignInInput()) { send(input) { $0.submit($1) } }

  /// As ``submit(_:)``, to create an account.
  package func signUp(_ input: SignInInput = SignInInput()) { send(input) { $0.signUp($1) } }

  private func send(_ input: SignInInput, _ send: (SignInAttempt, SignInInput) -> Void) {
    guard case .editing(var form, _) = state else { return }
    guard let fields = form.submit(flows.rules) else {
      state = .editing(form, nil)
      return
    }
    do throws(AuthenticationError) {
      let attempt = try openAttempt()
      state = .submitting(form.withoutSecrets(), attempt: attempt.id)
      send(attempt, input.with(fields, for: method))
      following.follow(attempt) { [weak self] in self?.show($0) }
    } catch {
      state = .editing(form.withoutSecrets(), flows.failure(error))
    }
  }

  /// The one that failed goes on, if it is still the latest.
  private func openAttempt() throws(AuthenticationError) -> SignInAttempt {
    if let attempt = following.attempt, attempt === flows.attempts.current, !attempt.state.isEnded { return attempt }
    return try flows.attempts.begin(method)
  }

  /// Cancels what is on its way; the form stays as it is, without a failure.
  public func cancel() {
    guard isWorking, let form, following.cancel() else { return }
    state = .editing(form, nil)
  }

  /// Shows the form again instead of the step that was asked; the password was sent, and is not in it.
  func reopen() {
    guard case .challenged(let form, _, _) = state else { return }
    following.stop()
    state = .editing(form, nil)
  }

  public func finished() async { await following.finished() }

  func show(_ attemptState: SignInAttempt.State) {
    guard case .submitting(let form, let id) = state, let attempt = following.attempt, attempt.id == id else { return }
    switch attemptState {
    case .collecting, .submitting, .waitingElsewhere: break
    case .challenged(let challenge, _): state = .challenged(form, challenge, attempt: id)
    case .failed(let error): fail(error, form)
    case .ended(.signedIn(let user)):
      flows.lastMethod.write(method.id)
      state = SignInCompletion(user, of: attempt, by: flows.control).map(State.done) ?? .editing(form, nil)
    case .ended(.cancelled), .ended(.replaced): state = .editing(form, nil)
    }
  }

  private func fail(_ error: AuthenticationError, _ form: EntryForm) {
    let failure = error.isSilent ? nil : flows.failure(error)
    guard error.code == .tooManyAttempts, let until = failure?.retryAt else {
      state = .editing(form, failure)
      return
    }
    state = .lockedOut(form, until: until)
    alarm.set(until) { [weak self] in
      if case .lockedOut(let form, until: until) = self?.state { self?.state = .editing(form, nil) }
    }
  }
}
