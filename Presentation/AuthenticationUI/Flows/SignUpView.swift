#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// A form for a new account, then its confirmation.
public struct SignUpView: View {
  private let model: SignUpModel
  private let theme: SignInTheme
  private let signIn: (@MainActor () -> Void)?

  /// Shows a sign-up.
  ///
  /// - Parameters:
  ///   - model: holds what was typed.
  ///   - theme: colours and fonts.
  ///   - signIn: shows the form to sign in, where there is an account already; nil offers none.
  public init(_ model: SignUpModel, theme: SignInTheme = SignInTheme(), signIn: (@MainActor () -> Void)? = nil) {
    self.model = model
    self.theme = theme
    self.signIn = signIn
  }

  public var body: some View {
    switch model.state {
    case .confirming(let code): CodeEntryView(code, theme: theme)
    case .waiting(let link): EmailLinkView(link, theme: theme)
    case .alreadyExists:
      FlowPage(model: model, title: model.words("sign_up.exists.title"), theme: theme) {
        if let signIn { Button(model.words("sign_up.exists.sign_in"), action: signIn) }
        Button(model.words("sign_up.back.button")) { model.goBack() }
      }
    case .editing, .submitting, .next, .done:
      FlowPage(model: model, title: model.words("sign_up.form.title"), theme: theme) {
        if let form = model.form {
          FormView(
            form: form, binding: { need in Binding(get: { model[need] }, set: { model[need] = $0 }) },
            words: model.words, theme: theme, focus: model.focus, button: model.words("sign_up.submit.button"),
            isNew: true
          ) {
            model.submit()
          }
        }
      }
    }
  }
}
#endif
