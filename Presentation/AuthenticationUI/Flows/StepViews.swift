#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Opens the provider's page, or a sheet of the system.
public struct BrowserView: View {
  private let model: BrowserSignInModel
  private let theme: SignInTheme

  /// Shows a sign-in on another page.
  public init(_ model: BrowserSignInModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    FlowPage(model: model, theme: theme) {
      if model.isWorking {
        theme.slots.activity(model.title)
        theme.button(model.words("browser.open.again")) { model.openAgain() }
        theme.button(model.words("form.cancel.button"), .cancel) { model.cancel() }
      } else {
        theme.button(model.words.name(of: model.method), .method(model.method)) { model.start() }
      }
    }
  }
}

/// Lets a user choose among factors.
public struct ChallengePickerView: View {
  private let model: ChallengePickerModel
  private let theme: SignInTheme

  /// Shows a choice.
  public init(_ model: ChallengePickerModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    FlowPage(model: model, theme: theme) {
      switch model.state {
      case .choosing(let factors, _), .preparing(_, let factors):
        ForEach(factors) { factor in
          theme.button(model.words.name(of: factor)) { model.choose(factor) }
        }
      case .asking, .ended: EmptyView()
      }
      if model.canGoBack { theme.button(model.words("factors.back.button"), .cancel) { model.goBack() } }
    }
  }
}

/// Asks for a code, in one field.
public struct CodeEntryView: View {
  private let model: CodeEntryModel
  private let theme: SignInTheme

  /// Asks for the code of a model.
  public init(_ model: CodeEntryModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    FlowPage(model: model, theme: theme) {
      if let entry = model.entry {
        CodeInput(
          entry, of: model, explanations: model.explanations,
          text: Binding(get: { model.code }, set: { model.code = $0 }), theme: theme
        ) {
          model.submit()
        }
        if model.secondsToResend != nil {
          Countdown(sentence: { model.words("code.resend.wait", .words(model.words.duration(.seconds($0)))) }) {
            model.secondsToResend
          }
          theme.button(model.words("code.resend.button")) { model.resend() }
        }
        if model.canChooseAnother { theme.button(model.words("code.other.button")) { model.chooseAnother() } }
      } else if case .spent = model.state {
        Countdown(sentence: { model.words("form.locked_out.left", .words(model.words.duration(.seconds($0)))) }) {
          model.secondsToRetry
        }
      }
      theme.button(model.words("code.start_again.button"), .cancel) { model.startAgain() }
    }
  }
}

/// Shows the code that is typed on another device, its address, and a QR code of it.
public struct DeviceCodeView: View {
  private let model: DeviceCodeModel
  private let theme: SignInTheme

  /// Shows a sign-in on another device.
  ///
  /// - Parameters:
  ///   - model: asks for the code, and waits.
  ///   - theme: colours and fonts.
  public init(_ model: DeviceCodeModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    FlowPage(model: model, theme: theme) {
      if case .showing(let code, _) = model.state {
        let host = model.words("device.showing.address", .text(code.host ?? code.address))
        theme.slots.text(host)
        Text(code.address).leftToRight()
        theme.slots.text(model.words("device.showing.code"))
        Text(code.userCode).font(.largeTitle.monospaced()).speechSpellsOutCharacters().leftToRight()
        theme.slots.qrCode(code.scannedAddress).accessibilityElement().accessibilityAddTraits(.isImage)
          .accessibilityLabel(model.words("device.showing.qr", .text(code.host ?? code.address)))
        Countdown(sentence: { model.words("device.showing.left", .words(model.words.duration(.seconds($0)))) }) {
          model.secondsLeft
        }
        theme.button(model.words("form.cancel.button"), .cancel) { model.cancel() }
      } else if case .requesting = model.state {
        theme.slots.activity(model.activity)
      } else {
        theme.button(model.words("device.new_code.button"), .submit) { model.request() }
      }
    }
    .task { if case .idle = model.state { model.request() } }
  }
}

/// Asks for an address, and waits for the link that went there.
public struct EmailLinkView: View {
  private let model: EmailLinkModel
  private let theme: SignInTheme
  @Environment(\.openURL) private var openURL

  /// Shows a sign-in by a link.
  public init(_ model: EmailLinkModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    FlowPage(model: model, theme: theme) {
      if let form = model.form {
        FormView(model, form, theme: theme, button: model.words("link.ask.button"))
      } else {
        if case .waiting(let wait) = model.state {
          if wait.isRestored { theme.slots.text(model.words("link.waiting.restored")) }
          if let destination = wait.destination {
            theme.slots.text(model.words("link.waiting.sent", .text(destination)))
          }
          #if os(iOS)
          if let mail = URL(string: "message://") {
            theme.button(model.words("link.waiting.open_mail"), .submit) { openURL(mail) }
          }
          #endif
        }
        if model.isWorking { theme.slots.activity(model.activity) }
        if model.secondsToResend != nil {
          Countdown(sentence: { model.words("link.resend.wait", .words(model.words.duration(.seconds($0)))) }) {
            model.secondsToResend
          }
          theme.button(model.words("link.resend.button")) { model.resend() }
        }
        theme.button(model.words("code.start_again.button"), .cancel) { model.startAgain() }
      }
    }
  }
}

/// Asks for a passkey.
public struct PasskeyView: View {
  private let model: PasskeyModel
  private let theme: SignInTheme

  /// Shows a sign-in with a passkey.
  public init(_ model: PasskeyModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    FlowPage(model: model, theme: theme) {
      theme.button(model.words("passkey.prompt.button"), .submit) { model.prompt() }
    }
  }
}

/// Asks for a new password, with its rules beside it.
public struct NewPasswordView: View {
  private let model: NewPasswordModel
  private let theme: SignInTheme

  /// Asks for the password of a model.
  public init(_ model: NewPasswordModel, theme: SignInTheme = SignInTheme()) {
    self.model = model
    self.theme = theme
  }

  public var body: some View {
    FlowPage(model: model, theme: theme) {
      if case .editing(let entry) = model.state {
        NewPasswordInput(
          entry, of: model, text: Binding(get: { model.password }, set: { model.password = $0 }), theme: theme
        ) {
          model.submit()
        }
      } else {
        theme.slots.activity(model.activity)
      }
    }
  }
}
#endif
