import AuthenticationTestingServers
import AuthenticationKit

/// The account, its changes and its end.
extension Scene {
  func accountPage(_ model: AccountModel) -> HTML {
    if case .reauthenticating(_, let proof) = model.state { return proofPage(proof) }
    return HTML.joined([
      heading(title(of: model), model.focus, hasFields: model.isEnrolling), message(of: model) ?? .empty,
      product.passkeyFailure.map { error in
        HTML("p", ["id": "message", "role": "alert", "tabindex": "-1"]) { words.sentence(for: error) }
      } ?? .empty,
      accountParts(model),
    ])
  }

  @HTMLBuilder private func accountParts(_ model: AccountModel) -> HTML {
    switch model.state {
    case .loading, .changing, .verifying, .deleting: working(words("code.submit.working"))
    case .next: ceremony ?? working(words("passkey.prompt.title"))
    case .unavailable: form { button(words("account.page.retry"), "reload", .main) }
    case .shown(let overview, _): form(["class": "account"]) { lists(overview) }
    case .enrolling(_, let entry): enrolment(entry, model)
    case .confirmingDeletion:
      form {
        button(words("account.delete.keep"), "account-back", .main)
        button(words("account.delete.confirm"), "delete-confirm", .grave)
      }
    case .deleted:
      if let sentence = model.remainderSentence {
        text(sentence)
        form { button(words("session.sign_out.retry"), "retry-sign-out", .main) }
      }
    case .reauthenticating: HTML.empty
    }
    form { button(words("sign_up.back.button"), "home", .quiet) }
  }

  @HTMLBuilder private func lists(_ overview: AccountOverview) -> HTML {
    if let methods = overview.methods {
      list(words("account.methods.title"), methods) { method in
        let name = words.noun(of: method.method)
        return (name, method.label, words("account.methods.unlink", .text(name)), "unlink:\(method.id)")
      }
    }
    if let sessions = overview.sessions {
      list(words("account.sessions.title"), sessions) { session in
        let name = words.name(of: session)
        if session.isCurrent { return (name, session.label, nil, "") }
        return (name, nil, words("account.sessions.end", .text(name)), "end-session:\(session.id)")
      }
    }
    if let factors = overview.factors {
      list(words("account.factors.title"), factors) { factor in
        let shown = factor.label ?? words.name(of: factor.kind == .enrolment ? .oneTimePassword : factor.kind)
        return (shown, nil, words("account.factors.remove", .text(shown)), "remove:\(factor.id)")
      }
      additions
    }
    if overview.canDelete { button(words("account.delete.button"), "delete", .grave) }
  }

  /// What the provider of this line lets a person add.
  private var additions: HTML {
    HTML("div", ["class": "row"]) {
      for kind in product.world.line.factors {
        button(words.addition(of: kind), "enrol:\(kind.id)")
      }
    }
  }

  private func list<Item>(
    _ title: String, _ items: [Item],
    _ line: (Item) -> (name: String, detail: String?, button: String?, intent: String)
  ) -> HTML {
    HTML("section", ["class": "list"]) {
      HTML("h2") { title }
      HTML("ul") {
        for item in items.map(line) {
          HTML("li") {
            HTML("span") {
              HTML.foreign(item.name)
              if let detail = item.detail {
                HTML("span", ["class": "faint"]) {
                  " "; HTML.foreign(detail)
                }
              }
            }
            if let title = item.button { button(title, item.intent, .quiet) }
          }
        }
      }
    }
  }

  private func enrolment(_ entry: CodeEntry, _ model: AccountModel) -> HTML {
    form {
      if let enrolment = entry.challenge.enrolment {
        text(words("account.enrol.explanation"))
        if let uri = enrolment.uri { drawing(of: uri.reveal(), named: words("account.enrol.title")) }
        HTML("p", ["id": "enrolment-key", "class": "key"]) { HTML("bdi") { enrolment.secret.reveal() } }
      }
      codeField(entry, focus: model.focus)
      button(words("code.submit.button"), "submit", .main)
      button(words("sign_up.back.button"), "account-back", .quiet)
    }
  }
}

extension AccountModel {
  fileprivate var isEnrolling: Bool { if case .enrolling = state { true } else { false } }
}
