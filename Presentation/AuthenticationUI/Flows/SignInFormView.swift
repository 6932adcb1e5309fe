#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// A form to sign in with.
public struct SignInFormView: View {
  private let model: SignInFormModel
  private let theme: SignInTheme
  private let passkey: PasskeyModel?
  private let forgot: (@MainActor () -> Void)?
  private let signUp: (@MainActor () -> Void)?

  /// Shows a form.
  ///
  /// - Parameters:
  ///   - model: holds what was typed.
  ///   - theme: colours and fonts.
  ///   - passkey: offered among the suggestions of the user name; nil offers none.
  ///   - forgot: shows the reset of a password; nil offers none.
  ///   - signUp: shows the form for a new account; nil offers none.
  public init(
    _ model: SignInFormModel, theme: SignInTheme = SignInTheme(), passkey: PasskeyModel? = nil,
    forgot: (@MainActor () -> Void)? = nil, signUp: (@MainActor () -> Void)? = nil
  ) {
    self.model = model
    self.theme = theme
    self.passkey = passkey
    self.forgot = forgot
    self.signUp = signUp
  }

  public var body: some View {
    FlowPage(model: model, theme: theme) {
      if case .lockedOut = model.state {
        Countdown(sentence: { model.words("form.locked_out.left", .words(model.words.duration(.seconds($0)))) }) {
          model.secondsLeft
        }
      } else if let form = model.form {
        FormView(model, form, theme: theme, button: model.words("form.submit.button"))
        if model.isWorking { theme.button(model.words("form.cancel.button"), .cancel) { model.cancel() } }
      }
      if let forgot { theme.button(model.words("form.forgot.button"), action: forgot) }
      if let signUp { theme.button(model.words("form.sign_up.button"), action: signUp) }
    }
    .task { passkey?.offer() }
  }
}
#endif
