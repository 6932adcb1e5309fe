import AuthenticationTestingServers
import AuthenticationKit

/// A new account, and another password for one that exists.
extension Scene {
  func signUpPage(_ model: SignUpModel) -> HTML {
    switch model.state {
    case .confirming(let code): codePage(code)
    case .waiting(let link): linkPage(link)
    case .editing(let entries, _), .submitting(let entries, _): signUpForm(model, entries)
    case .alreadyExists: existsPage(model)
    case .next, .done: HTML.joined([heading(title(of: model), model.focus), working(words("form.submit.working"))])
    }
  }

  private func signUpForm(_ model: SignUpModel, _ entries: EntryForm) -> HTML {
    HTML.joined([
      heading(title(of: model), model.focus, hasFields: true), message(of: model) ?? .empty,
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
      heading(title(of: model), model.focus),
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
      heading(title(of: model), model.focus, hasFields: model.asksAccount), message(of: model) ?? .empty,
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
