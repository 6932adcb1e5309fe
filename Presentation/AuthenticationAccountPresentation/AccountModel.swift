public import AuthenticationPresentation
public import AuthenticationAccount
public import AuthenticationDomain

/// Shows an account, changes it, and deletes it.
///
/// ```swift
/// let model = AccountModel(root.manager.account, of: user, in: flows)
/// model.load()
/// ```
public final class AccountModel: Flow<AccountModel.State> {
  /// Where it stands.
  public enum State: Sendable {
    /// It is asked for.
    case loading
    /// It cannot be shown.
    case unavailable(FlowFailure?)
    /// It is shown; the failure says why the last change failed.
    case shown(AccountOverview, FlowFailure?)
    /// A change was requested.
    case changing(AccountOverview, AccountChange)
    /// The code of a new factor is asked for; its challenge has the data to show meanwhile.
    case enrolling(AccountOverview, CodeEntry)
    /// That code is verified.
    case verifying(AccountOverview, CodeEntry)
    /// The provider asks for a step that takes more than a code, such as a passkey that is created.
    case next(AccountOverview, Challenge)
    /// The user confirms that the account is deleted for ever, or keeps it.
    case confirmingDeletion(AccountOverview)
    /// It is deleted.
    case deleting(AccountOverview)
    /// The user must prove their identity again; the deletion or the change then continues, once.
    case reauthenticating(AccountOverview, ReauthenticationModel)
    /// It is deleted, and no user is signed in.
    case deleted
  }

  private let account: any AccountUseCase
  package let user: User

  /// Shows nothing before ``load()``.
  ///
  /// - Parameters:
  ///   - account: the services; only its abilities are shown.
  ///   - user: whose account it is.
  ///   - flows: the shared parts of an app's models.
  public init(_ account: any AccountUseCase, of user: User, in flows: FlowEnvironment) {
    self.account = account
    self.user = user
    super.init(.unavailable(nil), in: flows)
  }

  /// The account that is shown; nil while none is.
  package var overview: AccountOverview? {
    switch state {
    case .shown(let overview, _), .changing(let overview, _), .enrolling(let overview, _),
      .verifying(let overview, _), .next(let overview, _), .confirmingDeletion(let overview),
      .deleting(let overview), .reauthenticating(let overview, _):
      overview
    case .loading, .unavailable, .deleted: nil
    }
  }

  /// The code of the factor that is enrolled, as typed or pasted.
  public var code: String {
    get { if case .enrolling(_, let entry) = state { entry.text } else { "" } }
    set {
      guard case .enrolling(let overview, var entry) = state else { return }
      entry.text = newValue
      state = .enrolling(overview, entry)
    }
  }

  public override var nested: FlowModel? { if case .reauthenticating(_, let model) = state { model } else { nil } }

  public override var status: FlowStatus {
    let title: WordKey = "account.page.title"
    switch state {
    case .loading: return FlowStatus(title, in: words, activity: "account.page.working")
    case .unavailable(let failure), .shown(_, let failure): return FlowStatus(title, in: words, failure: failure)
    case .changing: return FlowStatus(title, in: words, activity: "account.change.working")
    case .enrolling(_, let entry):
      var status = entry.status(heading(of: entry), in: words)
      if entry.challenge.enrolment != nil { status.explanations.insert(words("account.enrol.explanation"), at: 0) }
      return status
    case .verifying(_, let entry):
      return entry.status(heading(of: entry), in: words, activity: "code.submit.working")
    case .next: return FlowStatus(title, in: words)
    case .confirmingDeletion: return FlowStatus("account.delete.title", in: words, focus: .heading)
    case .deleting: return FlowStatus("account.delete.working", in: words, activity: "account.delete.working")
    case .reauthenticating(_, let proof): return proof.status
    case .deleted:
      var status = FlowStatus("account.deleted.title", in: words, focus: .heading)
      if canRetrySignOut { status.explanations = [words("session.signed_out.not_erased")] }
      let said = ([status.title] + status.explanations).joined(separator: " ")
      status.announcement = Announcement(said, .assertive, turn: flows.erasureFailure?.turn ?? 0)
      return status
    }
  }

  private func heading(of entry: CodeEntry) -> WordKey {
    entry.challenge.kind == .enrolment ? "account.enrol.title" : "code.entry.title"
  }
}

extension AccountModel {
  /// Asks the provider for the account. Does nothing while a request is in flight.
  public func load() {
    if call.isRunning || leaveIfForeign() { return }
    state = .loading
    call.run { [account] () async throws(AuthenticationError) in
      try await AccountOverview(account)
    } then: { [flows, weak self] result in
      switch result {
      case .success(let overview): self?.state = .shown(overview, nil)
      case .failure(let error): self?.state = .unavailable(flows.visibleFailure(error))
      }
    }
  }

  /// Changes something, then shows the account as the provider has it. Before the account is deleted, the user confirms
  /// it. Does nothing while a request is in flight, or if the account cannot be deleted.
  public func change(_ change: AccountChange) {
    guard case .shown(let overview, _) = state, !call.isRunning, !leaveIfForeign() else { return }
    if case .deleteAccount = change {
      if overview.canDelete { state = .confirmingDeletion(overview) }
      return
    }
    state = .changing(overview, change)
    request(change, overview)
  }

