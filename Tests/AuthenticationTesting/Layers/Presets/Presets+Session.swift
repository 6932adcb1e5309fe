import AuthenticationDomain
import AuthenticationDomainTesting
public import AuthenticationMultiAccount
public import AuthenticationPresentation

extension SessionModel {
  /// Each state of a session.
  public static func presets(in words: Words = Words()) -> [Preset<SessionModel>] {
    let world = PresetWorld(words)
    let summary = { (freshness: ActiveSession.Freshness, unsaved: AuthenticationError?) in
      SessionSummary(ActiveSession(session: world.session, freshness: freshness, unsaved: unsaved))
    }
    let fresh = summary(.fresh, nil)
    let states: [(String, State)] = [
      ("unknown", .unknown), ("shown", .shown(fresh, nil)), ("shown, stale", .shown(summary(.stale, nil), nil)),
      ("shown, unsaved", .shown(summary(.fresh, .storageUnavailable), nil)),
      ("shown, expired", .shown(summary(.expired, nil), nil)),
      ("shown, failed", .shown(fresh, world.failure(.storageUnavailable))),
      ("confirming", .confirming(fresh, .anonymousAccount, everywhere: false)),
      ("confirming, of the app", .confirming(fresh, SignOutLoss("drafts"), everywhere: true)),
      ("signingOut", .signingOut(fresh, everywhere: false)),
      ("signedOut, pending", .signedOut(.requested, .pending)), ("signedOut", .signedOut(.requested, .ended)),
      ("signedOut, failed", .signedOut(.requested, .failed(.unreachable))),
      ("signedOut, not elsewhere", .signedOut(.requested, .failed(AuthenticationError(.otherSessionsRemain, "")))),
    ]
    let refused = PresetWorld(words)
    _ = refused.flows.noteRefusedErasure(.storageUnavailable)
    let kept = [("signedOut, not erased", State.signedOut(.requested, .inBackground))]
    return (states.map { ($0, $1, world) } + kept.map { ($0, $1, refused) }).map { name, state, world in
      let model = SessionModel(in: world.flows, provider: "Example", canSignOutEverywhere: true)
      model.state = state
      return Preset(name, model)
    }
  }
}

extension AccountSwitcherModel {
  /// Each state of the list of accounts.
  public static func presets(in words: Words = Words()) -> [Preset<AccountSwitcherModel>] {
    let world = PresetWorld(words)
    let accounts = [
      KnownAccount(id: "1", user: .ada, provider: "Example", lastUsed: world.clock.now),
      KnownAccount(id: "2", user: .grace, provider: "Example", lastUsed: world.clock.now, isSignedIn: false),
    ]
    let states: [(String, State)] = [
      ("reading", .reading), ("unavailable", .unavailable(world.failure(.storageUnavailable))),
      ("shown, none", .shown([], nil)), ("shown", .shown(accounts, nil)),
      ("shown, failed", .shown(accounts, world.failure(.storageUnavailable))), ("switching", .switching(accounts)),
      ("removing", .removing(accounts)), ("confirming", .confirming(accounts[0], .anonymousAccount, accounts)),
    ]
    return states.map { name, state in
      let model = AccountSwitcherModel(StandingList(), in: world.flows)
      model.state = state
      return Preset(name, model)
    }
  }
}

/// Never changes, and is read for ever: a preset stays as it is.
private struct StandingList: AccountList {
  func list() async throws(AuthenticationError) -> [KnownAccount] { throw .cancelled }
  func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
  func use(_ id: String) async throws(AuthenticationError) {}
  func remove(_ id: String, losing loss: SignOutLoss?) async throws(AuthenticationError) {}
}

extension AuthenticationViewModel {
  /// A user at the first sign-in.
  public static func newUser(in words: Words = Words()) -> AuthenticationViewModel { signedIn(.grace, words) }

  /// A returning user.
  public static func returningUser(in words: Words = Words()) -> AuthenticationViewModel { signedIn(.ada, words) }

  /// A user whose password was refused.
  public static func failed(in words: Words = Words()) -> AuthenticationViewModel {
    let world = PresetWorld(words)
    let form = SignInFormModel(.password, in: world.flows)
    form.state = .editing(
      EntryForm([.userName, .password], filled: [.userName: "ada"]), world.failure(.invalidCredentials))
    return made(world, .signedOut(.absent, .form(form)))
  }

  /// Each state of a sign-in, and each step of it.
  public static func presets(in words: Words = Words()) -> [Preset<AuthenticationViewModel>] {
    let world = PresetWorld(words)
    let locked = PresetWorld(words, .unavailable(.storageUnavailable))
    let active = ActiveSession(session: world.session, freshness: .expired)
    let methods = SignInStep.methods(MethodListModel(in: world.flows))
    let form = SignInStep.form(SignInFormModel(.password, in: world.flows))
    let states: [(String, State)] = [
      ("unknown", .unknown), ("storeLocked", .storeLocked(LockedStoreModel(in: locked.flows))),
      ("signedOut", .signedOut(.absent, methods)), ("signedOut, ended", .signedOut(.rejected, form)),
      ("expired", .expired(SessionSummary(active), form)),
    ]
    return (states + steps(in: words).map { ("signedOut, \($0)", .signedOut(.absent, $1)) })
      .map { Preset($0, made(world, $1)) } + [
        Preset("signedOut, failed", failed(in: words)), Preset("signedIn", returningUser(in: words)),
        Preset("signedIn, new", newUser(in: words)),
      ]
  }

  /// The steps besides the list and the form, as they begin.
  private static func steps(in words: Words) -> [(String, SignInStep)] {
    func first<Model>(_ presets: [Preset<Model>], _ step: (Model) -> SignInStep) -> [SignInStep] {
      presets.prefix(1).map { step($0.model) }
    }
    let steps =
      first(CodeEntryModel.linkPresets(in: words)) { .link($0) }
      + first(DeviceCodeModel.presets(in: words)) { .device($0) }
      + first(ExternalSignInModel.presets(of: .browser, in: words)) { .browser($0) }
      + first(ExternalSignInModel.presets(of: .passkey, in: words)) { .passkey($0) }
      + first(SignInFormModel.signUpPresets(in: words)) { .form($0) }
      + first(CodeEntryModel.presets(in: words)) { .code($0) }
      + first(ChallengePickerModel.presets(in: words)) { .factors($0) }
      + first(NewPasswordModel.presets(in: words)) { .newPassword($0) }
      + [.other(Challenge(kind: .approval, handle: Secret("approval")), attempt: PresetWorld(words).attempt)]
    return steps.map { ("\($0)".prefix { $0 != "(" }.description, $0) }
  }

  private static func signedIn(_ user: User, _ words: Words) -> AuthenticationViewModel {
    let session = AuthSession.sample(of: user, receivedAt: PresetWorld(words).clock.now)
    let world = PresetWorld(words, .signedIn(ActiveSession(session: session)))
    return made(world, .signedIn(SessionModel(in: world.flows), session))
  }

  private static func made(_ world: PresetWorld, _ state: State) -> AuthenticationViewModel {
    let model = AuthenticationViewModel(world.flows)
    model.state = state
    return model
  }
}
