#if Tools && OpenID
import Crypto
import CryptoExtras
import Foundation

/// How an ID token is signed (RFC 7518 §3.1, RFC 8037 §3.1).
package enum SigningAlgorithm: String, Sendable, Hashable, CaseIterable {
  case rs256 = "RS256"
  case rs512 = "RS512"
  case es256 = "ES256"
  case edDSA = "EdDSA"
}

/// A private key and its name.
struct SigningKey: Sendable {
  private enum Material: Sendable {
    case rsa(_RSA.Signing.PrivateKey)
    case p256(P256.Signing.PrivateKey)
    case ed25519(Curve25519.Signing.PrivateKey)
  }

  let id: String
  let algorithm: SigningAlgorithm
  private let material: Material

  /// - Parameter number: which of the process's RSA keys, which are slow to make and therefore shared.
  init(id: String, algorithm: SigningAlgorithm, number: Int) {
    self.id = id
    self.algorithm = algorithm
    material =
      switch algorithm {
      case .rs256, .rs512: .rsa(RSAKeys.key(number))
      case .es256: .p256(P256.Signing.PrivateKey())
      case .edDSA: .ed25519(Curve25519.Signing.PrivateKey())
      }
  }

  func sign(_ data: Data) throws -> Data {
    switch (material, algorithm) {
    case (.rsa(let key), .rs512):
      try key.signature(for: SHA512.hash(data: data), padding: .insecurePKCS1v1_5).rawRepresentation
    case (.rsa(let key), _):
      try key.signature(for: SHA256.hash(data: data), padding: .insecurePKCS1v1_5).rawRepresentation
    case (.p256(let key), _): try key.signature(for: data).rawRepresentation
    case (.ed25519(let key), _): try key.signature(for: data)
    }
  }

  /// The left half of the hash that belongs to the algorithm (OpenID Connect Core §3.1.3.6).
  func leftHalf(_ text: String) -> String {
    let data = Data(text.utf8)
    return switch algorithm {
    case .rs256, .es256: URLSafe.encode(Data(SHA256.hash(data: data).prefix(16)))
    case .rs512, .edDSA: URLSafe.encode(Data(SHA512.hash(data: data).prefix(32)))
    }
  }

  /// RFC 7517 §4.
  var published: JSON {
    get throws {
      let common: [String: JSON] = ["kid": .string(id), "alg": .string(algorithm.rawValue), "use": "sig"]
      return JSON.object(common).replacing(try parameters)
    }
  }

  private var parameters: [String: JSON] {
    get throws {
      switch material {
      case .rsa(let key):
        let numbers = try key.publicKey.getKeyPrimitives()
        return [
          "kty": "RSA", "n": .string(URLSafe.encode(numbers.modulus)),
          "e": .string(URLSafe.encode(numbers.publicExponent)),
        ]
      case .p256(let key):
        let point = key.publicKey.rawRepresentation
        return [
          "kty": "EC", "crv": "P-256", "x": .string(URLSafe.encode(point.prefix(32))),
          "y": .string(URLSafe.encode(point.suffix(32))),
        ]
      case .ed25519(let key):
        return ["kty": "OKP", "crv": "Ed25519", "x": .string(URLSafe.encode(key.publicKey.rawRepresentation))]
      }
    }
  }
}
#endif
