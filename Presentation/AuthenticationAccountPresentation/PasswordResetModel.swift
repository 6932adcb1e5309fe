public import AuthenticationPresentation
public import AuthenticationAccount
public import AuthenticationDomain

/// Lets a user who forgot the password choose another one.
///
/// What it says is the same whether or not there is such an account.
///
/// ```swift
/// let model = PasswordResetModel(root.manager.account, rules: [.length(15)], in: flows)
/// model.account = "ada@example.com"
/// model.submit()
/// ```
public final class PasswordResetModel: Flow<PasswordResetModel.State>, FlowModel {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// The user says which account.
    case askingAccount(EntryForm, FlowFailure?)
    /// A code or a link was asked for.
    case requesting(EntryForm)
    /// A link was sent, if there is such an account; the rest happens on its page.
    case sent(account: String)
    /// The code that came is asked for.
    case enteringCode(CodeEntry, account: String)
    /// The code was sent to the provider.
    case verifying(CodeEntry, account: String)
    /// Another code was asked for.
    case resending(CodeEntry, account: String)
    /// The code has expired.
    case expired(CodeEntry, account: String)
    /// The new password is asked for.
    case editingNew(NewPasswordEntry, Challenge, account: String)
    /// The new password was sent, and is in here no more.
    case submitting(NewPasswordEntry, Challenge, account: String)
    /// It was changed: the user signs in with it, unless a user is signed in.
    case done(account: String, isSignedIn: Bool)
  }

  private let services: any AccountUseCase
  private let passwordRules: [PasswordRule]

  /// Asks for the account.
  ///
  /// - Parameters:
  ///   - services: of the provider.
  ///   - rules: what a new password must be like, from the provider's configuration.
  ///   - flows: what the models of one app share.
  ///   - account: what is known of it.
  public init(
    _ services: any AccountUseCase, rules: [PasswordRule] = [], in flows: FlowEnvironment, account: String = ""
  ) {
    self.services = services
    passwordRules = rules
    super.init(.askingAccount(EntryForm([.userName], filled: [.userName: account]), nil), in: flows.forAccounts)
  }

  /// The account, as typed.
  public var account: String {
    get { if case .askingAccount(let form, _) = state { form[.userName] } else { "" } }
    set {
      guard case .askingAccount(var form, let failure) = state else { return }
      form.type(newValue, into: .userName, rules)
      state = .askingAccount(form, failure)
    }
  }

  /// The code, as typed or pasted.
  public var code: String {
    get { if case .enteringCode(let entry, _) = state { entry.text } else { "" } }
    set {
      guard case .enteringCode(var entry, let account) = state else { return }
      entry.text = newValue
      state = .enteringCode(entry, account: account)
    }
  }

  /// The new password, as typed.
  public var newPassword: String {
    get { if case .editingNew(let entry, _, _) = state { entry.form[.password] } else { "" } }
    set {
      guard case .editingNew(var entry, let challenge, let account) = state else { return }
      entry.type(newValue, rules)
      state = .editingNew(entry, challenge, account: account)
    }
  }

  public var status: FlowStatus {
    switch state {
    case .askingAccount(let form, let failure):
      return FlowStatus("reset.ask.title", in: words, failure: failure, form: form)
    case .requesting: return FlowStatus("reset.ask.title", in: words, activity: "reset.ask.working")
    case .sent(let account):
      return FlowStatus(
        "reset.sent.title", in: words, heading: words("reset.sent.title", .text(account)), focus: .heading)
    case .enteringCode(let entry, _): return entry.status("code.entry.title", in: words)
    case .verifying(let entry, _):
      return entry.status("code.entry.title", in: words, activity: "code.submit.working")
    case .resending(let entry, _):
      return entry.status("code.entry.title", in: words, activity: "code.resend.working")
    case .expired(let entry, _):
      return FlowStatus(
        "code.expired.title", in: words, failure: entry.failure, focus: .heading, announced: .assertive)
    case .editingNew(let entry, _, _): return entry.status(in: words)
    case .submitting: return FlowStatus("new_password.form.title", in: words, activity: "new_password.submit.working")
    case .done: return FlowStatus("reset.done.title", in: words, focus: .heading)
    }
  }
}

