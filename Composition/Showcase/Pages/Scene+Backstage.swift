import AuthenticationTestingServers
import AuthCTLCommands

/// The way of the data, its stored part, the requests at the servers, and the switches for all of it.
extension Scene {
  @HTMLBuilder var backstageRegion: HTML {
    HTML("h2", ["id": "backstage-heading"]) { "Backstage" }
    trail
    HTML("div", ["class": "pair"]) {
      sessionCard
      requests
    }
    switches
  }

  private var trail: HTML {
    let steps = backstage.trail.entries
    return HTML("div", ["class": "trail"]) {
      HTML("ol", ["id": "trail"]) {
        for station in Backstage.Station.allCases {
          let index = steps.lastIndex { $0.station == station }
          let number = index.map { "\($0 + 1)" }
          HTML("li", ["data-station": station.rawValue, "data-number": number, "class": number.map { _ in "lit" }]) {
            HTML("span", ["class": "dot", "aria-hidden": "true"])
            HTML("strong") { station.name }
            HTML("span", ["class": "what"]) { index.map { steps[$0].title } ?? "–" }
          }
        }
      }
      if !steps.isEmpty {
        HTML("details") {
          HTML("summary") { steps.count.counted("step") }
          HTML("ol", ["class": "steps"]) {
            for step in steps.suffix(24) {
              let times = step.count > 1 ? "× \(step.count)" : ""
              let detail = [step.detail, times].filter { !$0.isEmpty }.joined(separator: " ")
              HTML("li") {
                HTML("span", ["class": "faint"]) { step.station.name }
                " "
                HTML.foreign(step.title)
                if !detail.isEmpty { faint(" ", detail) }
              }
            }
          }
        }
      }
    }
  }

  private var requests: HTML {
    HTML("section", ["id": "requests", "class": "panel"]) {
      HTML("h3") { "Requests the server received" }
      if backstage.requests.entries.isEmpty {
        text("None yet.", "faint")
      } else {
        HTML("ol") {
          for request in backstage.requests.entries.suffix(8).reversed() {
            HTML("li") {
              HTML("span", ["class": "verb"]) { request.method }
              " "
              HTML("span", ["class": "path"]) { HTML.foreign(request.path) }
              if request.count > 1 { HTML("span", ["class": "count"]) { "× \(request.count)" } }
              if let status = request.status { HTML("span", ["class": "status"]) { "\(status)" } }
            }
          }
        }
      }
    }
  }

  private var switches: HTML {
    HTML("section", ["class": "panel"]) {
      HTML("h3") { "What if …" }
      form(["id": "switches"]) {
        for step in ShowcaseEvent.all {
          let isOn = backstage.switches[step.id].map { "\($0)" }
          button("switch:\(step.id)", .switch, with: ["aria-pressed": isOn]) {
            HTML("strong") { step.title }
            HTML("span") { step.sentence }
          }
        }
      }
    }
  }

  // MARK: The messages of the providers, in place of a user's phone and mailbox.

  @HTMLBuilder var mailboxRegion: HTML {
    HTML("h2", ["id": "mailbox-heading"]) { "Mailbox and phone" }
    if backstage.mailbox.isEmpty {
      text("Codes and links that the product's provider sends arrive here.", "faint")
    } else {
      HTML("ol", ["class": "messages"]) {
        for message in backstage.mailbox.suffix(3).reversed() {
          HTML("li", ["class": "message", "data-type": message.type]) {
            faint("To ", message.address)
            if let code = message.code { HTML("span", ["class": "code"]) { code } }
            if message.link != nil { form { button("Open the link", "open:\(message.number)", .link) } }
          }
        }
      }
    }
  }

  /// The stored part of the session; of the tokens no more than that they differ.
  var sessionCard: HTML {
    HTML("section", ["id": "session-card", "class": "panel"]) {
      HTML("h3") { "Session" }
      if let card = backstage.session {
        HTML("dl") {
          row("User", HTML.foreign(card.user))
          row("Access token", HTML("code") { card.accessToken })
          if let refresh = card.refreshToken { row("Refresh token", HTML("code") { refresh }) }
          row("State", HTML(text: card.freshness))
          row("Kept in", HTML(text: card.storage))
        }
        if let seconds = card.secondsLeft { lifetime(seconds, of: card.lifetime) }
      } else {
        text("No user is signed in: there is no token to keep.", "faint")
      }
      if backstage.clockOffset > 0 { text("The clock is \(Self.clock(backstage.clockOffset)) ahead.", "faint") }
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
