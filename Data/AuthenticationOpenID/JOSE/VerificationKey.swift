#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A public key that is ready to verify signatures.
enum VerificationKey: Sendable {
  case rsa(RSAPublicKey)
  case p256(P256.Signing.PublicKey)
  case p384(P384.Signing.PublicKey)
  case p521(P521.Signing.PublicKey)
  case ed25519(Curve25519.Signing.PublicKey)

  var isRSA: Bool { if case .rsa = self { true } else { false } }

  /// Whether the key's type and curve fit this algorithm (RFC 8725 §3.1).
  func isFor(_ algorithm: SignatureAlgorithm) -> Bool {
    switch (self, algorithm.scheme) {
    case (.rsa, .pkcs1), (.rsa, .pss), (.p256, .p256), (.p384, .p384), (.p521, .p521), (.ed25519, .ed25519): true
    default: false
    }
  }

  /// Whether this is the key's signature of the message by the algorithm; with an elliptic curve it is two numbers of
  /// exactly the curve's length (RFC 7518 §3.4, RFC 8037 §3.1).
  func isValid(_ signature: [UInt8], of message: ArraySlice<UInt8>, by algorithm: SignatureAlgorithm) -> Bool {
    guard isFor(algorithm) else { return false }
    switch self {
    case .rsa(let key):
      return key.isValid(signature, of: message, by: algorithm)
    case .p256(let key):
      guard signature.count == 64, let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
        return false
      }
      return key.isValidSignature(signature, for: message)
    case .p384(let key):
      guard signature.count == 96, let signature = try? P384.Signing.ECDSASignature(rawRepresentation: signature) else {
        return false
      }
      return key.isValidSignature(signature, for: message)
    case .p521(let key):
      guard signature.count == 132, let signature = try? P521.Signing.ECDSASignature(rawRepresentation: signature)
      else {
        return false
      }
      return key.isValidSignature(signature, for: message)
    case .ed25519(let key):
      return signature.count == 64 && key.isValidSignature(signature, for: message)
    }
  }
}
