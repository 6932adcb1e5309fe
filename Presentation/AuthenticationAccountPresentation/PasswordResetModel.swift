public import AuthenticationPresentation
public import AuthenticationAccount
public import AuthenticationDomain

/// Lets a user choose another password in place of a forgotten one.
///
/// Its sentences are the same whether or not there is such an account.
///
/// ```swift
/// let model = PasswordResetModel(root.manager.account, in: flows)
/// model.account = "ada@example.com"
/// model.submit()
/// ```
public final class PasswordResetModel: Flow<PasswordResetModel.State> {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// The user says which account.
    case askingAccount(EntryForm, FlowFailure?)
    /// A code or a link was asked for.
    case requesting(EntryForm)
    /// A link was sent, if there is such an account; the rest happens on its page.
    case sent
    /// The code that came is asked for.
    case enteringCode(CodeEntry)
    /// The code was sent to the provider.
    case verifying(CodeEntry)
    /// Another code was asked for.
    case resending(CodeEntry)
    /// The code has expired.
    case expired(CodeEntry)
    /// The new password is asked for.
    case editingNew(NewPasswordEntry, Challenge)
    /// The new password was sent, and is in here no more.
    case submitting(NewPasswordEntry, Challenge)
    /// It was changed: the user signs in with it, unless a user is signed in.
    case done(isSignedIn: Bool)
  }

  private let services: any AccountUseCase
  /// The submitted name of the account.
  private var submittedAccount: String

  /// Asks for the account.
  ///
  /// - Parameters:
  ///   - services: of the provider.
  ///   - flows: the shared parts of an app's models.
  ///   - account: its name, if it is known.
  public init(_ services: any AccountUseCase, in flows: FlowEnvironment, account: String = "") {
    self.services = services
    submittedAccount = account
    super.init(.askingAccount(EntryForm([.userName], filled: [.userName: account]), nil), in: flows)
  }

  /// The account, as typed.
  public var account: String {
    get { if case .askingAccount(let form, _) = state { form[.userName] } else { submittedAccount } }
    set {
      guard case .askingAccount(var form, let failure) = state else { return }
      form.type(newValue, into: .userName, rules)
      state = .askingAccount(form, failure)
    }
  }

  /// The code, as typed or pasted.
  public var code: String {
    get { if case .enteringCode(let entry) = state { entry.text } else { "" } }
    set {
      guard case .enteringCode(var entry) = state else { return }
      entry.text = newValue
      state = .enteringCode(entry)
    }
  }

  /// The new password, as typed.
  public var newPassword: String {
    get { if case .editingNew(let entry, _) = state { entry.form[.password] } else { "" } }
    set {
      guard case .editingNew(var entry, let challenge) = state else { return }
      entry.type(newValue, rules)
      state = .editingNew(entry, challenge)
    }
  }

  public override var status: FlowStatus {
    var screen = page
    screen.secondsToResend = resendable?.resendAt?.secondsLeft(by: flows.clock)
    return screen
  }

  /// Without the parts that depend on the time.
  private var page: FlowStatus {
    let code: WordKey = "code.entry.title"
    return switch state {
    case .askingAccount(let form, let failure): FlowStatus("reset.ask.title", in: words, failure: failure, form: form)
    case .requesting: FlowStatus("reset.ask.title", in: words, activity: "reset.ask.working")
    case .sent:
      FlowStatus("reset.sent.title", in: words, heading: words("reset.sent.title", .text(account)), focus: .heading)
    case .enteringCode(let entry): entry.status(code, in: words)
    case .verifying(let entry): entry.status(code, in: words, activity: "code.submit.working")
    case .resending(let entry): entry.status(code, in: words, activity: "code.resend.working")
    case .expired(let entry):
      FlowStatus("code.expired.title", in: words, failure: entry.failure, focus: .heading, announced: .assertive)
    case .editingNew(let entry, _): entry.status(in: words)
    case .submitting: FlowStatus("new_password.form.title", in: words, activity: "new_password.submit.working")
    case .done: FlowStatus("reset.done.title", in: words, focus: .heading)
    }
  }

  /// Sends the input of the step that is shown, or shows the missing part. Does nothing while a request is in flight.
  public func submit() {
    switch state {
    case .askingAccount(var form, _):
      guard let account = form.submit(rules)?[.userName] else { return state = .askingAccount(form, nil) }
      submittedAccount = account
      ask(.requesting(form)) { [flows, form] in
        .askingAccount(form, flows.visibleFailure($0))
      } request: { services throws(AuthenticationError) in
        try await services.perform(.resetPassword(of: account))
      }
    case .enteringCode(var entry):
      let code = entry.codeToSend(by: flows.clock)
      state = .enteringCode(entry)
      if let code { answer(.code(code), to: entry, .verifying(entry)) }
    case .editingNew(var entry, let challenge):
      guard let password = entry.submit(rules, by: flows.clock) else { return state = .editingNew(entry, challenge) }
      let answer = ChallengeAnswer(to: challenge, .newPassword(password))
      ask(.submitting(entry, challenge)) { [flows, entry] in
        var entry = entry
        entry.fail($0, by: flows.clock)
        return .editingNew(entry, challenge)
      } request: { services throws(AuthenticationError) in
        try await services.perform(.answer(answer))
      }
    default: break
    }
  }

  /// The code that may be sent again.
  private var resendable: CodeEntry? {
    switch state {
    case .enteringCode(let entry), .expired(let entry): entry
    default: nil
    }
  }

  /// Has another code sent. Does nothing before it may.
  public func resend() {
    guard let entry = resendable, entry.resendAt?.isOver(by: flows.clock) == true else { return }
    answer(.resend, to: entry, .resending(entry))
  }

  /// Asks for the account again; a request in flight is cancelled.
  public func startAgain() {
    call.cancel()
    alarm.set(nil)
    state = .askingAccount(EntryForm([.userName]), nil)
  }

  private func answer(_ content: ChallengeAnswer.Content, to former: CodeEntry, _ waiting: State) {
    let answer = ChallengeAnswer(to: former.challenge, content)
    ask(waiting) { [flows] in
      var entry = former
      return entry.canContinue(after: $0, by: flows.clock) ? .enteringCode(entry) : .expired(entry)
    } request: { services throws(AuthenticationError) in
      try await services.perform(.answer(answer))
    }
  }

  /// - Parameters:
  ///   - waiting: the state until the response comes.
  ///   - failed: the state after an error.
  private func ask(
    _ waiting: State, orElse failed: @escaping @MainActor (AuthenticationError) -> State,
    request: @escaping @Sendable (any AccountUseCase) async throws(AuthenticationError) -> AccountOutcome
  ) {
    state = waiting
    call.run { [services] () async throws(AuthenticationError) in
      try await request(services)
    } then: { [weak self] result in
      guard let self else { return }
      switch (result, state) {
      case (.success(.challenge(let challenge)), _): show(challenge)
      case (.success, .requesting): state = .sent
      case (.success, _):
        alarm.set(nil)
        state = .done(isSignedIn: flows.control.state.user != nil)
      case (.failure(let error), _): state = failed(error)
      }
    }
  }

  private func show(_ challenge: Challenge) {
    switch challenge.kind {
    case .newPassword: state = .editingNew(NewPasswordEntry(rules: flows.passwordRules), challenge)
    case .link: state = .sent
    default:
      let entry = CodeEntry(challenge, by: flows.clock)
      state = .enteringCode(entry)
      alarm.set(entry.expiresAt) { [weak self] in
        if case .enteringCode(let entry) = self?.state { self?.state = .expired(entry) }
      }
    }
  }
}
