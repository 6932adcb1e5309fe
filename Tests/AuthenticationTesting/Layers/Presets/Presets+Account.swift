import AuthenticationAccount
public import AuthenticationAccountPresentation
import AuthenticationDomain
import AuthenticationDomainTesting
public import AuthenticationPresentation

extension PasswordResetModel {
  /// Each state of a reset.
  public static func presets(in words: Words = Words()) -> [Preset<PasswordResetModel>] {
    let world = PresetWorld(words)
    let form = EntryForm([.userName], filled: [.userName: "ada"])
    let new = NewPasswordEntry(rules: [.length(15)])
    var weak = new
    weak.fail(.weakPassword, by: world.clock)
    let states: [(String, State)] = [
      ("askingAccount", .askingAccount(EntryForm([.userName]), nil)),
      ("askingAccount, missing", .askingAccount(world.missing([.userName]), nil)),
      ("askingAccount, failed", .askingAccount(form, world.failure(.unreachable))),
      ("requesting", .requesting(form)), ("sent", .sent),
      ("enteringCode", .enteringCode(world.entry())),
      ("enteringCode, failed", .enteringCode(world.entry(failed: .wrongCode))),
      ("verifying", .verifying(world.entry(typed: "123456"))),
      ("resending", .resending(world.entry())),
      ("expired", .expired(world.entry())), ("editingNew", .editingNew(new, world.sms)),
      ("editingNew, failed", .editingNew(weak, world.sms)),
      ("submitting", .submitting(new, world.sms)),
      ("done", .done(isSignedIn: false)), ("done, signed in", .done(isSignedIn: true)),
    ]
    return states.map { name, state in
      let model = PasswordResetModel(PresetAccount(), in: world.flows, account: "ada")
      model.state = state
      return Preset(name, model)
    }
  }
}

extension AccountConflictModel {
  /// Each state of a conflict between two accounts.
  public static func presets(in words: Words = Words()) -> [Preset<AccountConflictModel>] {
    let world = PresetWorld(words)
    let made = {
      AccountConflictModel(
        linking: NativeCredentials(method: .google, identityToken: Secret("token")), to: [.password, .phoneCode],
        lifetime: nil, by: PresetAccount(), in: world.flows)
    }
    let states: [(String, State)] = [
      ("conflict", .conflict([.password, .phoneCode])),
      ("proving", .proving(.form(SignInFormModel(.password, in: world.flows)))),
      ("linking", .linking),
      ("linked", .linked), ("next", .next(world.sms)), ("failed", .failed(world.failure(.alreadyLinked))),
      ("expired", .expired), ("declined", .declined),
    ]
    return states.map { name, state in
      let model = made()
      model.state = state
      return Preset(name, model)
    }
  }
}

extension ReauthenticationModel {
  /// Each state of a proof that the same user is there.
  public static func presets(in words: Words = Words()) -> [Preset<ReauthenticationModel>] {
    let world = PresetWorld(words)
    let password = EntryForm([.password])
    let states: [(String, State)] = [
      ("required", .required(.recentSignInRequired, methods: [.password, .phoneCode], nil)),
      ("askingPassword", .askingPassword(password, world.sms, nil)),
      ("askingPassword, failed", .askingPassword(password, world.sms, world.failure(.invalidCredentials))),
      ("askingCode", .askingCode(world.entry())), ("checking", .checking),
      ("proving", .proving(.form(SignInFormModel(.password, in: world.flows)))), ("resuming", .resuming),
      ("done", .done), ("failed", .failed(world.failure(.unreachable))), ("declined", .declined),
    ]
    return states.map { name, state in
      let model = ReauthenticationModel(.recentSignInRequired, of: .ada, in: world.flows) {
        _ async throws(AuthenticationError) in .done
      }
      model.state = state
      return Preset(name, model)
    }
  }
}

extension AccountModel {
  /// Each state of an account page.
  public static func presets(in words: Words = Words()) -> [Preset<AccountModel>] {
    let world = PresetWorld(words)
    let method = LinkedMethod(id: "1", method: .password, label: "ada@example.com")
    let page = AccountOverview(
      methods: [method, LinkedMethod(id: "2", method: .google, label: "ada@gmail.example")],
      sessions: [
        RemoteSession(id: "1", isCurrent: true, label: "Phone"),
        RemoteSession(id: "2", isCurrent: false, label: "Laptop"),
      ],
      factors: [EnrolledFactor(id: "1", kind: .oneTimePassword, label: "Authenticator")], canDelete: true)
    let empty = AccountOverview(methods: [], sessions: nil, factors: [], canDelete: false)
    let enrolment = Challenge(
      kind: .enrolment, handle: Secret("enrolment"), format: .digits(6),
      enrolment: Challenge.Enrolment(
        secret: Secret("JBSWY3DPEHPK3PXP"), uri: Secret("otpauth://totp/Example:ada?secret=JBSWY3DPEHPK3PXP")))
    let entry = world.entry(enrolment)
    let states: [(String, State)] = [
      ("loading", .loading), ("unavailable", .unavailable(nil)),
      ("unavailable, failed", .unavailable(world.failure(.unreachable))), ("shown", .shown(page, nil)),
      ("shown, empty", .shown(empty, nil)), ("shown, failed", .shown(page, world.failure(.lastMethod))),
      ("changing", .changing(page, .unlink(method))), ("enrolling", .enrolling(page, entry)),
      ("enrolling, failed", .enrolling(page, world.entry(enrolment, failed: .wrongCode))),
      ("verifying", .verifying(page, entry)), ("next", .next(page, world.sms)),
      ("confirmingDeletion", .confirmingDeletion(page)), ("deleting", .deleting(page)),
    ]
    let proofs = ReauthenticationModel.presets(in: words).prefix(1).map {
      ("reauthenticating", State.reauthenticating(page, $0.model))
    }
    return (states + proofs + [("deleted", .deleted)]).map { name, state in
      let model = AccountModel(PresetAccount(), of: .ada, in: world.flows)
      model.state = state
      return Preset(name, model)
    }
  }
}
