#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Asks for an address, and waits for the link that went there.
public struct EmailLinkView: View {
  private let model: EmailLinkModel
  private let theme: SignInTheme

  /// Shows a sign-in by a link.
  public init(_ model: EmailLinkModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    FlowPage(model: model, title: title, theme: theme) {
      if let form = model.form {
        FormView(
          form: form, binding: { _ in Binding(get: { model.email }, set: { model.email = $0 }) }, words: model.words,
          theme: theme, focus: model.focus, button: model.words("link.ask.button")
        ) {
          model.submit()
        }
      } else {
        if case .waiting(let wait) = model.state {
          if wait.isRestored { Text(model.words("link.waiting.restored")) }
          if let destination = wait.destination { Text(model.words("link.waiting.sent", .text(destination))) }
        }
        Countdown(sentence: { model.words("link.resend.wait", .words(model.words.duration(.seconds($0)))) }) {
          model.secondsToResend
        }
        Button(model.words("link.resend.button")) { model.resend() }
        Button(model.words("code.start_again.button")) { model.startAgain() }
      }
    }
  }

  private var title: String {
    switch model.state {
    case .openedElsewhere, .proving: model.words("link.elsewhere.title")
    case .expired: model.words("link.expired.title")
    case .waiting, .verifying, .resending: model.words("link.waiting.title")
    case .askingEmail, .sending, .next, .done: model.words("link.ask.title")
    }
  }
}
#endif
