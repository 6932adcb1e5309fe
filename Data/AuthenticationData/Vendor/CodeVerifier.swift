package import AuthenticationDomain
package import Foundation

/// A secret that only the client that began something knows, and its challenge by `S256` (PKCE, RFC 7636 §4.1).
package struct CodeVerifier: Sendable {
  package let secret: Secret

  /// One that was made before.
  package init(_ secret: Secret) { self.secret = secret }

  /// A new one.
  ///
  /// - Parameter bytes: 32 unpredictable bytes.
  package init(random bytes: [UInt8]) { secret = Secret(Data(bytes).base64URL) }

  /// BASE64URL(SHA256(ASCII(verifier))) (RFC 7636 §4.2).
  package var challenge: String { Data(PublicSHA256.hash(secret.reveal().utf8)).base64URL }
}

extension Data {
  /// base64url without padding (RFC 4648 §5), as WebAuthn's JSON is written.
  package var base64URL: String {
    let text = base64EncodedString().utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: byte
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads base64url or base64 (RFC 4648 §4, §5), with or without padding, as servers send it; nil for anything else.
  package init?(lenientBase64 text: String) {
    var digits = text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    let padding = digits.count % 4 == 0 ? digits.suffix(2).filter { $0 == UInt8(ascii: "=") }.count : 0
    digits.removeLast(padding)
    // Foundation reads padding in places where there is none.
    guard !digits.contains(UInt8(ascii: "=")), digits.count % 4 != 1 else { return nil }
    digits += [UInt8](repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
    self.init(base64Encoded: Data(digits))
  }
}
