#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Asks for a passkey.
public struct PasskeyView: View {
  private let model: PasskeyModel
  private let theme: SignInTheme

  /// Shows a sign-in with a passkey.
  public init(_ model: PasskeyModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    FlowPage(model: model, theme: theme) {
      theme.button(model.words("passkey.prompt.button"), .submit) { model.prompt() }
    }
  }
}
#endif
