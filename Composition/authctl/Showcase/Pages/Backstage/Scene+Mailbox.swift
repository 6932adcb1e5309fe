import AuthenticationTestingServers

/// What the providers have sent, in place of a person's phone and mailbox.
extension Scene {
  var mailboxRegion: HTML {
    HTML.joined([
      HTML("h2", ["id": "mailbox-heading"]) { "Mailbox and phone" },
      backstage.mailbox.isEmpty
        ? HTML("p", ["class": "faint"]) { "Codes and links that the product's provider sends arrive here." }
        : HTML("ol", ["class": "messages"]) {
          for message in backstage.mailbox.suffix(3).reversed() { row(message) }
        },
    ])
  }

  private func row(_ message: Backstage.Message) -> HTML {
    HTML("li", ["class": "message", "data-type": message.type]) {
      HTML("span", ["class": "faint"]) {
        "To "
        HTML.foreign(message.address)
      }
      if let code = message.code { HTML("span", ["class": "code"]) { code } }
      if message.hasLink {
        form {
          HTML("button", ["name": "intent", "value": "open:\(message.number)", "class": "link"]) { "Open the link" }
        }
      }
    }
  }
}
