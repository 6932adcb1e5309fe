#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Shows a session, and signs out.
public struct SessionView: View {
  private let model: SessionModel
  private let theme: SignInTheme

  /// Shows the session of a model.
  public init(_ model: SessionModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View { FlowView(model, theme: theme) }
}

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
        ForEach(model.page(ScreenExits())) { PartView(part: $0, words: model.words, theme: theme) }
      }
      .background(Announcer { model.announcement })
    }
  }
}
#endif
