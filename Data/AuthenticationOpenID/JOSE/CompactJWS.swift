import AuthenticationDomain

/// A parsed compact JWS (RFC 7515 §7.1): nothing in it is verified.
struct CompactJWS: Sendable, Redacted {
  static let maximumSize = 64 * 1_024
  static let maximumHeaderSize = 4 * 1_024

  let header: JWSHeader
  let payload: [UInt8]
  let signature: [UInt8]
  /// The signed bytes: the first two segments and the dot between them.
  let signed: ArraySlice<UInt8>

  /// Throws unless these are three segments of base64url within the limits, the first of them a header.
  init(_ text: String) throws(MalformedJSON) {
    guard text.utf8.count <= Self.maximumSize else { throw MalformedJSON() }
    let bytes = Array(text.utf8)
    let dot = UInt8(ascii: ".")
    guard let first = bytes.firstIndex(of: dot), let second = bytes[(first + 1)...].firstIndex(of: dot),
      first <= Self.maximumHeaderSize, let header = Base64URL.decode(bytes[..<first]),
      let payload = Base64URL.decode(bytes[(first + 1)..<second]),
      let signature = Base64URL.decode(bytes[(second + 1)...])
    else { throw MalformedJSON() }
    self.header = try JWSHeader(json: header)
    self.payload = payload
    self.signature = signature
    signed = bytes[..<second]
  }
}

/// The header of a JWS (RFC 7515 §4.1).
///
/// A key or the address of one (`jwk`, `jku`, `x5c`, `x5u`) is never read: the forger of a token would put their own
/// there (RFC 8725 §3.9, §3.10).
struct JWSHeader: Sendable {
  /// `alg`; nil for an algorithm that cannot be used here.
  let algorithm: SignatureAlgorithm?
  /// `kid`; chosen by the sender.
  let keyID: String?
  /// `typ`.
  let type: String?
  /// Whether there is a `crit`: no extension is supported here (RFC 7515 §4.1.11).
  let isCritical: Bool

  init(json: [UInt8]) throws(MalformedJSON) {
    let object = try JSONObject(json)
    do throws(JSONObject.WrongKind) {
      algorithm = try object.string("alg").flatMap { SignatureAlgorithm.named($0) }
      keyID = try object.string("kid")
      type = try object.string("typ")
      isCritical = object.contains("crit")
    } catch {
      throw MalformedJSON()
    }
  }

  /// Whether `typ` is absent or says that this is a JWT (RFC 7519 §5.1).
  var isJWT: Bool {
    guard let type else { return true }
    return type == "JWT" || ["jwt", "application/jwt"].contains(type.lowercased())
  }
}
