import AuthenticationDomain
import AuthenticationDomainTesting
public import AuthenticationPresentation
import Foundation

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
      ("submitting", .submitting(sent)),
      ("lockedOut", .lockedOut(sent, until: world.deadline(300))),
      ("next", .next(world.sms)), ("done", .done(world.session)),
    ]
    return states.map { name, state in
      let model = SignInFormModel(.password, in: world.flows)
      model.state = state
      return Preset(name, model)
    }
  }

  /// Each state of a form whose account does not exist yet.
  public static func signUpPresets(in words: Words = Words()) -> [Preset<SignInFormModel>] {
    let world = PresetWorld(words)
    let sent = EntryForm([.userName, .password], filled: [.userName: "ada"])
    let terms = [
      Terms(
        "terms.use", version: "2026-03", title: "Terms of use", url: URL(string: "https://www.example.com/terms")),
      Terms("terms.newsletter", version: "1", title: "Newsletter", isRequired: false),
    ]
    var agreed = EntryForm(
      [.userName, .password], filled: [.userName: "ada", .password: "correct horse"], terms: terms)
    agreed.submit(world.flows.rules)
    let states: [(String, State)] = [
      ("editing", .editing(EntryForm([.userName, .password]), nil)),
      ("editing, missing", .editing(world.missing(), nil)),
      ("editing, terms", .editing(EntryForm([.userName, .password], terms: terms), nil)),
      ("editing, terms missing", .editing(agreed, nil)),
      ("editing, failed", .editing(sent, world.failure(.weakPassword))), ("submitting", .submitting(sent)),
      ("alreadyExists", .alreadyExists(sent)), ("next", .next(world.sms)), ("done", .done(world.session)),
    ]
    return states.map { name, state in
      let model = SignInFormModel(.password, createsAccount: true, in: world.flows)
      model.state = state
      return Preset(name, model)
    }
  }

  /// Each state of a form for the address of a link, then of the one for a link that was opened without it.
  public static func addressPresets(in words: Words = Words()) -> [Preset<SignInFormModel>] {
    let world = PresetWorld(words)
    let form = EntryForm([.emailAddress])
    let sent = world.filled([.emailAddress])
    let states: [(String, State)] = [
      ("editing", .editing(form, nil)), ("editing, missing", .editing(world.missing([.emailAddress]), nil)),
      ("editing, failed", .editing(sent, world.failure(.unreachable))), ("submitting", .submitting(sent)),
    ]
    let asked = { (hasLink: Bool, name: String, state: State) in
      let model = SignInFormModel(.emailLink, in: world.flows)
      model.hasLink = hasLink
      model.state = state
      return Preset(name, model)
    }
    return states.map { asked(false, $0, $1) } + states.map { asked(true, "\($0), opened", $1) }
  }
}

extension LockedStoreModel {
  /// Each state of a store that may be locked.
  public static func presets(in words: Words = Words()) -> [Preset<LockedStoreModel>] {
    let world = PresetWorld(words, .unavailable(.userPresenceRequired))
    let states: [(String, State)] = [
      ("locked", .locked(world.failure(.userPresenceRequired))), ("retrying", .retrying), ("open", .open),
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
      ("offline, failed", .offline(.ada, world.failure(.unreachable))), ("retrying", .retrying(.ada)),
    ]
    return states.map { name, state in
      let model = OfflineModel(world.manager, in: world.flows)
      model.state = state
      return Preset(name, model)
    }
  }
}
