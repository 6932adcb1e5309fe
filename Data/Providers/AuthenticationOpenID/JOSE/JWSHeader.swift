/// The header of a JWS (RFC 7515 §4.1).
///
/// A key or the address of one (`jwk`, `jku`, `x5c`, `x5u`) is never read: the forger of a token would put their own
/// there (RFC 8725 §3.9, §3.10).
package struct JWSHeader: Sendable {
  /// `alg`; nil for an algorithm that cannot be used here.
  package let algorithm: SignatureAlgorithm?
  /// `kid`; chosen by the sender.
  let keyID: String?
  /// `typ`.
  package let type: String?
  /// Whether there is a `crit`: no extension is supported here (RFC 7515 §4.1.11).
  package let isCritical: Bool

  init(json: [UInt8]) throws(MalformedJSON) {
    let object = try JSONObject(json)
    algorithm = try object.string("alg").flatMap(SignatureAlgorithm.init)
    keyID = try object.string("kid")
    type = try object.string("typ")
    isCritical = object.contains("crit")
  }

  /// Whether `typ` is absent or says that this is a JWT (RFC 7519 §5.1).
  package var isJWT: Bool {
    guard let type else { return true }
    return type == "JWT" || ["jwt", "application/jwt"].contains(type.lowercased())
  }
}
