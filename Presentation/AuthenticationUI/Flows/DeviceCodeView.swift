#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

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
#endif
