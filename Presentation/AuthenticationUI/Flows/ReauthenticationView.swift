#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Has a person show again who they are.
public struct ReauthenticationView: View {
  private let model: ReauthenticationModel
  private let theme: SignInTheme

  /// Shows a proof.
  public init(_ model: ReauthenticationModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    if case .proving(let step) = model.state {
      SignInStepView(step, theme: theme)
    } else {
      FlowPage(model: model, theme: theme) {
        theme.slots.text(model.words("reauthentication.ask.explanation"))
        switch model.state {
        case .required(_, let methods, _):
          ForEach(methods, id: \.id) { method in
            theme.button(model.words.name(of: method), .method(method)) { model.prove(with: method) }
          }
        case .askingPassword(let form, _, _):
          FormView(
            model, form, text: Binding(get: { model.password }, set: { model.password = $0 }), theme: theme,
            button: model.words("reauthentication.submit.button")
          ) {
            model.submit()
          }
        case .askingCode(let entry):
          CodeInput(
            entry, of: model, text: Binding(get: { model.code }, set: { model.code = $0 }), theme: theme
          ) {
            model.submit()
          }
        case .checking, .resuming, .proving: theme.slots.activity(model.activity)
        case .done, .failed, .declined: EmptyView()
        }
        theme.button(model.words("reauthentication.decline.button"), .cancel) { model.decline() }
      }
    }
  }
}
#endif
