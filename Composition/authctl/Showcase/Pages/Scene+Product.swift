import AuthenticationTestingServers
import AuthenticationKit

/// The product's screen: the state of its models, and nothing else, decides what is on it.
extension Scene {
  var productRegion: HTML {
    HTML("div", ["class": "screen", "data-clock": "\(backstage.clockOffset)"]) {
      switch place {
      case .home: home
      case .reset: if let reset = product.reset { resetPage(reset) } else { home }
      case .account: if let account = product.account { accountPage(account) } else { home }
      }
    }
  }

  @HTMLBuilder private var home: HTML {
    offlineBanner
    if let notice = product.signIn.notice { HTML("p", ["id": "notice"]) { notice } }
    switch product.signIn.state {
    case .unknown:
      heading(words("methods.list.title"), nil)
      working(words("form.submit.working"))
    case .storeLocked(let store): lockedPage(store)
    case .signedOut(_, let step), .expired(_, let step):
      page(of: step)
      HTML("p", ["class": "people", "lang": "en"]) { product.world.line.hint }
    case .signedIn(let session, _): sessionPage(session)
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

  private var offlineBanner: HTML? {
    if case .online = product.offline.state { return nil }
    return form(["class": "banner"]) {
      HTML("p") { words("offline.banner.title") }
      button(words("offline.banner.retry"), "retry", .quiet)
    }
  }

  private func lockedPage(_ store: LockedStoreModel) -> HTML {
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
