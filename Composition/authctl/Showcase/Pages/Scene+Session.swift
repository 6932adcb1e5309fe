import AuthenticationTestingServers
import AuthenticationKit

/// What a person sees who is signed in.
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
