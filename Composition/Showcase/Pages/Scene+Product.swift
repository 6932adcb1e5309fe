import AuthenticationAccountPresentation
import AuthenticationKit
import AuthenticationScreens
import AuthenticationTestingServers

/// The product's page: the screen that its models show, and the parts that only this product has.
extension Scene {
  var productRegion: HTML {
    let (screen, exits) = (product.screen(at: place), product.exits(at: place))
    return HTML("div", ["class": "screen", "data-clock": "\(backstage.clockOffset)"]) {
      if place == .home, product.offline.state != .online {
        form(["class": "banner"]) { parts(product.offline.screen.page(ScreenExits()), of: product.offline) }
      }
      drawing(of: screen.allParts(exits), by: screen.model, named: shown.heading)
      if asksForPasskey(screen.shown.model) { ceremony }
      if place == .account, product.account != nil { accountExtras }
      if place == .home {
        if case .signedIn(let session, _) = product.signIn.state { content(of: session) }
        if product.signIn.step != nil { HTML("p", ["class": "users", "lang": "en"]) { product.world.line.hint } }
      }
    }
  }

  /// The product's content, for a user who is signed in.
  private func content(of session: SessionModel) -> HTML {
    form {
      if let email = session.summary?.user.email { faint("", email) }
      HTML("div", ["class": "call", "lang": "en"]) {
        button("Call the API", "call", .main) { await product.callAPI() }
        if let call = product.call {
          HTML("p", ["id": "call", "class": call.isAnswered ? "answered" : "problem"]) { call.sentence }
        }
      }
      button(words("account.page.title"), "account") { product.enter(.account) }
    }
  }

  @HTMLBuilder private var accountExtras: HTML {
    if let error = product.passkeyFailure {
      HTML("p", ["id": "message", "role": "alert", "tabindex": "-1"]) { words.sentence(for: error) }
    }
    form { button(words("sign_up.back.button"), "home", .quiet) { product.leave(place) } }
  }

  private func asksForPasskey(_ model: FlowModel) -> Bool {
    if let model = model as? ExternalSignInModel { return model.method == .passkey }
    if let model = model as? AccountModel, case .next = model.state { return true }
    return false
  }

  /// The request to the browser; the page's script asks, and sends the answer.
  private var ceremony: HTML? {
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
    }
  }
}
