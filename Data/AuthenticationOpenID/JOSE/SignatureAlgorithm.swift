/// A signature algorithm for ID tokens (RFC 7518 §3.1, RFC 8037 §3.1). `none` and MACs are not included: a public
/// client has no secret with which to check a MAC.
public struct SignatureAlgorithm: Sendable, Hashable, CustomStringConvertible {
  enum Scheme: Sendable { case pkcs1, pss, p256, p384, p521, ed25519 }
  enum Hash: Sendable { case sha256, sha384, sha512 }

  /// The `alg` value.
  public let description: String
  let scheme: Scheme
  let hash: Hash

  private init(_ description: String, _ scheme: Scheme, _ hash: Hash) {
    self.description = description
    self.scheme = scheme
    self.hash = hash
  }

  /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 §3.3).
  public static let rs256 = Self("RS256", .pkcs1, .sha256)
  /// RSASSA-PKCS1-v1_5 with SHA-384 (RFC 7518 §3.3).
  public static let rs384 = Self("RS384", .pkcs1, .sha384)
  /// RSASSA-PKCS1-v1_5 with SHA-512 (RFC 7518 §3.3).
  public static let rs512 = Self("RS512", .pkcs1, .sha512)
  /// RSASSA-PSS with SHA-256 (RFC 7518 §3.5).
  public static let ps256 = Self("PS256", .pss, .sha256)
  /// RSASSA-PSS with SHA-384 (RFC 7518 §3.5).
  public static let ps384 = Self("PS384", .pss, .sha384)
  /// RSASSA-PSS with SHA-512 (RFC 7518 §3.5).
  public static let ps512 = Self("PS512", .pss, .sha512)
  /// ECDSA on P-256 with SHA-256 (RFC 7518 §3.4).
  public static let es256 = Self("ES256", .p256, .sha256)
  /// ECDSA on P-384 with SHA-384 (RFC 7518 §3.4).
  public static let es384 = Self("ES384", .p384, .sha384)
  /// ECDSA on P-521 with SHA-512 (RFC 7518 §3.4).
  public static let es512 = Self("ES512", .p521, .sha512)
  /// EdDSA on Ed25519 (RFC 8037 §3.1).
  public static let edDSA = Self("EdDSA", .ed25519, .sha512)

  /// Every supported algorithm.
  public static let all: Set<Self> = [rs256, rs384, rs512, ps256, ps384, ps512, es256, es384, es512, edDSA]

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.description, $0) })

  /// The algorithm with this `alg` value; nil for one that cannot be used here, including `none` and every MAC.
  static func named(_ name: String) -> Self? { byName[name] }

  var isRSA: Bool { scheme == .pkcs1 || scheme == .pss }
}
