import AuthenticationDomain
import AuthenticationDomainTesting
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
      ("signingOut", .signingOut(fresh, everywhere: false, call: 1)),
      ("signedOut, pending", .signedOut(.requested, .pending)), ("signedOut", .signedOut(.requested, .ended)),
      ("signedOut, failed", .signedOut(.requested, .failed(.unreachable))),
    ]
    return states.map { name, state in
      let model = SessionModel(in: world.flows, provider: "Example", sessions: PresetAccount())
      model.state = state
      return Preset(name, model)
    }
  }
}

extension AuthenticationViewModel {
  /// Somebody who signs in for the first time.
  public static func newUser(in words: Words = Words()) -> AuthenticationViewModel { signedIn(.grace, words) }

  /// Somebody who returns.
  public static func returningUser(in words: Words = Words()) -> AuthenticationViewModel { signedIn(.ada, words) }

  /// Somebody whose password was refused.
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
    return states.map { Preset($0, made(world, $1)) } + [
      Preset("signedOut, failed", failed(in: words)), Preset("signedIn", returningUser(in: words)),
      Preset("signedIn, new", newUser(in: words)),
    ]
  }

  private static func signedIn(_ user: User, _ words: Words) -> AuthenticationViewModel {
    let session = AuthSession.sample(of: user, receivedAt: PresetWorld(words).clock.now)
    let world = PresetWorld(words, .signedIn(ActiveSession(session: session)))
    return made(
      world, .signedIn(SessionModel(in: world.flows), SignInCompletion(attempt: "attempt", session: session)))
  }

  private static func made(_ world: PresetWorld, _ state: State) -> AuthenticationViewModel {
    let model = AuthenticationViewModel(world.flows)
    model.state = state
    return model
  }
}
