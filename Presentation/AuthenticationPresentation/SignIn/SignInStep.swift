public import AuthenticationDomain

/// What is on the screen while somebody signs in: one thing at a time.
@MainActor
public enum SignInStep {
  /// The list of methods.
  case methods(MethodListModel)
  /// What a method takes, to type.
  case form(SignInFormModel)
  /// A link by e-mail: the address, then the wait.
  case link(EmailLinkModel)
  /// A code to type on another device.
  case device(DeviceCodeModel)
  /// A page in the browser, or a sheet of the system.
  case browser(BrowserSignInModel)
  /// A passkey.
  case passkey(PasskeyModel)
  /// A new account.
  case signUp(SignUpModel)
  /// A code that the provider has sent, or an app shows.
  case code(CodeEntryModel)
  /// A choice between second factors.
  case factors(ChallengePickerModel)
  /// Another password, or the password again.
  case newPassword(NewPasswordModel)
  /// The provider asks for something that these models do not know: the host asks for it, or the flow begins again.
  case other(Challenge, attempt: SignInAttempt)

  /// The first step of a method.
  init(_ method: SignInMethod, in flows: FlowEnvironment) {
    self =
      if method == .emailLink {
        .link(EmailLinkModel(in: flows))
      } else if method == .passkey {
        .passkey(PasskeyModel(in: flows))
      } else if method.needs.contains(.anotherDevice) {
        .device(DeviceCodeModel(method, in: flows))
      } else if method.needs.isEmpty || method.needs.contains(.browser) || method.needs.contains(.systemSheet) {
        .browser(BrowserSignInModel(method, in: flows))
      } else {
        .form(SignInFormModel(method, in: flows))
      }
  }

  /// The step that an attempt waits for; nil if it waits for none.
  init?(_ attempt: SignInAttempt, in flows: FlowEnvironment, isRestored: Bool = false) {
    guard let challenge = attempt.state.challenge else { return nil }
    let codes: [Challenge.Kind] = [
      .smsCode, .emailCode, .oneTimePassword, .recoveryCode, .confirmation, .enrolment,
    ]
    if challenge.kind == .choice, let model = ChallengePickerModel(attempt, in: flows) {
      self = .factors(model)
    } else if challenge.kind == .link, let model = EmailLinkModel(attempt, in: flows, isRestored: isRestored) {
      self = .link(model)
    } else if let model = NewPasswordModel(attempt, rules: flows.passwordRules, in: flows) {
      self = .newPassword(model)
    } else if codes.contains(challenge.kind),
      let model = CodeEntryModel(attempt, in: flows, isRestored: isRestored)
    {
      self = .code(model)
    } else {
      self = .other(challenge, attempt: attempt)
    }
  }
}
