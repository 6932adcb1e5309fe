import AuthenticationDomain
public import AuthenticationPresentation

extension CodeEntryModel {
  /// Each state of the entry of a code.
  public static func presets(in words: Words = Words()) -> [Preset<CodeEntryModel>] {
    let world = PresetWorld(words)
    let otp = Challenge(kind: .oneTimePassword, handle: Secret("otp"), format: .digits(6))
    let pending = Challenge(
      kind: .smsCode, destination: "•••• 42", handle: Secret("sms"), format: .digits(6), lifetime: .seconds(280),
      resendDelay: .seconds(40))
    let oneOfTwo = Challenge(
      kind: .oneTimePassword, handle: Secret("otp"), format: .digits(6),
      choices: [Challenge.Factor(id: "otp", kind: .oneTimePassword), Challenge.Factor(id: "sms", kind: .smsCode)])
    let restored = CodeEntry(pending, isRestored: true, by: world.clock)
    var resent = world.entry()
    resent.wasResent = true
    let states: [(String, State)] = [
      ("editing", .editing(world.entry())), ("editing, typed", .editing(world.entry(typed: "123 4"))),
      ("editing, authenticator", .editing(world.entry(otp))), ("editing, restored", .editing(restored)),
      ("editing, one of two", .editing(world.entry(oneOfTwo))),
      ("editing, resent", .editing(resent)),
      ("editing, failed", .editing(world.entry(failed: .wrongCode.with(\.attemptsLeft, 2)))),
      ("verifying", .verifying(world.entry(typed: "123456"))), ("sending", .sending(world.entry())),
      ("expired", .expired(world.entry())), ("spent", .spent(until: world.deadline(300))),
      ("next", .next(world.link)), ("done", .done(world.session)), ("ended", .ended),
    ]
    return states.map { Preset($0, CodeEntryModel($1, of: world.attempt, in: world.flows)) }
  }

  /// Each state of the wait for a link.
  public static func linkPresets(in words: Words = Words()) -> [Preset<CodeEntryModel>] {
    let world = PresetWorld(words)
    let wait = world.entry(world.link)
    let states: [(String, State)] = [
      ("editing", .editing(wait)), ("editing, failed", .editing(world.entry(world.link, failed: .invalidLink))),
      ("verifying", .verifying(wait)), ("sending", .sending(wait)), ("expired", .expired(wait)),
    ]
    return states.map { Preset($0, CodeEntryModel($1, of: world.attempt, in: world.flows)) }
  }
}

extension ChallengePickerModel {
  /// Each state of the choice among factors.
  public static func presets(in words: Words = Words()) -> [Preset<ChallengePickerModel>] {
    let world = PresetWorld(words)
    let factors = [
      Challenge.Factor(id: "sms", kind: .smsCode, destination: "•••• 42"),
      Challenge.Factor(id: "otp", kind: .oneTimePassword), Challenge.Factor(id: "recovery", kind: .recoveryCode),
    ]
    let states: [(String, State)] = [
      ("choosing", .choosing(factors, nil)), ("choosing, failed", .choosing(factors, world.failure(.unreachable))),
      ("preparing", .preparing(factors[0], of: factors)), ("asking", .asking(world.sms)),
      ("ended", .ended),
    ]
    return states.map { Preset($0, ChallengePickerModel($1, of: world.attempt, in: world.flows)) }
  }
}

extension NewPasswordModel {
  /// Each state of a new password.
  public static func presets(in words: Words = Words()) -> [Preset<NewPasswordModel>] {
    let world = PresetWorld(words)
    let empty = NewPasswordEntry(rules: [.length(15), .digit])
    var typed = empty
    typed.type("correct horse", world.flows.rules)
    var failed = empty
    failed.fail(.weakPassword, by: world.clock)
    let states: [(String, State)] = [
      ("editing", .editing(empty)), ("editing, typed", .editing(typed)), ("editing, failed", .editing(failed)),
      ("submitting", .submitting(empty)), ("next", .next(world.sms)),
      ("done", .done(world.session)), ("ended", .ended),
    ]
    return states.map { Preset($0, NewPasswordModel($1, of: world.attempt, in: world.flows)) }
  }
}
