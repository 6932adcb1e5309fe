#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Signs a person in, and shows the app's content while somebody is signed in. It closes no screen.
///
/// ```swift
/// SignInView(root.makeViewModel()) { session in ContentView(session) }
/// ```
public struct SignInView<Content: View, Step: View>: View {
  @State private var model: AuthenticationViewModel
  private let theme: SignInTheme
  private let content: (SessionModel) -> Content
  private let step: (AuthenticationViewModel, SignInStep) -> Step

  /// Shows steps of your own.
  ///
  /// - Parameters:
  ///   - model: the sign-in.
  ///   - theme: colours and fonts.
  ///   - content: what is shown while somebody is signed in.
  ///   - step: shows a step, or passes it on to ``SignInStepView``.
  public init(
    _ model: AuthenticationViewModel, theme: SignInTheme = SignInTheme(),
    @ViewBuilder content: @escaping (SessionModel) -> Content,
    @ViewBuilder step: @escaping (AuthenticationViewModel, SignInStep) -> Step
  ) {
    _model = State(initialValue: model)
    self.theme = theme
    self.content = content
    self.step = step
  }

  public var body: some View {
    switch model.state {
    case .unknown: theme.slots.activity(nil)
    case .storeLocked(let store): LockedStoreView(store, theme: theme)
    case .signedIn(let session, _): content(session)
    case .signedOut(_, let shown), .expired(_, let shown):
      VStack {
        if let notice = model.notice { theme.slots.text(notice) }
        if model.canRetrySignOut { theme.button(model.words("session.sign_out.retry")) { model.retrySignOut() } }
        step(model, shown)
        // Nobody is left in front of a step that no view knows.
        if case .other = shown { theme.button(model.words("code.start_again.button"), .cancel) { model.startAgain() } }
      }
      .background(Announcer { model.noticeAnnouncement })
    }
  }
}

extension SignInView where Step == SignInStepView {
  /// Shows the library's steps.
  ///
  /// - Parameters:
  ///   - model: the sign-in.
  ///   - theme: colours and fonts.
  ///   - passkey: offered among the suggestions of a form; nil offers none.
  ///   - forgot: shows the reset of a password; nil offers none.
  ///   - content: what is shown while somebody is signed in.
  public init(
    _ model: AuthenticationViewModel, theme: SignInTheme = SignInTheme(), passkey: PasskeyModel? = nil,
    forgot: (@MainActor () -> Void)? = nil, @ViewBuilder content: @escaping (SessionModel) -> Content
  ) {
    self.init(model, theme: theme, content: content) { model, step in
      SignInStepView(step, theme: theme, passkey: passkey, signUp: { model.createAccount() }, forgot: forgot)
    }
  }
}
#endif
