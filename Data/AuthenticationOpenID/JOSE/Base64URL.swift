#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// base64url without padding (RFC 7515 §2).
enum Base64URL {
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text = Data(bytes).base64EncodedString()
    text.removeAll { $0 == "=" }
    return String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
  }

  /// Nil for anything but the one encoding of some bytes.
  static func decode(_ text: some StringProtocol) -> Data? {
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    let standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    guard let data = Data(base64Encoded: standard + padding), encode(data) == text else { return nil }
    return data
  }
}
