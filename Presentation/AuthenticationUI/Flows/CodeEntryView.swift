#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Asks for a code, in one field.
public struct CodeEntryView: View {
  private let model: CodeEntryModel
  private let theme: SignInTheme

  /// Asks for the code of a model.
  public init(_ model: CodeEntryModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    FlowPage(model: model, theme: theme) {
      if let entry = model.entry {
        CodeInput(
          entry, of: model, explanations: model.explanations,
          text: Binding(get: { model.code }, set: { model.code = $0 }), theme: theme
        ) {
          model.submit()
        }
        if model.secondsToResend != nil {
          Countdown(sentence: { model.words("code.resend.wait", .words(model.words.duration(.seconds($0)))) }) {
            model.secondsToResend
          }
          theme.button(model.words("code.resend.button")) { model.resend() }
        }
        if model.canChooseAnother { theme.button(model.words("code.other.button")) { model.chooseAnother() } }
      } else if case .spent = model.state {
        Countdown(sentence: { model.words("form.locked_out.left", .words(model.words.duration(.seconds($0)))) }) {
          model.secondsToRetry
        }
      }
      theme.button(model.words("code.start_again.button"), .cancel) { model.startAgain() }
    }
  }
}
#endif
