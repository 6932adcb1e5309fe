/// A signature algorithm for ID tokens (RFC 7518 §3.1, RFC 8037 §3.1). Neither `none` nor a MAC can be named: a public
/// client has no secret to check one with.
public struct SignatureAlgorithm: Sendable, Hashable, CustomStringConvertible {
  /// The `alg` value.
  public let description: String
  private init(_ description: String) { self.description = description }

  public static let rs256 = Self("RS256")
  public static let rs384 = Self("RS384")
  public static let rs512 = Self("RS512")
  public static let ps256 = Self("PS256")
  public static let ps384 = Self("PS384")
  public static let ps512 = Self("PS512")
  public static let es256 = Self("ES256")
  public static let es384 = Self("ES384")
  public static let es512 = Self("ES512")
  /// Ed25519.
  public static let edDSA = Self("EdDSA")

  /// Every algorithm known here.
  public static let all: Set<Self> = [rs256, rs384, rs512, ps256, ps384, ps512, es256, es384, es512, edDSA]
}
