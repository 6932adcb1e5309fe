import AuthenticationAccountPresentation
import AuthenticationKit
import AuthenticationTestingServers
import Foundation

/// The steps of a sign-in.
extension Scene {
  func page(of step: SignInStep) -> HTML {
    switch step {
    case .methods(let model): methodsPage(model)
    case .form(let model): formPage(model)
    case .link(let model): linkPage(model)
    case .device(let model): devicePage(model)
    case .browser(let model): browserPage(model)
    case .passkey(let model): passkeyPage(model)
    case .signUp(let model): signUpPage(model)
    case .code(let model): codePage(model)
    case .factors(let model): factorsPage(model)
    case .newPassword(let model): newPasswordPage(model)
    case .other: otherPage(step)
    }
  }

  private func methodsPage(_ model: MethodListModel) -> HTML {
    HTML.joined([
      heading(model.title, model.focus),
      methodButtons(model),
    ])
  }

  private func methodButtons(_ model: MethodListModel) -> HTML {
    guard case .ready(let methods, let last) = model.state else { return working(words("form.submit.working")) }
    return form(["class": "methods"]) {
      for method in methods {
        HTML("button", ["name": "intent", "value": "choose:\(method.id)", "class": "method"]) {
          words.name(of: method)
          if method == last { HTML("span", ["class": "tag"]) { words("methods.list.last_used") } }
        }
      }
      if place == .home, product.canSignUp { button(words("form.sign_up.button"), "create-account", .quiet) }
    }
  }

  private func formPage(_ model: SignInFormModel) -> HTML {
    HTML.joined([
      opening(model, hasFields: true),
      countdown(model.secondsLeft) { words("form.locked_out.left", $0) } ?? .empty,
      form {
        if let entries = model.form { fields(of: entries, focus: model.focus) }
        if model.isWorking { working(words("form.submit.working")) }
        button(words("form.submit.button"), "submit", .main)
        HTML("div", ["class": "row"]) {
          if place == .home, model.method == .password, product.canReset {
            button(words("form.forgot.button"), "forgot", .quiet)
          }
          button(words("code.other.button"), "start-again", .quiet)
        }
      },
    ])
  }

  private func factorsPage(_ model: ChallengePickerModel) -> HTML {
    HTML.joined([
      opening(model),
      form(["class": "methods"]) {
        switch model.state {
        case .choosing(let factors, _):
          for factor in factors {
            HTML("button", ["name": "intent", "value": "factor:\(factor.id)", "class": "method"]) {
              words(WordKey("factors.kind.\(factor.kind.id)"), .text(factor.destination ?? ""))
            }
          }
        case .preparing, .asking, .ended: working(words("code.submit.working"))
        }
        button(words("code.start_again.button"), "start-again", .quiet)
      },
    ])
  }

  private func newPasswordPage(_ model: NewPasswordModel) -> HTML {
    HTML.joined([
      opening(model),
      newPasswordForm(entry(of: model), focus: model.focus),
    ])
  }

  private func entry(of model: NewPasswordModel) -> NewPasswordEntry? {
    switch model.state {
    case .editing(let entry), .submitting(let entry, _): entry
    case .next, .done, .ended: nil
    }
  }

  func newPasswordForm(_ entry: NewPasswordEntry?, of account: String? = nil, focus: Focus?) -> HTML {
    form {
      if let account { accountName(account) }
      if let entry {
        fields(of: entry.form, focus: focus, isNew: true)
        rules(entry.rules)
      }
      button(words("new_password.submit.button"), "submit", .main)
      button(words("code.start_again.button"), "start-again", .quiet)
    }
  }

  /// Whose password it is, for the browser that keeps it.
  private func accountName(_ account: String) -> HTML {
    HTML(
      "input",
      [
        "type": "text", "autocomplete": "username", "value": account, "class": "unseen", "readonly": "",
        "tabindex": "-1", "aria-hidden": "true",
      ])
  }

  /// What a new password must be like, before anything is typed.
  func rules(_ rules: [PasswordRule]) -> HTML {
    HTML("ul", ["class": "rules"]) {
      for rule in rules {
        HTML("li") { words.sentence(for: rule) }
      }
    }
  }

  private func otherPage(_ step: SignInStep) -> HTML {
    HTML.joined([
      heading(title(of: step), nil), form { button(words("code.start_again.button"), "start-again", .main) },
    ])
  }
}

/// Steps that wait for a code or a link.
extension Scene {
  func codePage(_ model: CodeEntryModel) -> HTML {
    HTML.joined([
      opening(model),
      form {
        switch model.state {
        case .editing(let entry):
          codeField(entry, focus: model.focus)
          button(words("code.submit.button"), "submit", .main)
        case .verifying: working(words("code.submit.working"))
        case .sending: working(words("code.resend.working"))
        case .spent:
          text(words("error.too_many_attempts"))
          countdown(model.secondsToRetry) { words("form.locked_out.left", $0) }
        case .expired, .next, .done, .ended: HTML.empty
        }
        resending(
          words("code.resend.button"), seconds: model.secondsToResend, key: "code.resend.wait",
          isMain: { if case .expired = model.state { true } else { false } }())
        lifetime(model.secondsLeft)
        if model.canChooseAnother { button(words("code.other.button"), "other", .quiet) }
        button(words("code.start_again.button"), "start-again", .quiet)
      },
    ])
  }

