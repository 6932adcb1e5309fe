#if canImport(SwiftUI)
import AuthenticationDomain
public import AuthenticationPresentation
public import SwiftUI

/// Shows the code that is typed on another device, and its address. A QR code is the app's to draw.
public struct DeviceCodeView<QRCode: View>: View {
  private let model: DeviceCodeModel
  private let theme: SignInTheme
  private let qrCode: (_ address: String) -> QRCode

  /// Shows a sign-in on another device.
  ///
  /// - Parameters:
  ///   - model: asks for the code, and waits.
  ///   - theme: colours and fonts.
  ///   - qrCode: draws the address that a phone may scan.
  public init(
    _ model: DeviceCodeModel, theme: SignInTheme = SignInTheme(),
    @ViewBuilder qrCode: @escaping (_ address: String) -> QRCode
  ) {
    self.model = model
    self.theme = theme
    self.qrCode = qrCode
  }

  public var body: some View {
    FlowPage(model: model, title: title, theme: theme) {
      if case .showing(let code, _) = model.state {
        Text(model.words("device.showing.address", .text(code.host ?? code.address)))
        Text(code.address).environment(\.layoutDirection, .leftToRight)
        Text(model.words("device.showing.code"))
        Text(code.userCode).font(.largeTitle.monospaced()).speechSpellsOutCharacters()
          .environment(\.layoutDirection, .leftToRight)
        qrCode(code.scannedAddress)
          .accessibilityLabel(model.words("device.showing.qr", .text(code.host ?? code.address)))
        Countdown(sentence: { model.words("device.showing.left", .words(model.words.duration(.seconds($0)))) }) {
          model.secondsLeft
        }
        Button(model.words("form.cancel.button")) { model.cancel() }
      } else if case .requesting = model.state {
        ProgressView()
      } else {
        SubmitButton(title: model.words("device.new_code.button")) { model.request() }
      }
    }
    .task { if case .idle = model.state { model.request() } }
  }

  private var title: String {
    switch model.state {
    case .denied: model.words("device.denied.title")
    case .expired: model.words("device.expired.title")
    default: model.words("device.showing.title")
    }
  }
}
#endif
