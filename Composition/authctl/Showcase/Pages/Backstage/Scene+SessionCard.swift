import AuthenticationTestingServers

extension Scene {
  /// What is stored of the session; of the tokens no more than that they differ.
  var sessionCard: HTML {
    HTML("section", ["id": "session-card", "class": "panel"]) {
      HTML("h3") { "Session" }
      if let card = backstage.session {
        HTML("dl") {
          row("Person", HTML.foreign(card.user))
          row("Access token", HTML("code") { card.accessToken })
          if let refresh = card.refreshToken { row("Refresh token", HTML("code") { refresh }) }
          row("State", HTML(text: card.freshness))
          row("Kept in", HTML(text: card.storage))
        }
        if let seconds = card.secondsLeft { lifetime(seconds, of: card.lifetime) }
      } else {
        HTML("p", ["class": "faint"]) { "Nobody is signed in: there is no token to keep." }
      }
      if backstage.clockOffset > 0 {
        HTML("p", ["class": "faint"]) { "The clock is \(Self.clock(backstage.clockOffset)) ahead." }
      }
    }
  }

  private func lifetime(_ seconds: Int, of lifetime: Int?) -> HTML {
    let left = seal.drawsSeconds ? max(seconds, 0) : 0
    return HTML("div", ["class": "lifetime"]) {
      HTML(
        "progress",
        ["max": "\(lifetime ?? max(seconds, 1))", "value": "\(left)", "aria-label": "Lifetime of the access token"])
      HTML("p", ["class": "faint"]) {
        "Expires in "
        HTML("span", ["class": "clock", "data-left": "\(left)"]) { Self.clock(left) }
      }
    }
  }

  private func row(_ name: String, _ value: HTML) -> HTML {
    HTML("div") {
      HTML("dt") { name }
      HTML("dd") { value }
    }
  }
}
