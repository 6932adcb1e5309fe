import AuthenticationAccount
import AuthenticationAccountPresentation
import AuthenticationKit
import AuthenticationTestingServers

/// The product's screen: the state of its models, and nothing else, decides its content.
extension Scene {
  var productRegion: HTML {
    HTML("div", ["class": "screen", "data-clock": "\(backstage.clockOffset)"]) {
      if place == .reset, let reset = product.reset {
        resetPage(reset)
      } else if place == .account, let account = product.account {
        accountPage(account)
      } else {
        offlineBanner(product.offline)
        home(product.signIn)
      }
    }
  }

  @HTMLBuilder func home(_ signIn: AuthenticationViewModel) -> HTML {
    if let notice = signIn.notice { HTML("p", ["id": "notice"]) { notice } }
    if signIn.session.canRetrySignOut {
      form { button(words("session.sign_out.retry"), "retry-sign-out", .quiet) { signIn.signOut() } }
    }
    switch signIn.state {
    case .unknown:
      heading(words("methods.list.title"), nil)
      working(words("form.submit.working"))
    case .storeLocked(let store): lockedPage(store)
    case .signedOut(_, let step), .expired(_, let step):
      page(of: step)
      HTML("p", ["class": "users", "lang": "en"]) { product.world.line.hint }
    case .signedIn(let session, _):
      sessionPage(session, title: signIn.message ?? words("session.card.title"), focus: signIn.focus)
    }
  }

  func offlineBanner(_ model: OfflineModel) -> HTML? {
    if case .online = model.state { return nil }
    return form(["class": "banner"]) {
      HTML("p") { words("offline.banner.title") }
      button(words("offline.banner.retry"), "retry", .quiet) { model.retry() }
    }
  }

  @HTMLBuilder func lockedPage(_ store: LockedStoreModel) -> HTML {
    heading(words("locked.store.title"), nil)
    message(of: store)
    form { button(words("locked.store.retry"), "retry", .main) { store.retry() } }
  }

  /// Back to the first page.
  func home() -> HTML { button(words("sign_up.back.button"), "home", .quiet) { product.leave(place) } }

  // MARK: The screen of a signed-in user.

  @HTMLBuilder func sessionPage(_ model: SessionModel, title: String, focus: Focus?) -> HTML {
    heading(title, focus)
    message(of: model)
    if let summary = model.summary { user(summary) }
    form {
      if case .confirming = model.state {
        text(words("session.loss.explanation"))
        button(words("session.loss.keep"), "keep", .main) { model.keep() }
        button(words("session.loss.confirm"), "confirm-loss", .grave) { model.confirm() }
      } else {
        actions(of: model)
      }
    }
  }

  @HTMLBuilder private func user(_ summary: SessionSummary) -> HTML {
    HTML("p", ["class": "user"]) {
      HTML("strong") { HTML.foreign(summary.user.name ?? summary.user.email ?? summary.user.id) }
      if let email = summary.user.email {
        " "
        HTML("span", ["class": "faint"]) { HTML.foreign(email) }
      }
    }
    if summary.freshness == .stale { text(words("session.card.stale"), "hint") }
    if summary.unsaved != nil { text(words("session.card.unsaved"), "hint") }
  }

  @HTMLBuilder private func actions(of model: SessionModel) -> HTML {
    HTML("div", ["class": "call", "lang": "en"]) {
      button("Call the API", "call", .main) { await product.callAPI() }
      if let call = product.call {
        HTML("p", ["id": "call", "class": call.isAnswered ? "answered" : "problem"]) { call.sentence }
      }
    }
    HTML("div", ["class": "row"]) {
      button(words("account.page.title"), "account") { product.enter(.account) }
      button(words("session.sign_out.button"), "sign-out") { model.signOut() }
      if model.canSignOutEverywhere {
        button(words("session.sign_out.everywhere"), "sign-out-everywhere", .quiet) {
          model.signOut(scope: .everywhere)
        }
      }
    }
  }

