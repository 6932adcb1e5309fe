#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// A form to sign in with.
public struct SignInFormView: View {
  private let model: SignInFormModel
  private let theme: SignInTheme
  private let passkey: PasskeyModel?
  private let forgot: (@MainActor () -> Void)?
  private let signUp: (@MainActor () -> Void)?

  /// Shows a form.
  ///
  /// - Parameters:
  ///   - model: holds what was typed.
  ///   - theme: colours and fonts.
  ///   - passkey: offered among the suggestions of the user name; nil offers none.
  ///   - forgot: shows the reset of a password; nil offers none.
  ///   - signUp: shows the form for a new account; nil offers none.
  public init(
    _ model: SignInFormModel, theme: SignInTheme = SignInTheme(), passkey: PasskeyModel? = nil,
    forgot: (@MainActor () -> Void)? = nil, signUp: (@MainActor () -> Void)? = nil
  ) {
    self.model = model
    self.theme = theme
    self.passkey = passkey
    self.forgot = forgot
    self.signUp = signUp
  }

  public var body: some View {
    FlowPage(model: model, theme: theme) {
      if case .lockedOut = model.state {
        Countdown(sentence: { model.words("form.locked_out.left", .words(model.words.duration(.seconds($0)))) }) {
          model.secondsLeft
        }
      } else if let form = model.form {
        FormView(model, form, theme: theme, button: model.words("form.submit.button"))
        if model.isWorking { theme.button(model.words("form.cancel.button"), .cancel) { model.cancel() } }
      }
      if let forgot { theme.button(model.words("form.forgot.button"), action: forgot) }
      if let signUp { theme.button(model.words("form.sign_up.button"), action: signUp) }
    }
    .task { passkey?.offer() }
  }
}

/// A form for a new account, then its confirmation.
public struct SignUpView: View {
  private let model: SignUpModel
  private let theme: SignInTheme
  private let signIn: (@MainActor () -> Void)?
  private let reset: (@MainActor () -> Void)?

  /// Shows a sign-up.
  ///
  /// - Parameters:
  ///   - model: holds what was typed.
  ///   - theme: colours and fonts.
  ///   - signIn: shows the form to sign in, where there is an account already; nil offers none.
  ///   - reset: shows the reset of its password; nil offers none.
  public init(
    _ model: SignUpModel, theme: SignInTheme = SignInTheme(), signIn: (@MainActor () -> Void)? = nil,
    reset: (@MainActor () -> Void)? = nil
  ) {
    self.model = model
    self.theme = theme
    self.signIn = signIn
    self.reset = reset
  }

  public var body: some View {
    switch model.state {
    case .confirming(let code): CodeEntryView(code, theme: theme)
    case .waiting(let link): EmailLinkView(link, theme: theme)
    case .alreadyExists:
      FlowPage(model: model, theme: theme) {
        if let signIn { theme.button(model.words("sign_up.exists.sign_in"), .submit, action: signIn) }
        if let reset { theme.button(model.words("sign_up.exists.reset"), action: reset) }
        theme.button(model.words("sign_up.back.button"), .cancel) { model.goBack() }
      }
    case .editing, .submitting, .next, .done:
      FlowPage(model: model, theme: theme) {
        if let form = model.form {
          FormView(model, form, theme: theme, button: model.words("sign_up.submit.button"), isNew: true)
        }
      }
    }
  }
}

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
    FlowPage(model: model, theme: theme) {
      if case .ready(let methods, let last) = model.state {
        ForEach(methods, id: \.id) { method in
          theme.button(
            model.words.name(of: method), .method(method),
            remark: method == last ? model.words("methods.list.last_used") : nil
          ) {
            model.choose(method)
          }
        }
      } else {
        theme.slots.activity(model.activity)
      }
    }
  }
}
#endif
