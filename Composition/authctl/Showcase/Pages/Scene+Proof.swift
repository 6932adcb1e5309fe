import AuthenticationTestingServers
import AuthenticationKit

/// A person shows again who they are; what was interrupted then goes on.
extension Scene {
  func proofPage(_ model: ReauthenticationModel) -> HTML {
    if case .proving(let step) = model.state { return page(of: step) }
    return HTML.joined([
      heading(words("reauthentication.ask.title"), model.focus, hasFields: model.asks), message(of: model) ?? .empty,
      text(words("reauthentication.ask.explanation"), "lead"),
      form {
        switch model.state {
        case .required(_, let methods, _): proofs(methods)
        case .askingPassword(let entries, _, _):
          fields(of: entries, focus: model.focus)
          button(words("reauthentication.submit.button"), "submit", .main)
        case .askingCode(let entry):
          codeField(entry, focus: model.focus)
          button(words("code.submit.button"), "submit", .main)
        case .checking, .resuming: working(words("code.submit.working"))
        case .proving, .done, .failed, .declined: HTML.empty
        }
        button(words("reauthentication.decline.button"), "account-back", .quiet)
      },
    ])
  }

  func proofs(_ methods: [SignInMethod]) -> HTML {
    HTML("div", ["class": "methods"]) {
      for method in methods {
        HTML("button", ["name": "intent", "value": "prove:\(method.id)", "class": "method"]) {
          words.name(of: method)
        }
      }
    }
  }
}

extension ReauthenticationModel {
  /// Whether there is something to fill in.
  fileprivate var asks: Bool {
    switch state {
    case .askingPassword, .askingCode: true
    default: false
    }
  }
}
