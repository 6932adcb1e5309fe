#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Asks for a new password, with its rules beside it.
public struct NewPasswordView: View {
  private let model: NewPasswordModel
  private let theme: SignInTheme

  /// Asks for the password of a model.
  public init(_ model: NewPasswordModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    FlowPage(model: model, theme: theme) {
      if case .editing(let entry) = model.state {
        NewPasswordInput(
          entry, of: model, text: Binding(get: { model.password }, set: { model.password = $0 }), theme: theme
        ) {
          model.submit()
        }
      } else {
        theme.slots.activity(model.activity)
      }
    }
  }
}
#endif
