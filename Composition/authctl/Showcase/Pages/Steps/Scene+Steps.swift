import AuthenticationTestingServers
import AuthenticationKit

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
      heading(title(of: .methods(model)), model.focus),
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
      heading(title(of: .form(model)), model.focus, hasFields: true), message(of: model) ?? .empty,
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
      heading(title(of: .factors(model)), model.focus), message(of: model) ?? .empty,
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
      heading(title(of: .newPassword(model)), model.focus), message(of: model) ?? .empty,
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
