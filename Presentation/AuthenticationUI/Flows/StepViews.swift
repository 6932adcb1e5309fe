#if canImport(SwiftUI)
import AuthenticationDomain
import AuthenticationPresentation
import SwiftUI

/// A form to sign in with.
struct SignInFormView: View {
  let model: SignInFormModel
  let theme: SignInTheme
  let passkey: ExternalSignInModel?
  let forgot: (@MainActor () -> Void)?
  let signUp: (@MainActor () -> Void)?

  var body: some View {
    FlowPage(model: model, theme: theme) {
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
    .task { if model.method != .emailLink { passkey?.offer() } }
  }
}

/// A form for a new account.
struct SignUpView: View {
  let model: SignInFormModel
  let theme: SignInTheme
  let signIn: (@MainActor () -> Void)?
  let reset: (@MainActor () -> Void)?

  var body: some View {
    FlowPage(model: model, theme: theme) {
      if case .alreadyExists = model.state {
        if let signIn { theme.button(model.words("sign_up.exists.sign_in"), .submit, action: signIn) }
        if let reset { theme.button(model.words("sign_up.exists.reset"), action: reset) }
        theme.button(model.words("sign_up.back.button"), .cancel) { model.goBack() }
      } else if case .lockedOut = model.state {
        theme.countdown("form.locked_out.left", in: model.words) { model.secondsLeft }
      } else if let form = model.form {
        FormView(model, form, theme: theme)
      }
    }
  }
}

/// The methods to sign in with, as buttons.
struct MethodListView: View {
  let model: MethodListModel
  let theme: SignInTheme

  var body: some View {
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

/// Opens the provider's page, or a sheet of the system.
struct BrowserView: View {
  let model: ExternalSignInModel
  let theme: SignInTheme

  var body: some View {
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
struct ChallengePickerView: View {
  let model: ChallengePickerModel
  let theme: SignInTheme

  var body: some View {
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
struct CodeEntryView: View {
  let model: CodeEntryModel
  let theme: SignInTheme

  var body: some View {
    FlowPage(model: model, theme: theme) {
      if let entry = model.entry {
        CodeInput(entry, of: model, explanations: model.explanations, text: Bindable(model).code, theme: theme) {
          model.submit()
        }
        if model.secondsToResend != nil {
          theme.countdown("code.resend.wait", in: model.words) { model.secondsToResend }
          theme.button(model.words("code.resend.button")) { model.resend() }
        }
        if model.canChooseAnother { theme.button(model.words("code.other.button")) { model.chooseAnother() } }
      } else if case .spent = model.state {
        theme.countdown("form.locked_out.left", in: model.words) { model.secondsToRetry }
      }
      theme.button(model.words("code.start_again.button"), .cancel) { model.startAgain() }
    }
  }
}

/// Shows the code that is typed on another device, its address, and a QR code of it.
struct DeviceCodeView: View {
  let model: DeviceCodeModel
  let theme: SignInTheme

  var body: some View {
    FlowPage(model: model, theme: theme) {
      if case .showing(let code) = model.state {
        let host = model.words("device.showing.address", .text(code.host ?? code.address))
        theme.slots.text(host)
        Text(code.address).leftToRight()
        theme.slots.text(model.words("device.showing.code"))
        Text(code.userCode).font(.largeTitle.monospaced()).speechSpellsOutCharacters().leftToRight()
        theme.slots.qrCode(code.scannedAddress).accessibilityElement().accessibilityAddTraits(.isImage)
          .accessibilityLabel(model.words("device.showing.qr", .text(code.host ?? code.address)))
        theme.countdown("device.showing.left", in: model.words) { model.secondsLeft }
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

/// Waits for the link that was sent.
struct LinkView: View {
  let model: CodeEntryModel
  let theme: SignInTheme
  @Environment(\.openURL) private var openURL

  var body: some View {
    FlowPage(model: model, theme: theme) {
      if case .editing = model.state {
        ForEach(model.explanations, id: \.self) { theme.slots.text($0) }
        #if os(iOS)
        if let mail = URL(string: "message://") {
          theme.button(model.words("link.waiting.open_mail"), .submit) { openURL(mail) }
        }
        #endif
      }
      if model.isWorking { theme.slots.activity(model.activity) }
      if model.secondsToResend != nil {
        theme.countdown("link.resend.wait", in: model.words) { model.secondsToResend }
        theme.button(model.words("link.resend.button")) { model.resend() }
      }
      theme.button(model.words("code.start_again.button"), .cancel) { model.startAgain() }
    }
  }
}

/// Asks for a passkey.
struct PasskeyView: View {
  let model: ExternalSignInModel
  let theme: SignInTheme

  var body: some View {
    FlowPage(model: model, theme: theme) {
      theme.button(model.words("passkey.prompt.button"), .submit) { model.start() }
    }
  }
}

/// Asks for a new password, with its rules beside it.
struct NewPasswordView: View {
  let model: NewPasswordModel
  let theme: SignInTheme

  var body: some View {
    FlowPage(model: model, theme: theme) {
      if case .editing(let entry) = model.state {
        NewPasswordInput(entry, of: model, text: Bindable(model).password, theme: theme) { model.submit() }
      } else {
        theme.slots.activity(model.activity)
      }
    }
  }
}
#endif
