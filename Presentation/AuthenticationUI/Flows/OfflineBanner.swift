#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Tells that the person is offline, and nothing while they are not.
public struct OfflineBanner: View {
  private let model: OfflineModel
  private let theme: SignInTheme

  /// Shows a connection.
  public init(_ model: OfflineModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    if case .online = model.state {
      EmptyView()
    } else {
      AdaptiveRow {
        theme.slots.text(model.title)
        theme.button(model.words("offline.banner.retry")) { model.retry() }
      }
      .background(Announcer(model: model))
    }
  }
}
#endif
