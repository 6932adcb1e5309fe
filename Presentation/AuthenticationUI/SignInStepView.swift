#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// The step of a sign-in that is on the screen.
public struct SignInStepView: View {
  private let step: SignInStep
  private let theme: SignInTheme
  private let passkey: PasskeyModel?
  private let signUp: (@MainActor () -> Void)?
  private let forgot: (@MainActor () -> Void)?

  /// Shows a step.
  ///
  /// - Parameters:
  ///   - step: what is on the screen.
  ///   - theme: colours and fonts.
  ///   - passkey: offered among the suggestions of a form; nil offers none.
  ///   - signUp: shows the form for a new account; nil offers none.
  ///   - forgot: shows the reset of a password; nil offers none.
  public init(
    _ step: SignInStep, theme: SignInTheme = SignInTheme(), passkey: PasskeyModel? = nil,
    signUp: (@MainActor () -> Void)? = nil, forgot: (@MainActor () -> Void)? = nil
  ) {
    self.step = step
    self.theme = theme
    self.passkey = passkey
    self.signUp = signUp
    self.forgot = forgot
  }

  public var body: some View {
    switch step {
    case .methods(let model): MethodListView(model, theme: theme)
    case .form(let model): SignInFormView(model, theme: theme, passkey: passkey, forgot: forgot, signUp: signUp)
    case .link(let model): EmailLinkView(model, theme: theme)
    case .device(let model): DeviceCodeView(model, theme: theme)
    case .browser(let model): BrowserView(model, theme: theme)
    case .passkey(let model): PasskeyView(model, theme: theme)
    case .signUp(let model): SignUpView(model, theme: theme, reset: forgot)
    case .code(let model): CodeEntryView(model, theme: theme)
    case .factors(let model): ChallengePickerView(model, theme: theme)
    case .newPassword(let model): NewPasswordView(model, theme: theme)
    case .other: EmptyView()
    }
  }
}
#endif
