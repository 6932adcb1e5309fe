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
    FlowPage(model: model, title: model.words("browser.open.title"), theme: theme) {
      SubmitButton(title: model.words.name(of: model.method), isWorking: model.isWorking) { model.start() }
      if model.isWorking { Button(model.words("form.cancel.button")) { model.cancel() } }
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
    FlowPage(model: model, title: model.words("passkey.prompt.title"), theme: theme) {
      SubmitButton(title: model.words("passkey.prompt.button")) { model.prompt() }
    }
  }
}
#endif