extension PasswordResetModel {
  /// Sends what the step that is shown asks for, or says what is missing. Does nothing while a request is in flight.
  public func submit() {
    switch state {
    case .askingAccount(var form, _):
      guard let account = form.submit(rules)?[.userName] else { return state = .askingAccount(form, nil) }
      ask(of: account, .requesting(form)) { [flows, form] in
        .askingAccount(form, flows.visibleFailure($0))
      } request: { services throws(AuthenticationError) in
        try await services.resetPassword(of: account)
      }
    case .enteringCode(var entry, let account):
      let code = entry.codeToSend(by: flows.clock)
      state = .enteringCode(entry, account: account)
      guard let code else { return }
      answer(.code(code), to: entry, account, .verifying(entry, account: account))
    case .editingNew(var entry, let challenge, let account):
      guard let password = entry.submit(rules, by: flows.clock) else {
        return state = .editingNew(entry, challenge, account: account)
      }
      let answer = ChallengeAnswer(to: challenge, .newPassword(password))
      ask(of: account, .submitting(entry, challenge, account: account)) { [flows, entry] in
        var entry = entry
        entry.fail($0, by: flows.clock)
        return .editingNew(entry, challenge, account: account)
      } request: { services throws(AuthenticationError) in
        try await services.answer(answer)
      }
    default: break
    }
  }

  /// The code that may be sent again, and whose account it is of.
  private var resendable: (entry: CodeEntry, account: String)? {
    switch state {
    case .enteringCode(let entry, let account), .expired(let entry, let account): (entry, account)
    default: nil
    }
  }

  /// Seconds until another code may be sent; zero if it may be sent now, nil if none can be.
  public var secondsToResend: Int? { resendable?.entry.resendAt?.secondsLeft(by: flows.clock) }

  /// Whether another code may be sent now.
  public var canResend: Bool { resendable?.entry.resendAt?.isOver(by: flows.clock) ?? false }

  /// Has another code sent. Does nothing before it may.
  public func resend() {
    guard canResend, let (entry, account) = resendable else { return }
    answer(.resend, to: entry, account, .resending(entry, account: account))
  }

  /// Asks for the account again; a request in flight is cancelled.
  public func startAgain() {
    call.cancel()
    alarm.set(nil)
    state = .askingAccount(EntryForm([.userName]), nil)
  }

  private func answer(
    _ content: ChallengeAnswer.Content, to former: CodeEntry, _ account: String, _ waiting: State
  ) {
    let answer = ChallengeAnswer(to: former.challenge, content)
    ask(of: account, waiting) { [flows] error in
      var entry = former
      if [.codeExpired, .signInExpired].contains(error) { return .expired(entry, account: account) }
      if !error.isSilent { entry.fail(error, by: flows.clock) }
      // It may have expired while it was verified.
      return entry.isOver(by: flows.clock) ? .expired(entry, account: account) : .enteringCode(entry, account: account)
    } request: { services throws(AuthenticationError) in
      try await services.answer(answer)
    }
  }

  /// - Parameters:
  ///   - waiting: the state until the response comes.
  ///   - failed: the state after an error.
  private func ask(
    of account: String, _ waiting: State, orElse failed: @escaping @MainActor (AuthenticationError) -> State,
    request: @escaping @Sendable (any AccountUseCase) async throws(AuthenticationError) -> AccountOutcome
  ) {
    state = waiting
    call.run { [services] () async throws(AuthenticationError) in
      try await request(services)
    } then: { [weak self] result in
      guard let self else { return }
      switch (result, state) {
      case (.success(.challenge(let challenge)), _): show(challenge, account)
      case (.success, .requesting): state = .sent(account: account)
      case (.success, _):
        alarm.set(nil)
        state = .done(account: account, isSignedIn: flows.control.state.user != nil)
      case (.failure(let error), _): state = failed(error)
      }
    }
  }

  private func show(_ challenge: Challenge, _ account: String) {
    switch challenge.kind {
    case .newPassword: state = .editingNew(NewPasswordEntry(rules: passwordRules), challenge, account: account)
    case .link: state = .sent(account: account)
    default:
      let entry = CodeEntry(challenge, by: flows.clock)
      state = .enteringCode(entry, account: account)
      alarm.set(entry.expiresAt) { [weak self] in
        if case .enteringCode(let entry, let account) = self?.state { self?.state = .expired(entry, account: account) }
      }
    }
  }
}
