import AuthenticationDomain

extension SignInStep {
  /// The model of the step; nil where there is none.
  public var model: (any FlowModel)? {
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
    switch self {
    case .methods(let model): model.onEnd = end
    case .form(let model): model.onEnd = end
    case .link(let model): model.onEnd = end
    case .device(let model): model.onEnd = end
    case .browser(let model): model.onEnd = end
    case .passkey(let model): model.onEnd = end
    case .signUp(let model): model.onEnd = end
    case .code(let model): model.onEnd = end
    case .factors(let model): model.onEnd = end
    case .newPassword(let model): model.onEnd = end
    case .other: break
    }
  }

  func finished() async {
    switch self {
    case .methods, .other: break
    case .form(let model): await model.finished()
    case .link(let model): await model.finished()
    case .device(let model): await model.finished()
    case .browser(let model): await model.finished()
    case .passkey(let model): await model.finished()
    case .signUp(let model): await model.finished()
    case .code(let model): await model.finished()
    case .factors(let model): await model.finished()
    case .newPassword(let model): await model.finished()
    }
  }
}
