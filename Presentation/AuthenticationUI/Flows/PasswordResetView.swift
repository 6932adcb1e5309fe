#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Lets a person choose another password.
public struct PasswordResetView: View {
  private let model: PasswordResetModel
  private let theme: SignInTheme
  private let signIn: @MainActor () -> Void

  /// Shows a reset.
  ///
  /// - Parameters:
  ///   - model: takes the reset from step to step.
  ///   - theme: colours and fonts.
  ///   - signIn: shows the form to sign in, afterwards.
  public init(_ model: PasswordResetModel, theme: SignInTheme = SignInTheme(), signIn: @escaping @MainActor () -> Void)
  {
    self.model = model
    self.theme = theme
    self.signIn = signIn
  }

  public var body: some View {
    FlowPage(model: model, theme: theme) {
      switch model.state {
      case .askingAccount(let form, _), .requesting(let form, _):
        FormView(
          model, form, text: Binding(get: { model.account }, set: { model.account = $0 }), theme: theme,
          button: model.words("reset.ask.button")
        ) {
          model.submit()
        }
      case .enteringCode(let entry, _), .verifying(let entry, _, _), .resending(let entry, _, _),
        .expired(let entry, _):
        CodeInput(
          entry, of: model, text: Binding(get: { model.code }, set: { model.code = $0 }), theme: theme
        ) {
          model.submit()
        }
        if model.secondsToResend != nil {
          Countdown(sentence: { model.words("code.resend.wait", .words(model.words.duration(.seconds($0)))) }) {
            model.secondsToResend
          }
          theme.button(model.words("code.resend.button")) { model.resend() }
        }
      case .editingNew(let entry, _, let account), .submitting(let entry, _, let account, _):
        HiddenUserName(name: account)
        NewPasswordInput(
          entry, of: model, text: Binding(get: { model.newPassword }, set: { model.newPassword = $0 }), theme: theme
        ) {
          model.submit()
        }
      case .sent: EmptyView()
      case .done: theme.button(model.words("reset.done.sign_in"), .submit, action: signIn)
      }
      theme.button(model.words("code.start_again.button"), .cancel) { model.startAgain() }
    }
  }
}
#endif
