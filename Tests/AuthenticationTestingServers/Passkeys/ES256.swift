#if Tools
import Foundation
#if OpenID
import Crypto
#endif

/// A server's cryptography for passkeys. Without the trait `OpenID` there is none, and no passkey is believed.
enum ES256 {
  static func sha256(_ data: Data) -> Data {
    #if OpenID
    Data(SHA256.hash(data: data))
    #else
    Data()
    #endif
  }

  /// - Parameters:
  ///   - signature: in DER.
  ///   - key: x and y.
  static func isValid(_ signature: Data, over data: Data, by key: Data) -> Bool {
    #if OpenID
    guard let key = try? P256.Signing.PublicKey(rawRepresentation: key),
      let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
    else { return false }
    return key.isValidSignature(signature, for: data)
    #else
    return false
    #endif
  }
}
#endif
