#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
import AuthenticationScreens
public import SwiftUI

/// The step of a sign-in that is on the screen.
public struct SignInStepView: View {
  private let step: SignInStep
  private let theme: SignInTheme
  private let passkey: ExternalSignInModel?
  private let exits: ScreenExits

  /// Shows a step.
  ///
  /// - Parameters:
  ///   - step: the step on the screen.
  ///   - theme: colours and fonts.
  ///   - passkey: offered among the suggestions of a form; nil offers none.
  ///   - signIn: shows the form to sign in, where a new account exists already; nil offers none.
  ///   - signUp: shows the form for a new account; nil offers none.
  ///   - forgot: shows the reset of a password; nil offers none.
  ///   - back: shows the screen before it, such as the list of methods; nil offers none.
  public init(
    _ step: SignInStep, theme: SignInTheme = SignInTheme(), passkey: ExternalSignInModel? = nil,
    signIn: (@MainActor () -> Void)? = nil, signUp: (@MainActor () -> Void)? = nil,
    forgot: (@MainActor () -> Void)? = nil, back: (@MainActor () -> Void)? = nil
  ) {
    self.step = step
    self.theme = theme
    self.passkey = passkey
    exits = ScreenExits(signIn: signIn, signUp: signUp, forgot: forgot, back: back)
  }

  public var body: some View {
    if let screen = step.screen {
      ScreenView(screen, exits: exits, theme: theme).task(id: ObjectIdentifier(screen.model)) {
        if case .form(let form) = step, !form.createsAccount, form.method != .emailLink { passkey?.offer() }
      }
    }
  }
}
#endif
