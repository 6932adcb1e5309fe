#if canImport(SwiftUI)
import SwiftUI
#if canImport(CoreImage)
import CoreImage
#endif

/// A QR code: black on white in the dark, too, with the quiet zone that scanners need (ISO/IEC 18004). The text is
/// shown with it for users who cannot scan. watchOS draws none.
struct QRCodeView: View {
  /// At most 2,331 bytes; nothing is shown of a longer one.
  let text: String

  var body: some View {
    #if canImport(CoreImage)
    if let image = Self.image(of: text) {
      Image(decorative: image, scale: 1).interpolation(.none).resizable().aspectRatio(1, contentMode: .fit)
        .padding(4 * Self.side / CGFloat(image.width)).background(Color.white).frame(maxWidth: Self.side)
    }
    #else
    EmptyView()
    #endif
  }

  #if canImport(CoreImage)
  private static let side: CGFloat = 220

  private static func image(of text: String) -> CGImage? {
    let filter = CIFilter(
      name: "CIQRCodeGenerator", parameters: ["inputMessage": Data(text.utf8), "inputCorrectionLevel": "M"])
    return filter?.outputImage.flatMap { CIContext().createCGImage($0, from: $0.extent) }
  }
  #endif
}
#endif
