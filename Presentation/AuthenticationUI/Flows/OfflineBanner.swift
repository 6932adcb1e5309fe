#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
import AuthenticationScreens
public import SwiftUI

/// Tells that the user is offline, and nothing while they are not.
public struct OfflineBanner: View {
  private let model: OfflineModel
  private let theme: SignInTheme

  /// Shows a connection.
  public init(_ model: OfflineModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    if model.state != .online {
      AdaptiveRow {
        ForEach(model.screen.page(ScreenExits())) { PartView(part: $0, words: model.words, theme: theme) }
      }
      .background(Announcer { model.announcement })
    }
  }
}
#endif
