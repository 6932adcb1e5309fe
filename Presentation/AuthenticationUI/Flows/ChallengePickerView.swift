#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Lets a person choose among factors.
public struct ChallengePickerView: View {
  private let model: ChallengePickerModel
  private let theme: SignInTheme

  /// Shows a choice.
  public init(_ model: ChallengePickerModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    FlowPage(model: model, theme: theme) {
      switch model.state {
      case .choosing(let factors, _), .preparing(_, let factors):
        ForEach(factors) { factor in
          theme.button(model.words.name(of: factor)) { model.choose(factor) }
        }
      case .asking, .ended: EmptyView()
      }
      if model.canGoBack { theme.button(model.words("factors.back.button"), .cancel) { model.goBack() } }
    }
  }
}
#endif
