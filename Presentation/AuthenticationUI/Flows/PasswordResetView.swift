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
    FlowPage(model: model, title: title, theme: theme) {
      switch model.state {
      case .askingAccount(let form, _), .requesting(let form, _):
        FormView(
          form: form, binding: { _ in Binding(get: { model.account }, set: { model.account = $0 }) },
          words: model.words, theme: theme, focus: model.focus, button: model.words("reset.ask.button")
        ) {
          model.submit()
        }
      case .enteringCode(let entry, _), .verifying(let entry, _, _), .resending(let entry, _, _),
        .expired(let entry, _):
        CodeInput(
          entry: entry, text: Binding(get: { model.code }, set: { model.code = $0 }), words: model.words,
          focus: model.focus
        ) {
          model.submit()
        }
        Button(model.words("code.resend.button")) { model.resend() }
      case .editingNew(let entry, _, _), .submitting(let entry, _, _, _):
        NewPasswordInput(
          entry: entry, text: Binding(get: { model.newPassword }, set: { model.newPassword = $0 }),
          words: model.words, theme: theme, focus: model.focus
        ) {
          model.submit()
        }
      case .sent: EmptyView()
      case .done: SubmitButton(title: model.words("reset.done.sign_in"), action: signIn)
      }
      Button(model.words("code.start_again.button")) { model.startAgain() }
    }
  }

  private var title: String {
    switch model.state {
    case .sent(let account): model.words("reset.sent.title", .text(account))
    case .expired: model.words("code.expired.title")
    case .done: model.words("reset.done.title")
    default: model.words("reset.ask.title")
    }
  }
}
#endif
