public import AuthenticationDomain

extension AuthenticationViewModel {
  /// What was typed as a user name; kept when an attempt fails.
  public var userName: String {
    get { form?[.userName] ?? "" }
    set { form?[.userName] = newValue }
  }

  /// What was typed as a password; emptied when it was sent.
  public var password: String {
    get { form?[.password] ?? "" }
    set { form?[.password] = newValue }
  }

  /// Signs in with what was typed. Does nothing while an attempt is in progress.
  public func signIn(_ input: SignInInput = SignInInput()) { submittableForm()?.submit(input) }

  /// Creates an account with what was typed, if the provider supports it. Does nothing while an attempt is in progress.
  public func signUp(_ input: SignInInput = SignInInput()) { submittableForm()?.signUp(input) }

  /// Goes on with a method of the list.
  public func choose(_ method: SignInMethod) {
    if step != nil, flows.attempts.methods.contains(method) { steps.start(method) }
  }

  /// Shows the form to create an account.
  public func createAccount(_ model: SignUpModel? = nil) {
    if step != nil { steps.go(to: .signUp(model ?? SignUpModel(in: flows))) }
  }

  /// Cancels the attempt in progress, and shows the form that led to it, or the list of methods; a restored step is
  /// removed.
  public func startAgain() {
    if let attempt = flows.attempts.current, !attempt.state.isEnded {
      attempt.cancel()
      if case .ended(.signedIn) = attempt.state { return }
    }
    if step != nil { steps.goBack() }
  }

  /// Cancels what is on its way, immediately, whatever the provider does; a form stays as it is.
  public func cancel() {
    if let form, form.isWorking { form.cancel() } else if step != nil { startAgain() }
  }

  /// Signs out, as ``SessionModel/signOut(everywhere:losing:)`` does.
  public func signOut(losing loss: SignOutLoss? = nil) { session.signOut(losing: loss) }

  /// Has the session erased again, as ``SessionModel/retrySignOut()`` does.
  public func retrySignOut() { session.retrySignOut() }

  /// Reads the store again, for a retry button; ``state`` shows the outcome.
  public func restore() {
    Task { [control = flows.control] in await control.restore() }
  }

  public func finished() async {
    await reading?.value
    show(flows.control.state)
    await restoring?.value
    await steps.step?.model?.finished()
    await finishing?.value
    await session.finished()
    show(flows.control.state)
  }

  var form: SignInFormModel? { step?.form ?? firstForm }

  /// A form that is sent before it is on the screen leads on all the same.
  private func submittableForm() -> SignInFormModel? {
    if let firstForm { steps.go(to: .form(firstForm)) }
    return form
  }
}
