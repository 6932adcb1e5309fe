#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// A form to sign in with.
public struct SignInFormView: View {
  private let model: SignInFormModel
  private let theme: SignInTheme
  private let forgot: (@MainActor () -> Void)?
  private let signUp: (@MainActor () -> Void)?

  /// Shows a form.
  ///
  /// - Parameters:
  ///   - model: holds what was typed.
  ///   - theme: colours and fonts.
  ///   - forgot: shows the reset of a password; nil offers none.
  ///   - signUp: shows the form for a new account; nil offers none.
  public init(
    _ model: SignInFormModel, theme: SignInTheme = SignInTheme(), forgot: (@MainActor () -> Void)? = nil,
    signUp: (@MainActor () -> Void)? = nil
  ) {
    self.model = model
    self.theme = theme
    self.forgot = forgot
    self.signUp = signUp
  }

  public var body: some View {
    FlowPage(model: model, title: model.words("form.sign_in.title"), theme: theme) {
      if case .lockedOut = model.state {
        Text(model.words("form.locked_out.title"))
        Countdown(sentence: { model.words("form.locked_out.left", .words(model.words.duration(.seconds($0)))) }) {
          model.secondsLeft
        }
      } else if let form = model.form {
        FormView(
          form: form, binding: { need in Binding(get: { model[need] }, set: { model[need] = $0 }) },
          words: model.words, theme: theme, focus: model.focus, button: model.words("form.submit.button"),
          isWorking: model.isWorking
        ) {
          model.submit()
        }
        if model.isWorking { Button(model.words("form.cancel.button")) { model.cancel() } }
      }
      if let forgot { Button(model.words("form.forgot.button"), action: forgot) }
      if let signUp { Button(model.words("form.sign_up.button"), action: signUp) }
    }
  }
}
#endif
