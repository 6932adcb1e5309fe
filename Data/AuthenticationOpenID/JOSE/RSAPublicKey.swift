#if canImport(CryptoKit)
import Security
#else
import Crypto
import CryptoExtras
#endif
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(CryptoKit)
/// An RSA public key of the Security framework.
///
/// Unchecked: a `SecKey` is an immutable object, and Security's functions on keys may be called from any thread.
struct RSAPublicKey: @unchecked Sendable {
  private let key: SecKey

  /// Nil if the platform refuses the key.
  init?(_ numbers: RSAPublicNumbers) {
    let attributes: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic]
    guard let key = SecKeyCreateWithData(Data(numbers.der) as CFData, attributes as CFDictionary, nil) else {
      return nil
    }
    self.key = key
  }

  /// RSASSA-PKCS1-v1_5 or RSASSA-PSS (RFC 7518 §3.3, §3.5).
  func isValid(_ signature: [UInt8], of message: ArraySlice<UInt8>, by algorithm: SignatureAlgorithm) -> Bool {
    let platform: SecKeyAlgorithm =
      switch (algorithm.scheme, algorithm.hash) {
      case (.pss, .sha256): .rsaSignatureMessagePSSSHA256
      case (.pss, .sha384): .rsaSignatureMessagePSSSHA384
      case (.pss, .sha512): .rsaSignatureMessagePSSSHA512
      case (_, .sha256): .rsaSignatureMessagePKCS1v15SHA256
      case (_, .sha384): .rsaSignatureMessagePKCS1v15SHA384
      case (_, .sha512): .rsaSignatureMessagePKCS1v15SHA512
      }
    return SecKeyVerifySignature(key, platform, Data(message) as CFData, Data(signature) as CFData, nil)
  }
}
#else
/// An RSA public key of swift-crypto.
struct RSAPublicKey: Sendable {
  private let key: _RSA.Signing.PublicKey

  /// Nil if the library refuses the key.
  init?(_ numbers: RSAPublicNumbers) {
    guard let key = try? _RSA.Signing.PublicKey(n: numbers.modulus, e: numbers.exponent) else { return nil }
    self.key = key
  }

  /// RSASSA-PKCS1-v1_5 or RSASSA-PSS (RFC 7518 §3.3, §3.5).
  func isValid(_ signature: [UInt8], of message: ArraySlice<UInt8>, by algorithm: SignatureAlgorithm) -> Bool {
    let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
    let padding: _RSA.Signing.Padding = algorithm.scheme == .pss ? .PSS : .insecurePKCS1v1_5
    return switch algorithm.hash {
    case .sha256: key.isValidSignature(signature, for: SHA256.hash(data: message), padding: padding)
    case .sha384: key.isValidSignature(signature, for: SHA384.hash(data: message), padding: padding)
    case .sha512: key.isValidSignature(signature, for: SHA512.hash(data: message), padding: padding)
    }
  }
}
#endif
