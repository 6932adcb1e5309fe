import AuthenticationAccount
import AuthenticationAccountPresentation
import AuthenticationKit
import AuthenticationTestingServers

/// The product's screen: the state of its models, and nothing else, decides what is on it.
extension Scene {
  var productRegion: HTML {
    HTML("div", ["class": "screen", "data-clock": "\(backstage.clockOffset)"]) {
      switch place {
      case .home: ownHome
      case .reset: if let reset = product.reset { resetPage(reset) } else { ownHome }
      case .account: if let account = product.account { accountPage(account) } else { ownHome }
      }
    }
  }

  @HTMLBuilder private var ownHome: HTML {
    offlineBanner(product.offline)
    home(product.signIn)
  }

  @HTMLBuilder func home(_ signIn: AuthenticationViewModel) -> HTML {
    if let notice = signIn.notice { HTML("p", ["id": "notice"]) { notice } }
    if signIn.canRetrySignOut { form { button(words("session.sign_out.retry"), "retry-sign-out", .quiet) } }
    switch signIn.state {
    case .unknown:
      heading(words("methods.list.title"), nil)
      working(words("form.submit.working"))
    case .storeLocked(let store): lockedPage(store)
    case .signedOut(_, let step), .expired(_, let step):
      page(of: step)
      HTML("p", ["class": "people", "lang": "en"]) { product.world.line.hint }
    case .signedIn(let session, _):
      sessionPage(session, title: signIn.message ?? words("session.card.title"), focus: signIn.focus)
    }
  }

  /// Which of its screens it is, for the page's script.
  var step: String {
    switch place {
    case .reset where product.reset != nil: return "reset"
    case .account where product.account != nil: return "account"
    default: break
    }
    switch product.signIn.state {
    case .unknown: return "unknown"
    case .storeLocked: return "locked"
    case .signedIn: return "session"
    case .signedOut(_, let step), .expired(_, let step): return step.name
    }
  }

  /// The model that says what failed.
  var shownModel: (any FlowModel)? {
    switch place {
    case .reset: if let reset = product.reset { return reset }
    case .account: if let account = product.account { return account }
    case .home: break
    }
    return product.signIn
  }

  func offlineBanner(_ model: OfflineModel) -> HTML? {
    if case .online = model.state { return nil }
    return form(["class": "banner"]) {
      HTML("p") { words("offline.banner.title") }
      button(words("offline.banner.retry"), "retry", .quiet)
    }
  }

  func lockedPage(_ store: LockedStoreModel) -> HTML {
    HTML.joined([
      heading(words("locked.store.title"), nil), message(of: store) ?? .empty,
      form { button(words("locked.store.retry"), "retry", .main) },
    ])
  }
}

extension SignInStep {
  var name: String {
    switch self {
    case .methods: "methods"
    case .form: "form"
    case .link: "link"
    case .device: "device"
    case .browser: "browser"
    case .passkey: "passkey"
    case .signUp: "sign-up"
    case .code: "code"
    case .factors: "factors"
    case .newPassword: "new-password"
    case .other: "other"
    }
  }
}

/// What a user sees who is signed in.
extension Scene {
  func sessionPage(_ model: SessionModel, title: String, focus: Focus?) -> HTML {
    HTML.joined([
      heading(title, focus),
      message(of: model) ?? .empty, person(model),
      form {
        if case .confirming = model.state {
          text(words("session.loss.explanation"))
          button(words("session.loss.keep"), "keep", .main)
          button(words("session.loss.confirm"), "confirm-loss", .grave)
        } else {
          actions(model)
        }
      },
    ])
  }

  @HTMLBuilder private func person(_ model: SessionModel) -> HTML {
    if let summary = model.summary {
      HTML("p", ["class": "person"]) {
        HTML("strong") { HTML.foreign(summary.user.name ?? summary.user.email ?? summary.user.id) }
        if let email = summary.user.email {
          " "
          HTML("span", ["class": "faint"]) { HTML.foreign(email) }
        }
      }
      if summary.isStale { text(words("session.card.stale"), "hint") }
      if summary.unsaved != nil { text(words("session.card.unsaved"), "hint") }
    }
  }

  @HTMLBuilder private func actions(_ model: SessionModel) -> HTML {
    HTML("div", ["class": "call", "lang": "en"]) {
      button("Call the API", "call", .main)
      if let call = product.call {
        HTML("p", ["id": "call", "class": call.isAnswered ? "answered" : "problem"]) { call.sentence }
      }
    }
    HTML("div", ["class": "row"]) {
      button(words("account.page.title"), "account")
      button(words("session.sign_out.button"), "sign-out")
      if model.canSignOutEverywhere { button(words("session.sign_out.everywhere"), "sign-out-everywhere", .quiet) }
    }
  }
}

/// The account, its changes and its end.
extension Scene {
  func accountPage(_ model: AccountModel) -> HTML {
    if case .reauthenticating(_, let proof) = model.state { return proofPage(proof) }
    return HTML.joined([
      opening(model, hasFields: model.isEnrolling),
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

  /// What the provider of this line lets a user add.
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
