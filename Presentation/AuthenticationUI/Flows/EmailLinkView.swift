#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Asks for an address, and waits for the link that went there.
public struct EmailLinkView: View {
  private let model: EmailLinkModel
  private let theme: SignInTheme
  @Environment(\.openURL) private var openURL

  /// Shows a sign-in by a link.
  public init(_ model: EmailLinkModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    FlowPage(model: model, theme: theme) {
      if let form = model.form {
        FormView(model, form, theme: theme, button: model.words("link.ask.button"))
      } else {
        if case .waiting(let wait) = model.state {
          if wait.isRestored { theme.slots.text(model.words("link.waiting.restored")) }
          if let destination = wait.destination {
            theme.slots.text(model.words("link.waiting.sent", .text(destination)))
          }
          #if os(iOS)
          if let mail = URL(string: "message://") {
            theme.button(model.words("link.waiting.open_mail"), .submit) { openURL(mail) }
          }
          #endif
        }
        if model.isWorking { theme.slots.activity(model.activity) }
        if model.secondsToResend != nil {
          Countdown(sentence: { model.words("link.resend.wait", .words(model.words.duration(.seconds($0)))) }) {
            model.secondsToResend
          }
          theme.button(model.words("link.resend.button")) { model.resend() }
        }
        theme.button(model.words("code.start_again.button"), .cancel) { model.startAgain() }
      }
    }
  }
}
#endif
