public import AuthenticationPresentation
public import AuthenticationAccount
public import AuthenticationDomain
public import Observation

/// Shows an account, changes it, and deletes it.
///
/// ```swift
/// let model = AccountModel(root.manager.account, of: user, in: flows)
/// model.load()
/// ```
@MainActor
@Observable
public final class AccountModel: FlowModel {
  /// Where it stands.
  public enum State: Sendable {
    /// It is asked for.
    case loading(call: Int)
    /// It cannot be shown.
    case unavailable(FlowFailure?)
    /// It is shown; the failure says why the last change did not do.
    case shown(AccountOverview, FlowFailure?)
    /// A change is on its way.
    case changing(AccountOverview, AccountChange, call: Int)
    /// The code of a new factor is asked for; what to show while it is enrolled is in its challenge.
    case enrolling(AccountOverview, CodeEntry)
    /// That code is verified.
    case verifying(AccountOverview, CodeEntry, call: Int)
    /// The provider asks for a step that takes more than a code, such as a passkey that is created.
    case next(AccountOverview, Challenge)
    /// The user confirms that the account is deleted for ever, or keeps it.
    case confirmingDeletion(AccountOverview)
    /// It is deleted.
    case deleting(AccountOverview, call: Int)
    /// The user must show again who they are; the deletion or the change then goes on, once.
    case reauthenticating(AccountOverview, ReauthenticationModel)
    /// It is deleted, and nobody is signed in.
    case deleted
  }

  public package(set) var state = State.unavailable(nil)
  @ObservationIgnored public let words: Words

  @ObservationIgnored let account: any AccountUseCase
  @ObservationIgnored package let user: User
  @ObservationIgnored let flows: FlowEnvironment
  @ObservationIgnored let call = CurrentCall()
  @ObservationIgnored let expiry: Alarm

  /// Shows nothing before ``load()``.
  ///
  /// - Parameters:
  ///   - account: what it does; what is none of its abilities is not shown.
  ///   - user: whose account it is.
  ///   - flows: what the models of one app share.
  public init(_ account: any AccountUseCase, of user: User, in flows: FlowEnvironment) {
    self.account = account
    self.user = user
    self.flows = flows
    words = flows.words.forAccounts
    expiry = Alarm(flows.clock)
  }

