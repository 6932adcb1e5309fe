#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
import AuthenticationScreens
public import SwiftUI

/// Signs a user in, and shows the app's content while a user is signed in. It closes no screen.
///
/// ```swift
/// SignInView(root.makeViewModel()) { session in ContentView(session) }
/// ```
public struct SignInView<Content: View, Step: View>: View {
  @State private var kept = Kept<AuthenticationViewModel>()
  private let makeModel: @MainActor () -> AuthenticationViewModel
  private let theme: SignInTheme
  private let content: (SessionModel) -> Content
  private let step: (AuthenticationViewModel, SignInStep) -> Step

  /// Shows custom steps.
  ///
  /// - Parameters:
  ///   - model: the sign-in, made once, however often the body around this view is evaluated.
  ///   - theme: colours and fonts.
  ///   - content: the view while a user is signed in.
  ///   - step: shows a step, or passes it on to ``SignInStepView``.
  public init(
    _ model: @autoclosure @escaping @MainActor () -> AuthenticationViewModel, theme: SignInTheme = SignInTheme(),
    @ViewBuilder content: @escaping (SessionModel) -> Content,
    @ViewBuilder step: @escaping (AuthenticationViewModel, SignInStep) -> Step
  ) {
    makeModel = model
    self.theme = theme
    self.content = content
    self.step = step
  }

  private var model: AuthenticationViewModel { kept.value(makeModel) }

  public var body: some View {
    if case .signedIn(let session, _) = model.state {
      content(session)
    } else {
      VStack {
        ForEach(model.screen.page(ScreenExits())) { part in
          if case .step = part.content { shown } else { PartView(part: part, words: model.words, theme: theme) }
        }
      }
      .background(Announcer { model.noticeAnnouncement })
    }
  }

  @ViewBuilder private var shown: some View {
    if case .storeLocked(let store) = model.state {
      ScreenView(store.screen, theme: theme)
    } else if let shown = model.step {
      step(model, shown)
    }
  }
}

extension SignInView where Step == SignInStepView {
  /// Shows the library's steps.
  ///
  /// - Parameters:
  ///   - model: the sign-in, made once, however often the body around this view is evaluated.
  ///   - theme: colours and fonts.
  ///   - passkey: offered among the suggestions of a form; nil offers none.
  ///   - forgot: shows the reset of a password; nil offers none.
  ///   - content: the view while a user is signed in.
  public init(
    _ model: @autoclosure @escaping @MainActor () -> AuthenticationViewModel, theme: SignInTheme = SignInTheme(),
    passkey: ExternalSignInModel? = nil,
    forgot: (@MainActor () -> Void)? = nil, @ViewBuilder content: @escaping (SessionModel) -> Content
  ) {
    self.init(model(), theme: theme, content: content) { model, step in
      let exits = model.exits
      SignInStepView(
        step, theme: theme, passkey: passkey, signIn: exits.signIn, signUp: exits.signUp, forgot: forgot,
        back: exits.back)
    }
  }
}
#endif
