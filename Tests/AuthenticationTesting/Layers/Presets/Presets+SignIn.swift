import AuthenticationDomain
import AuthenticationDomainTesting
public import AuthenticationPresentation

extension MethodListModel {
  /// Each state of the list of methods.
  public static func presets(in words: Words = Words()) -> [Preset<MethodListModel>] {
    let world = PresetWorld(words)
    let methods = world.flows.attempts.methods
    let states: [(String, State)] = [
      ("loading", .loading), ("ready", .ready(methods, lastUsed: nil)),
      ("ready, used last", .ready(methods, lastUsed: .password)), ("unavailable", .unavailable(.storageUnavailable)),
    ]
    return states.map { name, state in
      let model = MethodListModel(in: world.flows)
      model.state = state
      return Preset(name, model)
    }
  }
}

extension SignInFormModel {
  /// Each state of a form.
  public static func presets(in words: Words = Words()) -> [Preset<SignInFormModel>] {
    let world = PresetWorld(words)
    let sent = EntryForm([.userName, .password], filled: [.userName: "ada"])
    let states: [(String, State)] = [
      ("editing", .editing(EntryForm([.userName, .password]), nil)), ("editing, filled", .editing(world.filled(), nil)),
      ("editing, missing", .editing(world.missing(), nil)),
      ("editing, failed", .editing(sent, world.failure(.invalidCredentials))),
      ("editing, offline", .editing(sent, world.failure(.unreachable))),
      ("submitting", .submitting(sent, attempt: "attempt")),
      ("lockedOut", .lockedOut(sent, until: world.deadline(300))),
      ("challenged", .challenged(sent, world.sms, attempt: "attempt")), ("done", .done(world.completion)),
    ]
    return states.map { name, state in
      let model = SignInFormModel(.password, in: world.flows)
      model.state = state
      return Preset(name, model)
    }
  }
}

extension SignUpModel {
  /// Each state of a sign-up.
  public static func presets(in words: Words = Words()) -> [Preset<SignUpModel>] {
    let world = PresetWorld(words)
    let sent = EntryForm([.userName, .password], filled: [.userName: "ada"])
    let confirmation = CodeEntryModel(.editing(world.entry()), of: world.attempt, in: world.flows)
    let link = EmailLinkModel(in: world.flows)
    link.state = .waiting(
      LinkWait(world.link, attempt: "attempt", resendAt: world.deadline(60), expiresAt: world.deadline(600)))
    let states: [(String, State)] = [
      ("editing", .editing(EntryForm([.userName, .password]), nil)),
      ("editing, missing", .editing(world.missing(), nil)),
      ("editing, failed", .editing(sent, world.failure(.weakPassword))),
      ("submitting", .submitting(sent, attempt: "attempt")), ("confirming", .confirming(confirmation)),
      ("waiting", .waiting(link)), ("alreadyExists", .alreadyExists(sent)),
      ("next", .next(world.sms, attempt: "attempt")), ("done", .done(world.completion)),
    ]
    return states.map { name, state in
      let model = SignUpModel(in: world.flows)
      model.state = state
      return Preset(name, model)
    }
  }
}

extension LockedStoreModel {
  /// Each state of a store that may be locked.
  public static func presets(in words: Words = Words()) -> [Preset<LockedStoreModel>] {
    let world = PresetWorld(words, .unavailable(.userPresenceRequired))
    let states: [(String, State)] = [
      ("locked", .locked(world.failure(.userPresenceRequired))), ("retrying", .retrying(call: 1)), ("open", .open),
    ]
    return states.map { name, state in
      let model = LockedStoreModel(in: world.flows)
      model.state = state
      return Preset(name, model)
    }
  }
}

extension OfflineModel {
  /// Each state of a connection.
  public static func presets(in words: Words = Words()) -> [Preset<OfflineModel>] {
    let world = PresetWorld(words)
    let states: [(String, State)] = [
      ("online", .online), ("offline", .offline(.ada, nil)),
      ("offline, failed", .offline(.ada, world.failure(.unreachable))), ("retrying", .retrying(.ada, call: 1)),
    ]
    return states.map { name, state in
      let model = OfflineModel(world.manager, in: world.flows)
      model.state = state
      return Preset(name, model)
    }
  }
}