  // MARK: The account, its changes and its end.

  @HTMLBuilder func accountPage(_ model: AccountModel) -> HTML {
    if case .reauthenticating(_, let proof) = model.state {
      proofPage(proof) { product.decline(proof) }
    } else {
      let isEnrolling = if case .enrolling = model.state { true } else { false }
      opening(model, hasFields: isEnrolling)
      if let error = product.passkeyFailure {
        HTML("p", ["id": "message", "role": "alert", "tabindex": "-1"]) { words.sentence(for: error) }
      }
      accountParts(model)
      form { home() }
    }
  }

  @HTMLBuilder private func accountParts(_ model: AccountModel) -> HTML {
    switch model.state {
    case .loading, .changing, .verifying, .deleting: working(words("code.submit.working"))
    case .next: ceremony ?? working(words("passkey.prompt.title"))
    case .unavailable: form { button(words("account.page.retry"), "reload", .main) { model.load() } }
    case .shown(let overview, _): form(["class": "account"]) { lists(overview, model) }
    case .enrolling(_, let entry): enrolment(entry, model)
    case .confirmingDeletion:
      form {
        button(words("account.delete.keep"), "account-back", .main) { model.goBack() }
        button(words("account.delete.confirm"), "delete-confirm", .grave) { model.confirmDeletion() }
      }
    case .deleted:
      if model.canRetrySignOut {
        for sentence in model.explanations { text(sentence) }
        form { button(words("session.sign_out.retry"), "retry-sign-out", .main) { model.confirmDeletion() } }
      }
    case .reauthenticating: HTML.empty
    }
  }

  @HTMLBuilder private func lists(_ overview: AccountOverview, _ model: AccountModel) -> HTML {
    list("account.methods.title", overview.methods) { method in
      let name = words.noun(of: method.method)
      line(name, method.label, words("account.methods.unlink", .text(name)), "unlink:\(method.id)") {
        model.change(.unlink(method))
      }
    }
    list("account.sessions.title", overview.sessions) { session in
      let name = words.name(of: session)
      let title = session.isCurrent ? nil : words("account.sessions.end", .text(name))
      line(name, session.isCurrent ? session.label : nil, title, "end-session:\(session.id)") {
        model.change(.end(session))
      }
    }
    list("account.factors.title", overview.factors) { factor in
      let name = factor.label ?? words.name(of: factor.kind == .enrolment ? .oneTimePassword : factor.kind)
      line(name, nil, words("account.factors.remove", .text(name)), "remove:\(factor.id)") {
        model.change(.remove(factor))
      }
    }
    if overview.factors != nil {
      // The methods and factors that the provider of this line lets a user add.
      HTML("div", ["class": "row"]) {
        for kind in product.world.line.factors {
          button(words.addition(of: kind), "enrol:\(kind.id)") { model.change(.enrol(kind)) }
        }
      }
    }
    if overview.canDelete { button(words("account.delete.button"), "delete", .grave) { model.change(.deleteAccount) } }
  }

  private func list<Item>(_ title: WordKey, _ items: [Item]?, @HTMLBuilder _ line: (Item) -> HTML) -> HTML? {
    items.map { items in
      HTML("section", ["class": "list"]) {
        HTML("h2") { words(title) }
        HTML("ul") { HTML.joined(items.map(line)) }
      }
    }
  }

  /// - Parameter title: of its button; nil for none.
  private func line(
    _ name: String, _ detail: String?, _ title: String?, _ intent: String, _ act: @escaping @MainActor () -> Void
  ) -> HTML {
    HTML("li") {
      HTML("span") {
        HTML.foreign(name)
        if let detail { faint(" ", detail) }
      }
      if let title { button(title, intent, .quiet, act) }
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
      submit("code.submit.button") { typed in
        model.code = typed["code"]
        model.submit()
      }
      button(words("sign_up.back.button"), "account-back", .quiet) { model.goBack() }
    }
  }
}
