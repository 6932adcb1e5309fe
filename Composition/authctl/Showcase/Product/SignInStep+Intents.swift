import AuthenticationKit

extension SignInStep {
  /// What a view does once it appears: some steps ask for nothing and go on by themselves.
  func begin() {
    switch self {
    case .device(let model): model.request()
    case .browser(let model): model.start()
    case .passkey(let model): model.prompt()
    default: break
    }
  }

  func perform(_ intent: Intent, _ fields: FormFields) {
    switch intent.name {
    case "submit": submit(fields)
    case "resend": resend()
    case "start-again": startAgain()
    case "factor":
      if case .factors(let model) = self, case .choosing(let factors, _) = model.state {
        if let factor = factors.first(where: { $0.id == intent.argument }) { model.choose(factor) }
      }
    case "other": if case .code(let model) = self { model.chooseAnother() }
    case "back":
      if case .signUp(let model) = self { model.goBack() }
      if case .factors(let model) = self { model.goBack() }
    case "choose":
      if case .methods(let model) = self, case .ready(let methods, _) = model.state {
        if let method = methods.first(where: { $0.id == intent.argument }) { model.choose(method) }
      }
    case "cancel": cancel()
    default: break
    }
  }

  private func submit(_ fields: FormFields) {
    switch self {
    case .form(let model):
      for need in model.method.needs { model[need] = fields[need.id] }
      model.submit()
    case .link(let model): model.submit(fields)
    case .signUp(let model): model.submit(fields)
    case .code(let model): model.submit(fields)
    case .newPassword(let model):
      model.password = fields["new_password"]
      model.submit()
    case .device, .browser, .passkey: begin()
    case .methods, .factors, .other: break
    }
  }

  private func resend() {
    switch self {
    case .code(let model): model.resend()
    case .link(let model): model.resend()
    case .signUp(let model): model.resend()
    default: break
    }
  }

  private func startAgain() {
    switch self {
    case .code(let model): model.startAgain()
    case .link(let model): model.startAgain()
    default: break
    }
  }

  private func cancel() {
    switch self {
    case .form(let model): model.cancel()
    case .device(let model): model.cancel()
    case .browser(let model): model.cancel()
    case .passkey(let model): model.cancel()
    default: break
    }
  }
}

extension CodeEntryModel {
  fileprivate func submit(_ fields: FormFields) {
    code = fields["code"]
    submit()
  }
}

extension EmailLinkModel {
  fileprivate func submit(_ fields: FormFields) {
    email = fields[SignInMethod.Need.emailAddress.id]
    submit()
  }
}

extension SignUpModel {
  fileprivate func submit(_ fields: FormFields) {
    if case .confirming(let model) = state { return model.submit(fields) }
    for field in form?.fields ?? [] {
      self[field.id] = fields[field.isSecret ? "new_password" : field.id.id]
    }
    submit()
  }

  fileprivate func resend() {
    switch state {
    case .confirming(let model): model.resend()
    case .waiting(let model): model.resend()
    default: break
    }
  }
}
