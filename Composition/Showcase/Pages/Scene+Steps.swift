import AuthenticationAccountPresentation
import AuthenticationKit
import AuthenticationTestingServers
import Foundation

/// The steps of a sign-in.
extension Scene {
  @HTMLBuilder func page(of step: SignInStep) -> HTML {
    if let model = step.model {
      page(of: model)
    } else {
      heading(title(of: step), nil)
      form { startAgain("code.start_again.button", .main) }
    }
  }

  /// Empty for a flow that is no step of a sign-in.
  func page(of model: any FlowModel) -> HTML {
    switch model {
    case let model as MethodListModel: methodsPage(model)
    case let model as SignInFormModel where model.createsAccount: signUpPage(model)
    case let model as SignInFormModel: formPage(model)
    case let model as DeviceCodeModel: devicePage(model)
    case let model as ExternalSignInModel where model.method == .passkey: passkeyPage(model)
    case let model as ExternalSignInModel: browserPage(model)
    case let model as CodeEntryModel: codePage(model)
    case let model as ChallengePickerModel: factorsPage(model)
    case let model as NewPasswordModel: newPasswordPage(model)
    default: .empty
    }
  }

  @HTMLBuilder private func methodsPage(_ model: MethodListModel) -> HTML {
    heading(model.title, model.focus)
    if case .ready(let methods, let last) = model.state {
      form(["class": "methods"]) {
        for method in methods {
          button("choose:\(method.id)", .method, { place == .home ? product.choose(method) : model.choose(method) }) {
            words.name(of: method)
            if method == last { HTML("span", ["class": "tag"]) { words("methods.list.last_used") } }
          }
        }
        if place == .home, product.canSignUp {
          button(words("form.sign_up.button"), "create-account", .quiet) { product.signIn.createAccount() }
        }
      }
    } else {
      working(words("form.submit.working"))
    }
  }

  @HTMLBuilder private func formPage(_ model: SignInFormModel) -> HTML {
    opening(model, hasFields: true)
    countdown(model.secondsLeft) { words("form.locked_out.left", $0) }
    form {
      if let entries = model.form { fields(of: entries, focus: model.focus) }
      if model.isWorking { working(words("form.submit.working")) }
      submit(model.keys.button) { typed in
        for need in model.method.needs { model[need] = typed[need.id] }
        model.submit()
      }
      HTML("div", ["class": "row"]) {
        if place == .home, model.method == .password, product.canReset {
          button(words("form.forgot.button"), "forgot", .quiet) { product.enter(.reset) }
        }
        startAgain("code.other.button")
      }
    }
  }

  @HTMLBuilder private func factorsPage(_ model: ChallengePickerModel) -> HTML {
    opening(model)
    form(["class": "methods"]) {
      if case .choosing(let factors, _) = model.state {
        for factor in factors {
          button("factor:\(factor.id)", .method, { model.choose(factor) }) {
            words(WordKey("factors.kind.\(factor.kind.id)"), .text(factor.destination ?? ""))
          }
        }
      } else {
        working(words("code.submit.working"))
      }
      startAgain("code.start_again.button")
    }
  }

  @HTMLBuilder private func newPasswordPage(_ model: NewPasswordModel) -> HTML {
    let entry: NewPasswordEntry? =
      switch model.state {
      case .editing(let entry), .submitting(let entry): entry
      case .next, .done, .ended: nil
      }
    opening(model)
    newPasswordForm(entry, focus: model.focus) { typed in
      model.password = typed["new_password"]
      model.submit()
    }
  }

  func newPasswordForm(
    _ entry: NewPasswordEntry?, of account: String? = nil, focus: Focus?,
    _ act: @escaping @MainActor (FormFields) -> Void
  ) -> HTML {
    form {
      if let account {
        // Whose password it is, for the browser that keeps it.
        HTML(
          "input",
          [
            "type": "text", "autocomplete": "username", "value": account, "class": "unseen", "readonly": "",
            "tabindex": "-1", "aria-hidden": "true",
          ])
      }
      if let entry {
        fields(of: entry.form, focus: focus, isNew: true)
        rules(entry.rules)
      }
      submit("new_password.submit.button", act)
      startAgain("code.start_again.button")
    }
  }

