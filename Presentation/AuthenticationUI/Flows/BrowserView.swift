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
#endif
