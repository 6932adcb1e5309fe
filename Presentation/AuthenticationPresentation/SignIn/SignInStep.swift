public import AuthenticationDomain

/// The screen while a user signs in: one step at a time.
@MainActor
public enum SignInStep {
  /// The list of methods.
  case methods(MethodListModel)
  /// The inputs of a method; or a new account.
  case form(SignInFormModel)
  /// The wait for a link that the provider has sent.
  case link(CodeEntryModel)
  /// A code to type on another device.
  case device(DeviceCodeModel)
  /// A page in the browser, or a sheet of the system.
  case browser(ExternalSignInModel)
  /// A passkey.
  case passkey(ExternalSignInModel)
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
      if method == .passkey {
        .passkey(ExternalSignInModel(method, in: flows))
      } else if method.needs.contains(.anotherDevice) {
        .device(DeviceCodeModel(method, in: flows))
      } else if method.needs.isEmpty || method.needs.contains(.browser) || method.needs.contains(.systemSheet) {
        .browser(ExternalSignInModel(method, in: flows))
      } else { .form(SignInFormModel(method, in: flows)) }
  }

  /// The step that an attempt waits for; nil if it waits for none.
  ///
  /// - Parameters:
  ///   - attempt: the one whose challenge is asked.
  ///   - flows: the shared parts of an app's models.
  ///   - isRestored: whether it was pending when the app was closed.
  public init?(_ attempt: SignInAttempt, in flows: FlowEnvironment, isRestored: Bool = false) {
    guard let challenge = attempt.state.challenge else { return nil }
    let codes: [Challenge.Kind] = [
      .smsCode, .emailCode, .oneTimePassword, .recoveryCode, .confirmation, .enrolment,
    ]
    if challenge.kind == .choice, let model = ChallengePickerModel(attempt, in: flows) {
      self = .factors(model)
    } else if challenge.kind == .link, let model = CodeEntryModel(attempt, in: flows, isRestored: isRestored) {
      self = .link(model)
    } else if let model = NewPasswordModel(attempt, in: flows) {
      self = .newPassword(model)
    } else if codes.contains(challenge.kind), let model = CodeEntryModel(attempt, in: flows, isRestored: isRestored) {
      self = .code(model)
    } else {
      self = .other(challenge, attempt: attempt)
    }
  }
}

extension SignInStep {
  /// The model of the step; nil where there is none.
  public var model: FlowModel? {
    switch self {
    case .methods(let model): model
    case .form(let model): model
    case .link(let model): model
    case .device(let model): model
    case .browser(let model): model
    case .passkey(let model): model
    case .code(let model): model
    case .factors(let model): model
    case .newPassword(let model): model
    case .other: nil
    }
  }

  var form: SignInFormModel? {
    if case .form(let model) = self { model } else { nil }
  }
}
