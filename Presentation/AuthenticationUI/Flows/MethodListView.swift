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
    FlowPage(model: model, title: model.words("methods.list.title"), theme: theme) {
      if case .ready(let methods, let last) = model.state {
        ForEach(methods, id: \.id) { method in
          Button {
            model.choose(method)
          } label: {
            VStack {
              Text(model.words.name(of: method))
              if method == last { Text(model.words("methods.list.last_used")).font(.caption) }
            }
            .frame(maxWidth: .infinity, minHeight: 44)
          }
          .buttonStyle(.bordered)
        }
      } else {
        ProgressView()
      }
    }
  }
}
#endif
