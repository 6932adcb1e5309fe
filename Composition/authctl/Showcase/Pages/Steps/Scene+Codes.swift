import AuthenticationTestingServers
import AuthenticationKit

/// Steps that wait for a code or a link.
extension Scene {
  func codePage(_ model: CodeEntryModel) -> HTML {
    HTML.joined([
      heading(title(of: model), model.focus), message(of: model) ?? .empty,
      form {
        switch model.state {
        case .editing(let entry):
          codeField(entry, focus: model.focus)
          button(words("code.submit.button"), "submit", .main)
        case .verifying: working(words("code.submit.working"))
        case .sending: working(words("code.resend.working"))
        case .spent:
          text(words("error.too_many_attempts"))
          countdown(model.secondsToRetry) { words("form.locked_out.left", $0) }
        case .expired, .next, .done, .ended: HTML.empty
        }
        resending(
          words("code.resend.button"), seconds: model.secondsToResend, key: "code.resend.wait",
          isMain: { if case .expired = model.state { true } else { false } }())
        lifetime(model.secondsLeft)
        if model.canChooseAnother { button(words("code.other.button"), "other", .quiet) }
        button(words("code.start_again.button"), "start-again", .quiet)
      },
    ])
  }

  func linkPage(_ model: EmailLinkModel) -> HTML {
    HTML.joined([
      heading(title(of: model), model.focus, hasFields: model.form != nil), message(of: model) ?? .empty,
      form {
        switch model.state {
        case .askingEmail(let entries, _), .openedElsewhere(let entries, _, _):
          fields(of: entries, focus: model.focus)
          button(words("link.ask.button"), "submit", .main)
        case .sending, .resending, .verifying, .proving: working(words("form.submit.working"))
        case .waiting(let wait):
          if wait.isRestored { text(words("link.waiting.restored"), "hint") }
          if let destination = wait.destination { text(words("link.waiting.sent", .text(destination)), "lead") }
        case .expired, .next, .done: HTML.empty
        }
        resending(
          words("link.resend.button"), seconds: model.secondsToResend, key: "link.resend.wait",
          isMain: { if case .expired = model.state { true } else { false } }())
        button(words("code.start_again.button"), "start-again", .quiet)
      },
    ])
  }

  /// A button that is shown once it may be pressed.
  func resending(_ title: String, seconds: Int?, key: WordKey, isMain: Bool) -> HTML? {
    guard let seconds else { return nil }
    return HTML("div", ["class": "resend"]) {
      countdown(seconds, then: "resend") { words(key, $0) }
      HTML(
        "button",
        [
          "id": "resend", "name": "intent", "value": "resend", "class": isMain ? "main" : "plain",
          "hidden": seconds > 0 ? "" : nil,
        ]
      ) { title }
    }
  }

  private func lifetime(_ seconds: Int?) -> HTML? {
    countdown(seconds) { words("device.showing.left", $0) }
  }
}
