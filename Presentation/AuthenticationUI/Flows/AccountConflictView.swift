#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Links what a person presented to the account that they have.
public struct AccountConflictView: View {
  private let model: AccountConflictModel
  private let theme: SignInTheme

  /// Shows a conflict.
  public init(_ model: AccountConflictModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    if case .proving(let step, _) = model.state {
      SignInStepView(step, theme: theme)
    } else {
      FlowPage(model: model, theme: theme) {
        if case .conflict(let methods, _) = model.state {
          theme.slots.text(model.words("conflict.ask.explanation"))
          ForEach(methods, id: \.id) { method in
            theme.button(model.words.name(of: method), .method(method)) { model.prove(with: method) }
          }
          theme.button(model.words("conflict.decline.button"), .cancel) { model.decline() }
        } else if case .linking = model.state {
          theme.slots.activity(model.activity)
        }
      }
    }
  }
}
#endif
