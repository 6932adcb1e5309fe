#if Tools && OpenID
import Crypto
import CryptoExtras
import Foundation

/// A JWT that a registered key has signed (RFC 7523 §3), checked with a separate implementation.
struct SignedAssertion {
  struct Claims: Decodable {
    let iss: String
    let sub: String
    /// One text: an array does not decode.
    let aud: String
    let exp: Double
    let iat: Double?
    let jti: String?
  }

  private struct Header: Decodable {
    let typ: String?
    let alg: String
    let kid: String?
  }

  /// A public key as a client registers it (RFC 7517 §4).
  private struct Key: Decodable {
    let kty: String
    let kid: String?
    let x: String?
    let y: String?
    let n: String?
    let e: String?

    /// Whether it made this signature with the one algorithm of its kind.
    func verifies(_ signature: Data, of message: Data, by algorithm: String) throws -> Bool {
      switch (kty, algorithm) {
      case ("EC", "ES256"):
        let key = try P256.Signing.PublicKey(rawRepresentation: bytes(x) + bytes(y))
        return key.isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: signature), for: message)
      case ("OKP", "EdDSA"):
        return try Curve25519.Signing.PublicKey(rawRepresentation: bytes(x)).isValidSignature(signature, for: message)
      case ("RSA", "RS256"):
        return try _RSA.Signing.PublicKey(n: bytes(n), e: bytes(e)).isValidSignature(
          _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: message),
          padding: .insecurePKCS1v1_5)
      default: return false
      }
    }

    private func bytes(_ text: String?) -> Data { text.flatMap { URLSafe.decode($0) } ?? Data() }
  }

  let claims: Claims
  /// `typ`.
  let type: String?

  /// Nil unless one of the keys, or if the header names one that key, has signed it.
  ///
  /// - Parameter keys: JSON Web Keys.
  init?(_ text: String, signedBy keys: [String]) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let head = URLSafe.decode(parts[0]), let body = URLSafe.decode(parts[1]),
      let signature = URLSafe.decode(parts[2]), let header = try? JSONDecoder().decode(Header.self, from: head),
      let claims = try? JSONDecoder().decode(Claims.self, from: body)
    else { return nil }
    let message = Data("\(parts[0]).\(parts[1])".utf8)
    let isSigned = keys.contains { text in
      guard let key = try? JSONDecoder().decode(Key.self, from: Data(text.utf8)) else { return false }
      guard header.kid == nil || key.kid == nil || header.kid == key.kid else { return false }
      return (try? key.verifies(signature, of: message, by: header.alg)) == true
    }
    guard isSigned else { return nil }
    self.claims = claims
    type = header.typ
  }
}
#endif
