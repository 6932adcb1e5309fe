public import AuthenticationDomain
public import AuthenticationPresentation
package import AuthenticationScreens

/// Lists the accounts of this device, switches between them and removes one.
///
/// ```swift
/// let model = AccountSwitcherModel(accounts, in: flows) { account in show(account) }
/// model.use(model.accounts[1])
/// ```
public final class AccountSwitcherModel: Flow<AccountSwitcherModel.State> {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// The list is read.
    case reading
    /// The list could not be read; it is read again once it changes or the store is unlocked.
    case unavailable(FlowFailure)
    /// The accounts, the one in use first; the failure says why the last intent failed.
    case shown([KnownAccount], FlowFailure?)
    /// Something would be lost for ever with the account: the user confirms it, or keeps the account.
    case confirming(KnownAccount, SignOutLoss, [KnownAccount])
    /// An account is put in use.
    case switching([KnownAccount])
    /// An account is removed.
    case removing([KnownAccount])
  }

  private let list: any AccountList
  private let onSwitch: @MainActor (KnownAccount?) -> Void
  private var followingList: Task<Void, Never>?
  /// Whether the list has changed during a call.
  private var isOutdated = false

  /// Reads the list, and follows it.
  ///
  /// - Parameters:
  ///   - list: the accounts.
  ///   - flows: the shared parts of an app's models.
  ///   - onSwitch: called with the account that this model has put in use, also after the one in use was removed; nil
  ///     if no account is left.
  public init(
    _ list: any AccountList, in flows: FlowEnvironment,
    onSwitch: @escaping @MainActor (KnownAccount?) -> Void = { _ in }
  ) {
    self.list = list
    self.onSwitch = onSwitch
    super.init(.reading, in: flows)
    let changes = list.changes()
    followingList = Task { [weak self] in
      for await _ in changes { self?.read() }
    }
    read()
  }

  deinit { followingList?.cancel() }

  public override var status: FlowStatus {
    switch state {
    case .reading: FlowStatus("accounts.list.title", in: words)
    case .unavailable(let failure): FlowStatus("accounts.list.title", in: words, failure: failure)
    case .shown(_, let failure): FlowStatus("accounts.list.title", in: words, failure: failure)
    case .switching: FlowStatus("accounts.list.title", in: words, activity: "accounts.use.working")
    case .removing: FlowStatus("accounts.list.title", in: words, activity: "accounts.remove.working")
    case .confirming(_, let loss, _):
      FlowStatus(
        "session.loss.title", in: words, heading: words.question(about: loss), focus: .heading,
        explanations: [words.explanation(of: loss)])
    }
  }

  /// The accounts, the one in use first; empty while they are not known.
  public var accounts: [KnownAccount] {
    switch state {
    case .shown(let accounts, _), .confirming(_, _, let accounts), .switching(let accounts), .removing(let accounts):
      accounts
    case .reading, .unavailable: []
    }
  }

  /// The text for an account in a list: its user, and whether they have to sign in again.
  public func label(of account: KnownAccount) -> String {
    account.isSignedIn ? name(of: account) : words("accounts.list.signed_out", .words(name(of: account)))
  }

  /// The user of an account, told apart from others of the same name.
  private func name(of account: KnownAccount) -> String {
    guard let name = account.user.name else { return account.user.email ?? account.user.id }
    return account.user.email.map { words("accounts.list.name", .text(name), .text($0)) } ?? name
  }

  /// Reads the list again; while a request is in flight, after that.
  public func read() {
    if case .unavailable = state { state = .reading }
    if call.isRunning { return isOutdated = true }
    call.run { [list] () async throws(AuthenticationError) in
      try await list.list()
    } then: { [weak self] in
      self?.show($0)
    }
  }

  /// Puts an account in use. Does nothing while a request is in flight, or if it is in use.
  public func use(_ account: KnownAccount) {
    guard case .shown(let accounts, _) = state, account.id != accounts.first?.id else { return }
    change(.switching(accounts)) { list async throws(AuthenticationError) in try await list.use(account.id) }
  }

  /// Signs out of an account, and forgets it. Does nothing while a request is in flight.
  ///
  /// - Parameters:
  ///   - account: one of the list.
  ///   - loss: the loss that the user has confirmed.
  public func remove(_ account: KnownAccount, losing loss: SignOutLoss? = nil) {
    switch state {
    case .shown, .confirming: break
    case .reading, .unavailable, .switching, .removing: return
    }
    change(.removing(accounts), of: account) { list async throws(AuthenticationError) in
      try await list.remove(account.id, losing: loss)
    }
  }

  /// Removes the account although something is lost for ever, which the user was told.
  public func confirm() {
    if case .confirming(let account, let loss, _) = state { remove(account, losing: loss) }
  }

  /// Keeps the account.
  public func keep() {
    if case .confirming(_, _, let accounts) = state { state = .shown(accounts, nil) }
  }

  private func change(
    _ waiting: State, of account: KnownAccount? = nil,
    _ change: @escaping @Sendable (any AccountList) async throws(AuthenticationError) -> Void
  ) {
    let former = accounts
    state = waiting
    call.run { [list] () async throws(AuthenticationError) in
      try await change(list)
      return try await list.list()
    } then: { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let accounts):
        state = .shown(accounts, nil)
        if accounts.first?.id != former.first?.id { onSwitch(accounts.first) }
      case .failure(let error):
        if error == .confirmationRequired, let account {
          state = .confirming(account, error.loss ?? .anonymousAccount, former)
        } else {
          state = .shown(former, flows.visibleFailure(error))
        }
      }
      readOutdated()
    }
  }

  private func show(_ result: Result<[KnownAccount], AuthenticationError>) {
    switch (result, state) {
    case (.success(let accounts), .shown(let known, let failure)):
      state = .shown(accounts, accounts == known ? failure : nil)
    case (.success(let accounts), .confirming(let account, let loss, _)) where accounts.contains(account):
      state = .confirming(account, loss, accounts)
    case (.success(let accounts), _): state = .shown(accounts, nil)
    case (.failure(let error), _): if let failure = flows.visibleFailure(error) { state = .unavailable(failure) }
    }
    readOutdated()
  }

  private func readOutdated() {
    guard isOutdated else { return }
    isOutdated = false
    read()
  }
}

extension AccountSwitcherModel {
  /// The accounts as buttons.
  package var screen: Screen { Screen(of: self, parts: parts) }

  @ScreenBuilder private func parts(_ exits: ScreenExits) -> [ScreenPart] {
    switch state {
    case .reading: waiting
    case .unavailable: button("accounts.list.retry", .submit) { [self] in read() }
    case .confirming:
      button("session.loss.keep", .cancel) { [self] in keep() }
      button("session.loss.confirm", .destructive) { [self] in confirm() }
    case .shown(let accounts, _), .switching(let accounts), .removing(let accounts):
      for account in accounts {
        let remark = account == accounts.first ? words("accounts.list.current") : nil
        button(titled: label(of: account), id: "account.\(account.id)", remark: remark) { [self] in use(account) }
      }
      if let add = exits.addAccount { button("accounts.add.button", action: add) }
      for account in accounts {
        let title = words("accounts.remove.button", .words(name(of: account)))
        button(titled: title, id: "remove.\(account.id)") { [self] in remove(account) }
      }
      if status.isWorking { waiting }
    }
  }
}
