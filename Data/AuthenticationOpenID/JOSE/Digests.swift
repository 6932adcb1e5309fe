#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

extension SignatureAlgorithm.Hash {
  /// The left half of the hash of ASCII text, in base64url (`at_hash` and `c_hash`, OpenID Connect Core §3.1.3.6).
  func leftHalf(of text: String) -> String {
    let bytes = Array(text.utf8)
    return switch self {
    case .sha256: Base64URL.encode(SHA256.hash(data: bytes).prefix(16))
    case .sha384: Base64URL.encode(SHA384.hash(data: bytes).prefix(24))
    case .sha512: Base64URL.encode(SHA512.hash(data: bytes).prefix(32))
    }
  }
}

extension Base64URL {
  /// The SHA-256 of a text's bytes, in base64url.
  static func sha256(of text: String) -> String { encode(SHA256.hash(data: Array(text.utf8))) }
}

/// A key's thumbprint (RFC 7638 §3).
enum KeyThumbprint {
  /// - Parameter members: exactly those that the key's type requires (RFC 7638 §3.2), with values that need no escaping.
  static func sha256(of members: [String: String]) -> String {
    let body = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",")
    return Base64URL.sha256(of: "{\(body)}")
  }
}
