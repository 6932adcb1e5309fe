#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// The ways to sign in, as buttons.
public struct MethodListView: View {
  private let model: MethodListModel
  private let theme: SignInTheme

  /// Shows a list.
  public init(_ model: MethodListModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    FlowPage(model: model, theme: theme) {
      if case .ready(let methods, let last) = model.state {
        ForEach(methods, id: \.id) { method in
          theme.button(
            model.words.name(of: method), .method(method),
            remark: method == last ? model.words("methods.list.last_used") : nil
          ) {
            model.choose(method)
          }
        }
      } else {
        theme.slots.activity(model.activity)
      }
    }
  }
}
#endif