  /// The rules for a new password, before the user types.
  private func rules(_ rules: [PasswordRule]) -> HTML {
    HTML("ul", ["class": "rules"]) {
      for rule in rules { HTML("li") { words.sentence(for: rule) } }
    }
  }

  // MARK: Steps that wait for a code or a link.

  @HTMLBuilder private func codePage(_ model: CodeEntryModel) -> HTML {
    let isLink = model.entry?.challenge.kind == .link
    opening(model)
    form {
      switch model.state {
      case .editing where isLink: for sentence in model.explanations { text(sentence, "lead") }
      case .editing(let entry):
        codeField(entry, focus: model.focus)
        submit("code.submit.button") { typed in
          model.code = typed["code"]
          model.submit()
        }
      case .verifying: working(words(isLink ? "form.submit.working" : "code.submit.working"))
      case .sending: working(words(isLink ? "link.ask.working" : "code.resend.working"))
      case .spent:
        text(words("error.too_many_attempts"))
        countdown(model.secondsLeft) { words("form.locked_out.left", $0) }
      case .expired, .next, .done, .ended: HTML.empty
      }
      let isExpired = if case .expired = model.state { true } else { false }
      resending(isLink ? "link" : "code", model.secondsToResend, isExpired ? .main : .plain) { model.resend() }
      if !isLink { countdown(model.secondsLeft) { words("device.showing.left", $0) } }
      if model.canChooseAnother { button(words("code.other.button"), "other", .quiet) { model.chooseAnother() } }
      startAgain("code.start_again.button")
    }
  }

  /// A button that is shown once it may be pressed.
  private func resending(
    _ flow: String, _ seconds: Int?, _ kind: ButtonKind = .plain, _ act: @escaping @MainActor () -> Void
  ) -> HTML? {
    guard let seconds else { return nil }
    return HTML("div", ["class": "resend"]) {
      countdown(seconds, then: "resend") { words(WordKey("\(flow).resend.wait"), $0) }
      button("resend", kind, act, with: ["id": "resend", "hidden": seconds > 0 ? "" : nil]) {
        words(WordKey("\(flow).resend.button"))
      }
    }
  }

  // MARK: Steps that happen elsewhere: on another device, on the issuer's page, in the browser's own window.

  @HTMLBuilder private func devicePage(_ model: DeviceCodeModel) -> HTML {
    opening(model)
    form {
      switch model.state {
      case .showing(let code): deviceCode(code, model)
      case .requesting: working(words("form.submit.working"))
      case .idle, .denied, .expired, .failed, .next, .done:
        submit("device.new_code.button") { _ in model.request() }
      }
      startAgain("form.cancel.button")
    }
  }

  @HTMLBuilder private func deviceCode(_ code: DeviceCode, _ model: DeviceCodeModel) -> HTML {
    HTML("p", ["class": "lead"]) {
      words("device.showing.address", .text(code.host ?? code.address))
      " "
      HTML("a", ["href": code.address, "target": "_blank", "rel": "noopener"]) { HTML.foreign(code.address) }
    }
    text(words("device.showing.code"))
    HTML("p", ["id": "device-code", "class": "big-code"]) {
      HTML("bdi", ["aria-hidden": "true"]) { code.userCode }
      HTML("span", ["class": "unseen"]) { code.spelledCode }
    }
    drawing(of: code.scannedAddress, named: words("device.showing.qr", .text(code.host ?? code.address)))
    countdown(model.secondsLeft) { words("device.showing.left", $0) }
  }

  @HTMLBuilder private func browserPage(_ model: ExternalSignInModel) -> HTML {
    opening(model)
    form {
      if model.isWorking, let page = product.page {
        HTML("p") { HTML("a", ["href": page.absoluteString, "class": "main"]) { words("browser.open.again") } }
      } else {
        submit("browser.open.again") { _ in model.start() }
      }
      startAgain("form.cancel.button")
    }
  }

