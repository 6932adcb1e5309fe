/// A text as a QR code (ISO/IEC 18004): in byte mode, at the error correction level M, of versions 1 to 15.
///
/// ```swift
/// let code = QRCode("https://id.example.com/device?user_code=WDJB-MJHT")
/// print(code?.halfBlocks ?? "")
/// ```
package struct QRCode: Sendable, Hashable {
  /// By rows, without the margin; true is dark.
  package let modules: [[Bool]]
  /// Which of the eight masks was applied (§7.8.2).
  let mask: Int

  /// - Returns: nil for a text of more than 412 bytes.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let version = QRVersion.smallest(forBytes: bytes.count) else { return nil }
    let codewords = QRCodewords(bytes, in: version)
    let drawn = (0..<8).map { mask in
      QRGrid(version).placing(codewords.interleaved).masked(by: mask)
    }
    // The mask whose pattern is the least like what a scanner looks for (§7.8.3).
    let best = drawn.indices.min { drawn[$0].penalty < drawn[$1].penalty } ?? 0
    modules = drawn[best].dark
    mask = best
  }
}
