public import AuthenticationPresentation
public import AuthenticationAccount
public import AuthenticationDomain
public import Observation

/// Lets a user who forgot the password choose another one.
///
/// What it says is the same whether or not there is such an account.
///
/// ```swift
/// let model = PasswordResetModel(root.manager.account, rules: [.length(15)], in: flows)
/// model.account = "ada@example.com"
/// model.submit()
/// ```
@MainActor
@Observable
public final class PasswordResetModel: FlowModel {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// The user says which account.
    case askingAccount(EntryForm, FlowFailure?)
    /// A code or a link was asked for.
    case requesting(EntryForm, call: Int)
    /// A link was sent, if there is such an account; the rest happens on its page.
    case sent(account: String)
    /// The code that came is asked for.
    case enteringCode(CodeEntry, account: String)
    /// The code was sent to the provider.
    case verifying(CodeEntry, account: String, call: Int)
    /// Another code was asked for.
    case resending(CodeEntry, account: String, call: Int)
    /// The code is taken no more.
    case expired(CodeEntry, account: String)
    /// The new password is asked for.
    case editingNew(NewPasswordEntry, Challenge, account: String)
    /// The new password was sent, and is in here no more.
    case submitting(NewPasswordEntry, Challenge, account: String, call: Int)
    /// It was changed: the user signs in with it, unless somebody is signed in.
    case done(account: String, isSignedIn: Bool)
  }

  public package(set) var state: State
  @ObservationIgnored public let words: Words

  @ObservationIgnored let services: any AccountUseCase
  @ObservationIgnored let rules: [PasswordRule]
  @ObservationIgnored let flows: FlowEnvironment
  @ObservationIgnored let call = CurrentCall()
  @ObservationIgnored let expiry: Alarm

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
    self.rules = rules
    self.flows = flows
    words = flows.words.forAccounts
    expiry = Alarm(flows.clock)
    state = .askingAccount(EntryForm([.userName], filled: [.userName: account]), nil)
  }

  /// The account, as typed.
  public var account: String {
    get { if case .askingAccount(let form, _) = state { form[.userName] } else { "" } }
    set {
      guard case .askingAccount(var form, let failure) = state else { return }
      form.type(newValue, into: .userName, flows.rules)
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
    set { edit { $0.type(newValue, flows.rules) } }
  }

  /// Whether the new password can be read.
  public var isRevealed: Bool {
    get { if case .editingNew(let entry, _, _) = state { entry.isRevealed } else { false } }
    set { edit { $0.isRevealed = newValue } }
  }

  private func edit(_ change: (inout NewPasswordEntry) -> Void) {
    guard case .editingNew(var entry, let challenge, let account) = state else { return }
    change(&entry)
    state = .editingNew(entry, challenge, account: account)
  }
}

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
    _ ask: @escaping @Sendable (any AccountUseCase) async throws(AuthenticationError) -> AccountOutcome,
    then show: @escaping @MainActor (Result<AccountOutcome, AuthenticationError>) -> Void
  ) {
    call.run({ [services] () async throws(AuthenticationError) in try await ask(services) }, then: show)
    state = next(call.id)
  }

  private func showRequested(
    _ result: Result<AccountOutcome, AuthenticationError>, _ form: EntryForm, _ account: String
  ) {
    switch result {
    case .success(.done), .success(.session): state = .sent(account: account)
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
    case .success(.done), .success(.session): finish(account)
    case .success(.challenge(let challenge)): show(challenge, account)
    case .failure(let error) where [.codeExpired, .signInExpired].contains(error):
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
    case .success(.done), .success(.session): finish(account)
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

extension PasswordResetModel {
  public var title: String {
    switch state {
    case .sent(let account): words("reset.sent.title", .text(account))
    case .enteringCode, .verifying, .resending: words("code.entry.title")
    case .expired: words("code.expired.title")
    case .editingNew, .submitting: words("new_password.form.title")
    case .done: words("reset.done.title")
    case .askingAccount, .requesting: words("reset.ask.title")
    }
  }

  /// Whether an answer is awaited.
  public var isWorking: Bool { activity != nil }

  public var activity: String? {
    switch state {
    case .requesting: words("reset.ask.working")
    case .verifying: words("code.submit.working")
    case .resending: words("code.resend.working")
    case .submitting: words("new_password.submit.working")
    case .askingAccount, .sent, .enteringCode, .expired, .editingNew, .done: nil
    }
  }

  /// Seconds until another code may be sent; zero if it may be sent now, nil if none can be.
  public var secondsToResend: Int? {
    switch state {
    case .enteringCode(let entry, _), .expired(let entry, _): entry.resendAt?.secondsLeft(by: flows.clock)
    default: nil
    }
  }

  public var failure: FlowFailure? {
    switch state {
    case .askingAccount(_, let failure): failure
    case .enteringCode(let entry, _), .expired(let entry, _): entry.failure
    case .editingNew(let entry, _, _): entry.failure
    default: nil
    }
  }

  public var problems: [AuthenticationError] {
    switch state {
    case .askingAccount(let form, _): form.problems
    case .enteringCode(let entry, _): entry.problem.map { [$0] } ?? []
    case .editingNew(let entry, _, _): entry.form.problems
    default: []
    }
  }

  public var focus: Focus? {
    switch state {
    case .askingAccount(let form, let failure): form.focus ?? failure?.focus
    case .enteringCode(let entry, _):
      Focus(entry.failure == nil ? .field("code") : .message, turn: entry.failure?.turn ?? 0)
    case .editingNew(let entry, _, _): entry.focus
    case .sent, .done, .expired: Focus(.heading, turn: 0)
    case .requesting, .verifying, .resending, .submitting: nil
    }
  }

  public var announcement: Announcement? {
    switch state {
    case .expired: Announcement(title, .assertive)
    default: activity.map { Announcement($0) }
    }
  }
}
