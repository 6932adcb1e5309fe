import AuthenticationKit

/// What stands above each screen, and in the title of its tab.
extension Scene {
  var productHeading: String {
    switch place {
    case .reset: if let reset = product.reset { return title(of: reset) }
    case .account: if let account = product.account { return title(of: account) }
    case .home: break
    }
    switch product.signIn.state {
    case .unknown: return words("methods.list.title")
    case .storeLocked: return words("locked.store.title")
    case .signedIn: return words("session.card.title")
    case .signedOut(_, let step), .expired(_, let step): return title(of: step)
    }
  }

  func title(of step: SignInStep) -> String {
    switch step {
    case .methods: words("methods.list.title")
    case .form(let model):
      if case .lockedOut = model.state { words("form.locked_out.title") } else { words("form.sign_in.title") }
    case .link(let model): title(of: model)
    case .device(let model): title(of: model)
    case .browser: words("browser.open.title")
    case .passkey: words("passkey.prompt.title")
    case .signUp(let model): title(of: model)
    case .code(let model): title(of: model)
    case .factors: words("factors.choice.title")
    case .newPassword: words("new_password.form.title")
    case .other: words("error.unsupported_method")
    }
  }

  func title(of model: CodeEntryModel) -> String {
    switch model.state {
    case .expired: words("code.expired.title")
    case .spent: words("code.spent.title")
    default: words("code.entry.title")
    }
  }

  func title(of model: EmailLinkModel) -> String {
    switch model.state {
    case .askingEmail, .sending: words("link.ask.title")
    case .openedElsewhere, .proving: words("link.elsewhere.title")
    case .expired: words("link.expired.title")
    default: words("link.waiting.title")
    }
  }

  func title(of model: DeviceCodeModel) -> String {
    switch model.state {
    case .denied: words("device.denied.title")
    case .expired: words("device.expired.title")
    default: words("device.showing.title")
    }
  }

  func title(of model: SignUpModel) -> String {
    switch model.state {
    case .confirming(let code): title(of: code)
    case .waiting(let link): title(of: link)
    case .alreadyExists: words("sign_up.exists.title")
    default: words("sign_up.form.title")
    }
  }

  func title(of model: PasswordResetModel) -> String {
    switch model.state {
    case .askingAccount, .requesting: words("reset.ask.title")
    case .sent(let account): words("reset.sent.title", .text(account))
    case .enteringCode, .verifying, .resending: words("code.entry.title")
    case .expired: words("code.expired.title")
    case .editingNew, .submitting: words("new_password.form.title")
    case .done: words("reset.done.title")
    }
  }

  func title(of model: AccountModel) -> String {
    switch model.state {
    case .reauthenticating(_, let model):
      if case .proving(let step) = model.state { title(of: step) } else { words("reauthentication.ask.title") }
    default: model.title
    }
  }
}
