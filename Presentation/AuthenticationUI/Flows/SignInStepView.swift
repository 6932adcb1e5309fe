#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// The step of a sign-in that is on the screen.
public struct SignInStepView: View {
  private let step: SignInStep
  private let theme: SignInTheme
  private let passkey: ExternalSignInModel?
  private let signIn: (@MainActor () -> Void)?
  private let signUp: (@MainActor () -> Void)?
  private let forgot: (@MainActor () -> Void)?
  @Environment(\.openURL) private var openURL

  /// Shows a step.
  ///
  /// - Parameters:
  ///   - step: what is on the screen.
  ///   - theme: colours and fonts.
  ///   - passkey: offered among the suggestions of a form; nil offers none.
  ///   - signIn: shows the form to sign in, where a new account exists already; nil offers none.
  ///   - signUp: shows the form for a new account; nil offers none.
  ///   - forgot: shows the reset of a password; nil offers none.
  public init(
    _ step: SignInStep, theme: SignInTheme = SignInTheme(), passkey: ExternalSignInModel? = nil,
    signIn: (@MainActor () -> Void)? = nil, signUp: (@MainActor () -> Void)? = nil,
    forgot: (@MainActor () -> Void)? = nil
  ) {
    self.step = step
    self.theme = theme
    self.passkey = passkey
    self.signIn = signIn
    self.signUp = signUp
    self.forgot = forgot
  }

  public var body: some View {
    switch step {
    case .methods(let model): FlowPage(model: model, theme: theme) { methods(of: model) }
    case .form(let model) where model.createsAccount: FlowPage(model: model, theme: theme) { signUp(with: model) }
    case .form(let model):
      FlowPage(model: model, theme: theme) { signIn(with: model) }
        .task { if model.method != .emailLink { passkey?.offer() } }
    case .link(let model): FlowPage(model: model, theme: theme) { link(of: model) }
    case .device(let model):
      FlowPage(model: model, theme: theme) { deviceCode(of: model) }
        .task { if case .idle = model.state { model.request() } }
    case .browser(let model): FlowPage(model: model, theme: theme) { browser(of: model) }
    case .passkey(let model):
      FlowPage(model: model, theme: theme) {
        theme.button(model.words("passkey.prompt.button"), .submit) { model.start() }
      }
    case .code(let model): FlowPage(model: model, theme: theme) { code(of: model) }
    case .factors(let model): FlowPage(model: model, theme: theme) { factors(of: model) }
    case .newPassword(let model): FlowPage(model: model, theme: theme) { newPassword(of: model) }
    case .other: EmptyView()
    }
  }

  /// The methods to sign in with, as buttons.
  @ViewBuilder private func methods(of model: MethodListModel) -> some View {
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
      theme.activity(model.activity)
    }
  }

  @ViewBuilder private func signIn(with model: SignInFormModel) -> some View {
    if case .lockedOut = model.state {
      theme.countdown("form.locked_out.left", in: model.words) { model.secondsLeft }
    } else if let form = model.form {
      FormView(model, form, theme: theme)
      if model.isWorking { theme.button(model.words("form.cancel.button"), .cancel) { model.cancel() } }
    }
    if model.method != .emailLink {
      if let forgot { theme.button(model.words("form.forgot.button"), action: forgot) }
      if let signUp { theme.button(model.words("form.sign_up.button"), action: signUp) }
    }
  }

  @ViewBuilder private func signUp(with model: SignInFormModel) -> some View {
    if case .alreadyExists = model.state {
      if let signIn { theme.button(model.words("sign_up.exists.sign_in"), .submit, action: signIn) }
      if let forgot { theme.button(model.words("sign_up.exists.reset"), action: forgot) }
      theme.button(model.words("sign_up.back.button"), .cancel) { model.cancel() }
    } else if case .lockedOut = model.state {
      theme.countdown("form.locked_out.left", in: model.words) { model.secondsLeft }
    } else if let form = model.form {
      FormView(model, form, theme: theme)
    }
  }

  /// Opens the provider's page, or a sheet of the system.
  @ViewBuilder private func browser(of model: ExternalSignInModel) -> some View {
    if model.isWorking {
      theme.activity(model.title)
      theme.button(model.words("browser.open.again")) { model.openAgain() }
      theme.button(model.words("form.cancel.button"), .cancel) { model.cancel() }
    } else {
      theme.button(model.words.name(of: model.method), .method(model.method)) { model.start() }
    }
  }

  @ViewBuilder private func factors(of model: ChallengePickerModel) -> some View {
    switch model.state {
    case .choosing(let factors, _), .preparing(_, let factors):
      ForEach(factors) { factor in
        theme.button(model.words.name(of: factor)) { model.choose(factor) }
      }
    case .asking, .ended: EmptyView()
    }
  }

  @ViewBuilder private func code(of model: CodeEntryModel) -> some View {
    if let entry = model.entry {
      CodeInput(entry, of: model, text: Bindable(model).code, theme: theme) { model.submit() }
      resending(of: model, wait: "code.resend.wait", button: "code.resend.button")
      if model.canChooseAnother { theme.button(model.words("code.other.button")) { model.chooseAnother() } }
    } else if case .spent = model.state {
      theme.countdown("form.locked_out.left", in: model.words) { model.secondsLeft }
    }
    theme.button(model.words("code.start_again.button"), .cancel) { model.startAgain() }
  }

  /// Waits for the link that was sent.
  @ViewBuilder private func link(of model: CodeEntryModel) -> some View {
    #if os(iOS)
    if case .editing = model.state, let mail = URL(string: "message://") {
      theme.button(model.words("link.waiting.open_mail"), .submit) { openURL(mail) }
    }
    #endif
    if model.isWorking { theme.activity(model.activity) }
    resending(of: model, wait: "link.resend.wait", button: "link.resend.button")
    theme.button(model.words("code.start_again.button"), .cancel) { model.startAgain() }
  }

  @ViewBuilder private func resending(of model: CodeEntryModel, wait: WordKey, button: WordKey) -> some View {
    if model.secondsToResend != nil {
      theme.countdown(wait, in: model.words) { model.secondsToResend }
      theme.button(model.words(button)) { model.resend() }
    }
  }

  /// The code that is typed on another device, its address, and a QR code of it.
  @ViewBuilder private func deviceCode(of model: DeviceCodeModel) -> some View {
    if case .showing(let code) = model.state {
      let host = Words.Argument.text(code.host ?? code.address)
      theme.text(model.words("device.showing.address", host))
      Text(code.address).leftToRight()
      theme.text(model.words("device.showing.code"))
      Text(code.userCode).font(.largeTitle.monospaced()).speechSpellsOutCharacters().leftToRight()
      theme.qrCode(code.scannedAddress).accessibilityElement().accessibilityAddTraits(.isImage)
        .accessibilityLabel(model.words("device.showing.qr", host))
      theme.countdown("device.showing.left", in: model.words) { model.secondsLeft }
      theme.button(model.words("form.cancel.button"), .cancel) { model.cancel() }
    } else if case .requesting = model.state {
      theme.activity(model.activity)
    } else {
      theme.button(model.words("device.new_code.button"), .submit) { model.request() }
    }
  }

  @ViewBuilder private func newPassword(of model: NewPasswordModel) -> some View {
    if case .editing(let entry) = model.state {
      NewPasswordInput(entry, of: model, text: Bindable(model).password, theme: theme) { model.submit() }
    } else {
      theme.activity(model.activity)
    }
  }
}
#endif
