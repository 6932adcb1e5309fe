import AuthenticationTestingServers
import AuthenticationKit

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
