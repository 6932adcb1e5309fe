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
      FlowPage(model: model, title: title, theme: theme) {
        if case .conflict(let methods, _) = model.state {
          Text(model.words("conflict.ask.explanation"))
          ForEach(methods, id: \.id) { method in
            Button(model.words.name(of: method)) { model.prove(with: method) }.buttonStyle(.bordered)
          }
          Button(model.words("conflict.decline.button")) { model.decline() }
        }
      }
    }
  }

  private var title: String {
    switch model.state {
    case .linked: model.words("conflict.linked.title")
    case .expired: model.words("conflict.expired.title")
    default: model.words("conflict.ask.title")
    }
  }
}
#endif
