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
    FlowPage(model: model, title: model.words("session.card.title"), theme: theme) {
      if let summary = model.summary {
        Text(summary.user.name ?? summary.user.email ?? summary.user.id)
        if let provider = model.provider { Text(provider) }
        if summary.isStale { Text(model.words("session.card.stale")) }
        if summary.unsaved != nil { Text(model.words("session.card.unsaved")) }
      }
      switch model.state {
      case .confirming:
        Text(model.words("session.loss.explanation"))
        Button(model.words("session.loss.keep")) { model.keep() }
        Button(model.words("session.loss.confirm"), role: .destructive) { model.confirm() }
      case .signedOut: Text(model.words("session.signed_out.title"))
      case .unknown, .shown, .signingOut:
        SubmitButton(title: model.words("session.sign_out.button"), isWorking: model.isWorking) { model.signOut() }
        if model.canSignOutEverywhere {
          Button(model.words("session.sign_out.everywhere")) { model.signOut(everywhere: true) }
        }
      }
    }
  }
}

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
    FlowPage(model: model, title: model.words("locked.store.title"), theme: theme) {
      SubmitButton(title: model.words("locked.store.retry")) { model.retry() }
    }
  }
}

/// Tells that the person is offline, and nothing while they are not.
public struct OfflineBanner: View {
  private let model: OfflineModel

  /// Shows a connection.
  public init(_ model: OfflineModel) { self.model = model }

  public var body: some View {
    if case .online = model.state {
      EmptyView()
    } else {
      HStack {
        Text(model.words("offline.banner.title"))
        Button(model.words("offline.banner.retry")) { model.retry() }
      }
    }
  }
}
#endif