  @HTMLBuilder private func passkeyPage(_ model: ExternalSignInModel) -> HTML {
    opening(model)
    ceremony ?? form { submit("passkey.prompt.button") { _ in model.start() } }
    form { startAgain("form.cancel.button") }
  }

  /// The request to the browser; the page's script asks, and sends the answer.
  var ceremony: HTML? {
    guard let ceremony = product.ceremony else { return nil }
    return form([
      "id": "ceremony", "data-kind": ceremony.kind.rawValue, "data-number": "\(ceremony.number)",
      "data-options": ceremony.options,
    ]) {
      hidden("ceremony", "\(ceremony.number)")
      hidden("answer", "")
      HTML("noscript") {
        HTML("p") { "A passkey takes the script of this page: switch it on, or choose another way." }
      }
      HTML("button", ["type": "button", "class": "main", "data-asks": ""]) { words("passkey.prompt.button") }
      button(words("form.cancel.button"), "passkey-declined", .quiet)
    }
  }

  // MARK: A new account, and another password for one that exists.

  @HTMLBuilder private func signUpPage(_ model: SignInFormModel) -> HTML {
    switch model.state {
    case .editing(let entries, _), .submitting(let entries), .lockedOut(let entries, _):
      opening(model, hasFields: true)
      countdown(model.secondsLeft) { words("form.locked_out.left", $0) }
      form {
        fields(of: entries, focus: model.focus, isNew: true)
        rules(product.flows.passwordRules)
        submit("sign_up.submit.button") { typed in
          for field in entries.fields { model[field.id] = typed[field.isSecret ? "new_password" : field.id.id] }
          model.submit()
        }
        startAgain("sign_up.back.button")
      }
    case .alreadyExists:
      heading(model.title, model.focus)
      text(words("error.account_exists"))
      form {
        button(words("sign_up.exists.sign_in"), "choose:password", .main) { product.choose(.password) }
        if product.canReset { button(words("sign_up.exists.reset"), "forgot") { product.enter(.reset) } }
        button(words("sign_up.back.button"), "back", .quiet) { model.cancel() }
      }
    case .next, .done:
      heading(model.title, model.focus)
      working(words("form.submit.working"))
    }
  }

  @HTMLBuilder func resetPage(_ model: PasswordResetModel) -> HTML {
    let asksAccount = if case .askingAccount = model.state { true } else { false }
    opening(model, hasFields: asksAccount)
    switch model.state {
    case .editingNew(let entry, _):
      newPasswordForm(entry, of: model.account, focus: model.focus) { submit($0, to: model) }
    case .submitting(let entry, _): newPasswordForm(entry, focus: nil) { submit($0, to: model) }
    default: form { resetParts(model) }
    }
  }

  @HTMLBuilder private func resetParts(_ model: PasswordResetModel) -> HTML {
    switch model.state {
    case .askingAccount(let entries, _):
      fields(of: entries, focus: model.focus)
      submit("reset.ask.button") { submit($0, to: model) }
    case .enteringCode(let entry):
      text(words("reset.sent.title", .text(model.account)), "lead")
      codeField(entry, focus: model.focus)
      submit("code.submit.button") { submit($0, to: model) }
      resending("code", model.secondsToResend) { model.resend() }
    case .requesting, .verifying, .resending: working(words("code.submit.working"))
    case .expired:
      resending("code", model.secondsToResend, .main) { model.resend() }
      startAgain("code.start_again.button")
    case .done: button(words("reset.done.sign_in"), "home", .main) { product.leave(.reset) }
    case .sent, .editingNew, .submitting: HTML.empty
    }
    if case .done = model.state {} else { home() }
  }

  /// An answer to a question that is not open is not taken.
  private func submit(_ typed: FormFields, to model: PasswordResetModel) {
    model.account = typed[SignInMethod.Need.userName.id]
    model.code = typed["code"]
    model.newPassword = typed["new_password"]
    model.submit()
  }
}
