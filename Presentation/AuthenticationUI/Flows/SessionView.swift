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

  public var body: some View {
    FlowPage(model: model, theme: theme) {
      switch model.state {
      case .confirming:
        theme.button(model.words("session.loss.keep"), .cancel) { model.keep() }
        theme.button(model.words("session.loss.confirm"), .destructive) { model.confirm() }
      case .signedOut:
        if model.canRetrySignOut {
          theme.button(model.words("session.sign_out.retry"), .submit) { model.signOut() }
        }
      case .unknown, .shown, .signingOut:
        if let summary = model.summary { card(summary) }
        theme.button(model.words("session.sign_out.button"), .submit, activity: model.activity) { model.signOut() }
        if model.canSignOutEverywhere {
          theme.button(model.words("session.sign_out.everywhere")) { model.signOut(scope: .everywhere) }
        }
      }
    }
  }

  /// What is known of a session.
  private func card(_ summary: SessionSummary) -> some View {
    VStack(alignment: .leading, spacing: 4) {
      theme.text(summary.user.name ?? summary.user.email ?? summary.user.id)
      if let provider = model.provider { theme.text(provider) }
      TimelineView(.periodic(from: .now, by: 1)) { _ in
        if let sentence = model.expirySentence {
          theme.text(sentence).accessibilityAddTraits(.updatesFrequently)
        }
      }
    }
  }
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
        theme.text(model.title)
        theme.button(model.words("offline.banner.retry")) { model.retry() }
      }
      .background(Announcer { model.announcement })
    }
  }
}
#endif