  /// Deletes it for ever, which the user has confirmed. Once it is deleted, erases its session here again if the store
  /// still holds it (``canRetrySignOut``).
  public func confirmDeletion() {
    if canRetrySignOut, !call.isRunning { flows.eraseAgain(by: call) { _ in } }
    guard case .confirmingDeletion(let overview) = state, !call.isRunning, !leaveIfForeign() else { return }
    state = .deleting(overview)
    request(.deleteAccount, overview)
  }

  /// Sends the code of the factor that is enrolled, or shows the problem.
  public func submit() {
    guard case .enrolling(let overview, var entry) = state, !leaveIfForeign() else { return }
    let code = entry.codeToSend(by: flows.clock)
    state = .enrolling(overview, entry)
    guard let code else { return }
    let answer = ChallengeAnswer(to: entry.challenge, .code(code))
    state = .verifying(overview, entry)
    call.run { [account] () async throws(AuthenticationError) in
      try await account.perform(.answer(answer))
    } then: { [flows, entry, weak self] result in
      var entry = entry
      switch result {
      case .success(.done), .success(.session): self?.load()
      case .success(.challenge(let next)): self?.ask(next, overview)
      case .failure(let error):
        if !error.isSilent { entry.fail(error, by: flows.clock) }
        self?.enrol(entry, overview)
      }
    }
  }

  /// Leaves a step or a question; nothing has changed.
  public func goBack() {
    switch state {
    case .enrolling(let overview, _), .next(let overview, _), .confirmingDeletion(let overview):
      state = .shown(overview, nil)
    case .reauthenticating(let overview, let model):
      if case .resuming = model.state { return }
      model.decline()
      leaveProof(overview)
    default: break
    }
  }

  private func leaveProof(_ overview: AccountOverview) {
    if !leaveIfForeign() { state = .shown(overview, nil) }
  }

  /// The services act on the signed-in user: once that is another one, this user's account is neither shown nor
  /// changed.
  private func leaveIfForeign() -> Bool {
    guard let current = flows.control.state.user, !current.isSame(as: user) else { return false }
    state = .unavailable(flows.failure(.otherUserSignedIn))
    return true
  }

  private func request(_ change: AccountChange, _ overview: AccountOverview) {
    let intent: ReauthenticationModel.Intent = { [account] proof async throws(AuthenticationError) in
      try await account.perform(change, proof: proof)
    }
    call.run { () async throws(AuthenticationError) in
      try await intent(nil)
    } then: { [weak self] in
      self?.show($0, of: change, by: intent, overview)
    }
  }

  private func show(
    _ result: Result<AccountOutcome, AuthenticationError>, of change: AccountChange,
    by intent: @escaping ReauthenticationModel.Intent, _ overview: AccountOverview
  ) {
    switch (change, result) {
    case (_, .success(.challenge(let challenge))): ask(challenge, overview)
    case (.deleteAccount, .success): state = .deleted
    // The account is deleted at the provider, and its session is still in the store.
    case (.deleteAccount, .failure(let error)) where flows.control.state == .signedOut(.accountDeleted):
      state = .deleted
      _ = flows.noteRefusedErasure(error)
    case (_, .success): load()
    case (_, .failure(let error)):
      if leaveIfForeign() { return }
      guard ReauthenticationModel.isRequired(by: error) else {
        return state = .shown(overview, flows.visibleFailure(error))
      }
      // A change that requires a proof continues after it, or with it.
      let takesProof = if case .unlink = change { false } else { true }
      let model = ReauthenticationModel(
        error, of: user, by: account, in: flows, takesProof: takesProof, intent: intent)
      model.onOutcome = { [weak self] in self?.show($0, of: change, by: intent, overview) }
      model.onDecline = { [weak self] in self?.leaveProof(overview) }
      state = .reauthenticating(overview, model)
    }
  }

  private func ask(_ challenge: Challenge, _ overview: AccountOverview) {
    if [.passkey, .passkeyRegistration, .newPassword, .choice].contains(challenge.kind) {
      state = .next(overview, challenge)
    } else {
      enrol(CodeEntry(challenge, by: flows.clock), overview)
    }
  }

  /// Asks for the code until it expires: the user then begins again.
  private func enrol(_ entry: CodeEntry, _ overview: AccountOverview) {
    guard !entry.isOver(by: flows.clock) else { return state = .shown(overview, flows.failure(.signInExpired)) }
    state = .enrolling(overview, entry)
    alarm.set(entry.expiresAt) { [weak self] in
      if case .enrolling(let overview, let entry) = self?.state { self?.enrol(entry, overview) }
    }
  }

  /// Whether the store still holds the session of the account that was deleted: ``confirmDeletion()`` erases it again.
  public var canRetrySignOut: Bool {
    if case .deleted = state { flows.erasureFailure != nil } else { false }
  }
}
