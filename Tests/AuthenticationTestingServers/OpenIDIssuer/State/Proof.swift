#if Tools && OpenID
import Crypto
import Foundation

/// A proof of possession whose signature fits the key in its header (RFC 9449 §4.2).
struct Proof {
  struct Claims: Decodable {
    let jti: String
    let htm: String
    let htu: String
    let iat: Double
    let ath: String?
    let nonce: String?
  }

  private struct Header: Decodable {
    struct Key: Decodable {
      let kty: String
      let crv: String
      let x: String
      let y: String
      /// A private key must not be in it.
      let d: String?
    }

    let typ: String
    let alg: String
    let jwk: Key
  }

  let claims: Claims
  /// RFC 7638 §3.
  let thumbprint: String

  init(_ text: String) throws {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let invalid = Refusal("invalid_dpop_proof")
    guard parts.count == 3, let head = URLSafe.decode(parts[0]), let body = URLSafe.decode(parts[1]),
      let raw = URLSafe.decode(parts[2]), let header = try? JSONDecoder().decode(Header.self, from: head),
      let claims = try? JSONDecoder().decode(Claims.self, from: body), header.typ == "dpop+jwt",
      header.alg == "ES256", header.jwk.kty == "EC", header.jwk.crv == "P-256", header.jwk.d == nil,
      let x = URLSafe.decode(header.jwk.x), let y = URLSafe.decode(header.jwk.y),
      let key = try? P256.Signing.PublicKey(rawRepresentation: x + y),
      let signature = try? P256.Signing.ECDSASignature(rawRepresentation: raw),
      key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
    else { throw invalid }
    self.claims = claims
    let canonical: JSON = [
      "crv": "P-256", "kty": "EC", "x": .string(header.jwk.x), "y": .string(header.jwk.y),
    ]
    thumbprint = Self.hash(canonical.text)
  }

  static func hash(_ text: String) -> String { URLSafe.encode(Data(SHA256.hash(data: Data(text.utf8)))) }
}
#endif