  /// What is shown; nil while nothing is.
  public var overview: AccountOverview? {
    switch state {
    case .shown(let overview, _), .changing(let overview, _, _), .enrolling(let overview, _),
      .verifying(let overview, _, _), .next(let overview, _), .confirmingDeletion(let overview),
      .deleting(let overview, _), .reauthenticating(let overview, _):
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
}

extension AccountModel {
  /// Asks the provider for the account. Does nothing while anything is on its way.
  public func load() {
    if call.isRunning || leaveIfForeign() { return }
    call.run(
      { [account] () async throws(AuthenticationError) in try await AccountOverview(account) },
      then: {
        [weak self] in self?.showLoaded($0)
      })
    state = .loading(call: call.id)
  }

  /// Changes something, then shows what the provider says of the account. Does nothing while anything is on its way.
  public func change(_ change: AccountChange) {
    guard case .shown(let overview, _) = state, !call.isRunning, !leaveIfForeign() else { return }
    call.run(
      { [account] () async throws(AuthenticationError) in try await account.perform(AccountRequest(change)) },
      then: {
        [weak self] in self?.showChanged($0, change, overview)
      })
    state = .changing(overview, change, call: call.id)
  }

  /// Sends the code of the factor that is enrolled, or says what is wrong with it.
  public func submit() {
    guard case .enrolling(let overview, var entry) = state, !leaveIfForeign() else { return }
    let code = entry.codeToSend(by: flows.clock)
    state = .enrolling(overview, entry)
    guard let code else { return }
    let answer = ChallengeAnswer(to: entry.challenge, .code(code))
    call.run(
      { [account] () async throws(AuthenticationError) in try await account.answer(answer) },
      then: {
        [flows, entry, weak self] result in
        var entry = entry
        switch result {
        case .success(.done), .success(.session): self?.load()
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

  /// The services act on who is signed in: once that is somebody else, this user's account is neither shown nor changed.
  func leaveIfForeign() -> Bool {
    guard let current = flows.control.state.user, current.id != user.id else { return false }
    state = .unavailable(flows.failure(.otherUserSignedIn))
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
    case .success(.done), .success(.session): load()
    case .success(.challenge(let challenge)): ask(challenge, overview)
    case .failure(let error):
      let takesProof = if case .unlink = change { false } else { true }
      fail(error, overview, takesProof: takesProof) {
        [account] proof async throws(AuthenticationError) in
        try await account.perform(AccountRequest(change, proof: proof))
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

  /// Asks for the code until the provider takes it no more: the user then begins again.
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
      error, of: user, by: account, in: flows, takesProof: takesProof, service: service)
    model.onEnd = show
    state = .reauthenticating(overview, model)
  }
}

extension AccountModel {
  /// Asks whether the account shall be deleted. Does nothing if it cannot be.
  public func askToDelete() {
    if case .shown(let overview, _) = state, overview.canDelete { state = .confirmingDeletion(overview) }
  }

  /// Deletes it for ever, which the user has confirmed.
  public func confirmDeletion() {
    if case .confirmingDeletion(let overview) = state { delete(overview) }
  }

  private func delete(_ overview: AccountOverview) {
    guard !call.isRunning, !leaveIfForeign() else { return }
    let delete: ReauthenticationModel.Service = { [account] proof async throws(AuthenticationError) in
      try await account.deleteAccount(proof: proof)
      return .done
    }
    call.run(
      { () async throws(AuthenticationError) in try await delete(nil) },
      then: { [weak self] in self?.showDeleted($0, overview, delete) })
    state = .deleting(overview, call: call.id)
  }

  private func showDeleted(
    _ result: Result<AccountOutcome, AuthenticationError>, _ overview: AccountOverview,
    _ delete: @escaping ReauthenticationModel.Service
  ) {
    switch result {
    case .success: state = .deleted
    // The account is gone at the provider, and its session is still in the store.
    case .failure(let error) where flows.control.state == .signedOut(.accountDeleted):
      state = .deleted
      _ = flows.noteRefusedErasure(error)
    case .failure(let error):
      fail(error, overview, takesProof: true, again: delete) { [weak self] in self?.showDeleted($0, overview, delete) }
    }
  }
}

extension AccountModel {
  /// Whether the store has refused to erase the session of the account that was deleted.
  public var canRetrySignOut: Bool {
    if case .deleted = state { flows.erasure.failure != nil } else { false }
  }

  /// What is left of the session of the account that was deleted; nil if nothing is.
  public var remainderSentence: String? { canRetrySignOut ? words("session.signed_out.not_erased") : nil }

  /// Has that session erased again. Does nothing if there is none, or while that is done.
  public func retrySignOut() {
    if canRetrySignOut, !call.isRunning { flows.eraseAgain(by: call) { _ in } }
  }
}

extension AccountModel {
  public var title: String {
    switch state {
    case .enrolling(_, let entry), .verifying(_, let entry, _):
      words(entry.challenge.kind == .enrolment ? "account.enrol.title" : "code.entry.title")
    case .confirmingDeletion: words("account.delete.title")
    case .deleting: words("account.delete.working")
    case .deleted: words("account.deleted.title")
    case .reauthenticating(_, let proof): proof.title
    case .loading, .unavailable, .shown, .changing, .next: words("account.page.title")
    }
  }

  public var activity: String? {
    switch state {
    case .loading: words("account.page.working")
    case .changing: words("account.change.working")
    case .verifying: words("code.submit.working")
    case .deleting: words("account.delete.working")
    case .reauthenticating(_, let proof): proof.activity
    case .unavailable, .shown, .enrolling, .next, .confirmingDeletion, .deleted: nil
    }
  }

  public var failure: FlowFailure? {
    switch state {
    case .unavailable(let failure), .shown(_, let failure): failure
    case .enrolling(_, let entry): entry.failure
    case .reauthenticating(_, let proof): proof.failure
    default: nil
    }
  }

  public var problems: [AuthenticationError] {
    switch state {
    case .enrolling(_, let entry): entry.problem.map { [$0] } ?? []
    case .reauthenticating(_, let proof): proof.problems
    default: []
    }
  }

  public var focus: Focus? {
    switch state {
    case .enrolling(_, let entry): failure?.focus ?? (entry.text.isEmpty ? Focus(.field("code"), turn: 0) : nil)
    case .confirmingDeletion, .deleted: Focus(.heading, turn: 0)
    case .reauthenticating(_, let proof): proof.focus
    default: failure?.focus
    }
  }

  public var announcement: Announcement? {
    switch state {
    case .deleted:
      Announcement(
        [title, remainderSentence].compactMap { $0 }.joined(separator: " "), .assertive,
        turn: flows.erasure.failure?.turn ?? 0)
    case .reauthenticating(_, let proof): proof.announcement
    default: activity.map { Announcement($0) }
    }
  }
}

/// What an account page shows.
public struct AccountOverview: Sendable, Equatable {
  /// The ways to sign in; nil if the provider does not tell.
  public let methods: [LinkedMethod]?
  /// The sessions on all devices; nil if the provider does not tell.
  public let sessions: [RemoteSession]?
  /// Second factors and passkeys; nil if the provider does not tell.
  public let factors: [EnrolledFactor]?
  /// Whether the account can be deleted here.
  public let canDelete: Bool

  /// For a preview.
  package init(
    methods: [LinkedMethod]?, sessions: [RemoteSession]?, factors: [EnrolledFactor]?, canDelete: Bool
  ) {
    self.methods = methods
    self.sessions = sessions
    self.factors = factors
    self.canDelete = canDelete
  }

  init(_ account: any AccountUseCase) async throws(AuthenticationError) {
    let abilities = account.abilities
    methods = abilities.contains(.link) ? try await account.linkedMethods() : nil
    sessions = abilities.contains(.sessions) ? try await account.sessions() : nil
    factors = abilities.contains(.factors) ? try await account.factors() : nil
    canDelete = abilities.contains(.delete)
  }
}
