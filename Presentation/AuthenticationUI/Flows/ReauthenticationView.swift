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
      FlowPage(model: model, title: model.words("reauthentication.ask.title"), theme: theme) {
        Text(model.words("reauthentication.ask.explanation"))
        switch model.state {
        case .required(_, let methods, _):
          ForEach(methods, id: \.id) { method in
            Button(model.words.name(of: method)) { model.prove(with: method) }.buttonStyle(.bordered)
          }
        case .askingPassword(let form, _, _):
          FormView(
            form: form, binding: { _ in Binding(get: { model.password }, set: { model.password = $0 }) },
            words: model.words, theme: theme, focus: model.focus,
            button: model.words("reauthentication.submit.button")
          ) {
            model.submit()
          }
        case .askingCode(let entry):
          CodeInput(
            entry: entry, text: Binding(get: { model.code }, set: { model.code = $0 }), words: model.words,
            focus: model.focus
          ) {
            model.submit()
          }
        case .checking, .resuming, .proving: ProgressView()
        case .done, .failed, .declined: EmptyView()
        }
        Button(model.words("reauthentication.decline.button")) { model.decline() }
      }
    }
  }
}
#endif