  func linkPage(_ model: EmailLinkModel) -> HTML {
    HTML.joined([
      opening(model, hasFields: model.form != nil),
      form {
        switch model.state {
        case .askingEmail(let entries, _), .openedElsewhere(let entries, _, _):
          fields(of: entries, focus: model.focus)
          button(words("link.ask.button"), "submit", .main)
        case .sending, .resending, .verifying, .proving: working(words("form.submit.working"))
        case .waiting(let wait):
          if wait.isRestored { text(words("link.waiting.restored"), "hint") }
          if let destination = wait.destination { text(words("link.waiting.sent", .text(destination)), "lead") }
        case .expired, .next, .done: HTML.empty
        }
        resending(
          words("link.resend.button"), seconds: model.secondsToResend, key: "link.resend.wait",
          isMain: { if case .expired = model.state { true } else { false } }())
        button(words("code.start_again.button"), "start-again", .quiet)
      },
    ])
  }

  /// A button that is shown once it may be pressed.
  func resending(_ title: String, seconds: Int?, key: WordKey, isMain: Bool) -> HTML? {
    guard let seconds else { return nil }
    return HTML("div", ["class": "resend"]) {
      countdown(seconds, then: "resend") { words(key, $0) }
      HTML(
        "button",
        [
          "id": "resend", "name": "intent", "value": "resend", "class": isMain ? "main" : "plain",
          "hidden": seconds > 0 ? "" : nil,
        ]
      ) { title }
    }
  }

  private func lifetime(_ seconds: Int?) -> HTML? {
    countdown(seconds) { words("device.showing.left", $0) }
  }
}

/// Steps that happen elsewhere: on another device, on the issuer's page, in the browser's own window.
extension Scene {
  func devicePage(_ model: DeviceCodeModel) -> HTML {
    HTML.joined([
      opening(model),
      form {
        switch model.state {
        case .showing(let code, _): deviceCode(code, model)
        case .requesting: working(words("form.submit.working"))
        case .idle, .denied, .expired, .failed, .next, .done:
          button(words("device.new_code.button"), "submit", .main)
        }
        button(words("form.cancel.button"), "start-again", .quiet)
      },
    ])
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

  func browserPage(_ model: BrowserSignInModel) -> HTML {
    HTML.joined([
      opening(model),
      form {
        if model.isWorking, let page = product.page {
          HTML("p") {
            HTML("a", ["href": page.absoluteString, "class": "main"]) { words("browser.open.again") }
          }
        } else {
          button(words("browser.open.again"), "submit", .main)
        }
        button(words("form.cancel.button"), "start-again", .quiet)
      },
    ])
  }

  func passkeyPage(_ model: PasskeyModel) -> HTML {
    HTML.joined([
      opening(model),
      ceremony
        ?? form {
          button(words("passkey.prompt.button"), "submit", .main)
        },
      form { button(words("form.cancel.button"), "start-again", .quiet) },
    ])
  }

  /// What the browser is asked for; the page's script asks, and sends the answer.
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
}

/// A new account, and another password for one that exists.
extension Scene {
  func signUpPage(_ model: SignUpModel) -> HTML {
    switch model.state {
    case .confirming(let code): codePage(code)
    case .waiting(let link): linkPage(link)
    case .editing(let entries, _), .submitting(let entries, _): signUpForm(model, entries)
    case .alreadyExists: existsPage(model)
    case .next, .done: HTML.joined([heading(model.title, model.focus), working(words("form.submit.working"))])
    }
  }

  private func signUpForm(_ model: SignUpModel, _ entries: EntryForm) -> HTML {
    HTML.joined([
      opening(model, hasFields: true),
      form {
        fields(of: entries, focus: model.focus, isNew: true)
        rules(product.flows.passwordRules)
        button(words("sign_up.submit.button"), "submit", .main)
        button(words("sign_up.back.button"), "start-again", .quiet)
      },
    ])
  }

  private func existsPage(_ model: SignUpModel) -> HTML {
    HTML.joined([
      heading(model.title, model.focus),
      text(words("error.account_exists")),
      form {
        button(words("sign_up.exists.sign_in"), "choose:password", .main)
        if product.canReset { button(words("sign_up.exists.reset"), "forgot") }
        button(words("sign_up.back.button"), "back", .quiet)
      },
    ])
  }

  func resetPage(_ model: PasswordResetModel) -> HTML {
    HTML.joined([
      opening(model, hasFields: model.asksAccount),
      resetForm(model),
    ])
  }

  private func resetForm(_ model: PasswordResetModel) -> HTML {
    switch model.state {
    case .editingNew(let entry, _, let account): return newPasswordForm(entry, of: account, focus: model.focus)
    case .submitting(let entry, _, _, _): return newPasswordForm(entry, focus: nil)
    default: break
    }
    return form {
      switch model.state {
      case .askingAccount(let entries, _):
        fields(of: entries, focus: model.focus)
        button(words("reset.ask.button"), "submit", .main)
      case .enteringCode(let entry, let account):
        text(words("reset.sent.title", .text(account)), "lead")
        codeField(entry, focus: model.focus)
        button(words("code.submit.button"), "submit", .main)
        resending(model, isMain: false)
      case .requesting, .verifying, .resending: working(words("code.submit.working"))
      case .expired:
        resending(model, isMain: true)
        button(words("code.start_again.button"), "start-again", .quiet)
      case .done: button(words("reset.done.sign_in"), "home", .main)
      case .sent, .editingNew, .submitting: HTML.empty
      }
      if case .done = model.state {} else { button(words("sign_up.back.button"), "home", .quiet) }
    }
  }
}

extension Scene {
  private func resending(_ model: PasswordResetModel, isMain: Bool) -> HTML? {
    resending(
      words("code.resend.button"), seconds: model.secondsToResend, key: "code.resend.wait", isMain: isMain)
  }
}

extension PasswordResetModel {
  fileprivate var asksAccount: Bool { if case .askingAccount = state { true } else { false } }
}
