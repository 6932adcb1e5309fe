#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Tells that the store is locked.
public struct LockedStoreView: View {
  private let model: LockedStoreModel
  private let theme: SignInTheme

  /// Shows a store.
  public init(_ model: LockedStoreModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    FlowPage(model: model, theme: theme) {
      theme.button(model.words("locked.store.retry"), .submit) { model.retry() }
    }
  }
}
#endif
