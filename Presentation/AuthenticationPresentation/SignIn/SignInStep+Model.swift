import AuthenticationDomain

extension SignInStep {
  /// The model of the step; nil where there is none.
  public var model: (any FlowModel)? { step }

  private var step: (any StepModel)? {
    switch self {
    case .methods(let model): model
    case .form(let model): model
    case .link(let model): model
    case .device(let model): model
    case .browser(let model): model
    case .passkey(let model): model
    case .signUp(let model): model
    case .code(let model): model
    case .factors(let model): model
    case .newPassword(let model): model
    case .other: nil
    }
  }

  var form: SignInFormModel? {
    if case .form(let model) = self { model } else { nil }
  }

  func onEnd(_ end: @escaping @MainActor (StepEnd) -> Void) {
    let step = step
    step?.onEnd = end
  }
}
