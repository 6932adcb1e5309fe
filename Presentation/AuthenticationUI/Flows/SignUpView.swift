#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// A form for a new account, then its confirmation.
public struct SignUpView: View {
  private let model: SignUpModel
  private let theme: SignInTheme
  private let signIn: (@MainActor () -> Void)?
  private let reset: (@MainActor () -> Void)?

  /// Shows a sign-up.
  ///
  /// - Parameters:
  ///   - model: holds what was typed.
  ///   - theme: colours and fonts.
  ///   - signIn: shows the form to sign in, where there is an account already; nil offers none.
  ///   - reset: shows the reset of its password; nil offers none.
  public init(
    _ model: SignUpModel, theme: SignInTheme = SignInTheme(), signIn: (@MainActor () -> Void)? = nil,
    reset: (@MainActor () -> Void)? = nil
  ) {
    self.model = model
    self.theme = theme
    self.signIn = signIn
    self.reset = reset
  }

  public var body: some View {
    switch model.state {
    case .confirming(let code): CodeEntryView(code, theme: theme)
    case .waiting(let link): EmailLinkView(link, theme: theme)
    case .alreadyExists:
      FlowPage(model: model, theme: theme) {
        if let signIn { theme.button(model.words("sign_up.exists.sign_in"), .submit, action: signIn) }
        if let reset { theme.button(model.words("sign_up.exists.reset"), action: reset) }
        theme.button(model.words("sign_up.back.button"), .cancel) { model.goBack() }
      }
    case .editing, .submitting, .next, .done:
      FlowPage(model: model, theme: theme) {
        if let form = model.form {
          FormView(model, form, theme: theme, button: model.words("sign_up.submit.button"), isNew: true)
        }
      }
    }
  }
}
#endif
