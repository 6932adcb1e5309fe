import AuthenticationData
public import AuthenticationDomain
import Foundation
#if canImport(CryptoKit)
import CryptoKit
public import Security
#else
import Crypto
import CryptoExtras
#endif

/// A private key with which a client proves its identity (RFC 7523 §2.2): P-256, RSA of at least 2,048 bits, or
/// Ed25519.
///
/// ```swift
/// let key = try SigningKey(pem: Secret(try String(contentsOf: file, encoding: .utf8)))
/// client.authentication = .privateKeyJWT(key, keyID: "2026-11")
/// ```
public struct SigningKey: Sendable, Hashable, Redacted {
  /// How it signs: `ES256`, `RS256` or `EdDSA` (RFC 7518 §3.1, RFC 8037 §3.1).
  public let algorithm: SignatureAlgorithm
  /// The name that the key itself has (`kid`, RFC 7517 §4.5); nil for one that was not read from a JWK with a name.
  public private(set) var keyID: String?
  private let publicKey: Data
  private let signature: @Sendable (Data) throws -> Data

  /// Reads a private key in PEM: PKCS#8 (`PRIVATE KEY`, RFC 5958), SEC 1 (`EC PRIVATE KEY`, RFC 5915) or PKCS#1
  /// (`RSA PRIVATE KEY`, RFC 8017 A.1.2). Other blocks of the file are skipped.
  ///
  /// - Parameter pem: the text of the file.
  /// - Throws: ``AuthenticationError/invalidConfiguration``, also for a key that is encrypted, public, or of another
  ///   kind.
  public init(pem: Secret) throws(AuthenticationError) {
    let der = try PEMBlock.privateKey(in: pem.reveal())
    if let key = try? P256.Signing.PrivateKey(derRepresentation: der) {
      self.init(key)
    } else if let seed = der.ed25519Seed, let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) {
      self.init(key)
    } else if let key = RSAPrivateKey(der: der) {
      self.init(key)
    } else {
      throw .unusableKey("is neither P-256, nor RSA of at least 2,048 bits, nor Ed25519")
    }
  }

  /// Reads a private JSON Web Key (RFC 7517 §4, RFC 7518 §6, RFC 8037 §2) strictly: every member that its type requires,
  /// and for RSA those of the Chinese remainder theorem as well.
  ///
  /// - Parameter jwk: the JSON object; its `kid` becomes ``keyID``.
  /// - Throws: ``AuthenticationError/invalidConfiguration``, which names the member at fault.
  public init(jwk: Secret) throws(AuthenticationError) {
    guard let object = try? JSONObject(Array(jwk.reveal().utf8)) else {
      throw .unusableKey("is no well-formed JSON object")
    }
    let members = PrivateMembers(object: object)
    switch try members.text("kty") {
    case "EC":
      guard try members.text("crv") == "P-256" else { throw .unusableMember("crv") }
      guard let key = try? P256.Signing.PrivateKey(rawRepresentation: try members.bytes("d", count: 32)) else {
        throw .unusableMember("d")
      }
      let point = key.publicKey.rawRepresentation
      guard try members.bytes("x", count: 32) == point.prefix(32) else { throw .unusableMember("x") }
      guard try members.bytes("y", count: 32) == point.suffix(32) else { throw .unusableMember("y") }
      self.init(key)
    case "OKP":
      guard try members.text("crv") == "Ed25519" else { throw .unusableMember("crv") }
      guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: try members.bytes("d", count: 32)) else {
        throw .unusableMember("d")
      }
      guard try members.bytes("x", count: 32) == key.publicKey.rawRepresentation else { throw .unusableMember("x") }
      self.init(key)
    case "RSA":
      var numbers: [[UInt8]] = []
      for name in ["n", "e", "d", "p", "q", "dp", "dq", "qi"] { numbers.append(try members.number(name)) }
      guard RSAPublicNumbers(modulus: numbers[0], exponent: numbers[1]) != nil else { throw .unusableMember("n") }
      guard let key = RSAPrivateKey(der: RSAPublicNumbers.sequence([[0]] + numbers)) else { throw .unusableMember("d") }
      self.init(key)
    default: throw .unusableMember("kty")
    }
    if let use = try members.optionalText("use"), use != "sig" { throw .unusableMember("use") }
    if let operations = try? object.strings("key_ops"), !operations.contains("sign") {
      throw .unusableMember("key_ops")
    }
    if let name = try members.optionalText("alg"), name != algorithm.rawValue { throw .unusableMember("alg") }
    keyID = try members.optionalText("kid")
  }

  #if canImport(Security)
  /// Uses a private key of the Keychain or the Secure Enclave, which need not leave it.
  ///
  /// - Parameter key: a P-256 or an RSA key.
  /// - Throws: ``AuthenticationError/invalidConfiguration`` for any other key.
  ///
  /// See [SecKeyCreateSignature](https://developer.apple.com/documentation/security/seckeycreatesignature(_:_:_:_:)).
  public init(_ key: SecKey) throws(AuthenticationError) {
    if let key = RSAPrivateKey(key) {
      self.init(key)
    } else if SecKeyIsAlgorithmSupported(key, .sign, .ecdsaSignatureMessageX962SHA256),
      let publicKey = SecKeyCopyPublicKey(key).flatMap({ SecKeyCopyExternalRepresentation($0, nil) }) as Data?,
      publicKey.count == 65
    {
      let held = HeldKey(key: key)
      self.init(.es256, publicKey: publicKey) { message in
        let signature = try held.sign(message, by: .ecdsaSignatureMessageX962SHA256)
        return try P256.Signing.ECDSASignature(derRepresentation: signature).rawRepresentation
      }
    } else {
      throw .unusableKey("is neither a P-256 nor an RSA key that may sign")
    }
  }
  #endif

  private init(
    _ algorithm: SignatureAlgorithm, publicKey: Data, signature: @escaping @Sendable (Data) throws -> Data
  ) {
    self.algorithm = algorithm
    self.publicKey = publicKey
    self.signature = signature
  }

  private init(_ key: P256.Signing.PrivateKey) {
    self.init(.es256, publicKey: key.publicKey.rawRepresentation) { try key.signature(for: $0).rawRepresentation }
  }

  private init(_ key: Curve25519.Signing.PrivateKey) {
    self.init(.edDSA, publicKey: key.publicKey.rawRepresentation) { try key.signature(for: $0) }
  }

  private init(_ key: RSAPrivateKey) { self.init(.rs256, publicKey: key.publicKey) { try key.sign($0) } }

  /// Two keys are equal if their public keys are.
  public static func == (one: Self, other: Self) -> Bool {
    one.publicKey == other.publicKey && one.keyID.isSame(as: other.keyID)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(publicKey) }
}

extension SigningKey {
  /// Signs claims as a compact JWS (RFC 7515 §7.1).
  ///
  /// - Parameter keyID: `kid`; by default the key's own, and none if it has none.
  /// - Throws: ``AuthenticationError/invalidRequest`` if the key refuses to sign.
  func signed(
    _ claims: [String: JSONValue], type: String, keyID: String? = nil
  ) throws(AuthenticationError) -> Secret {
    var header: [String: JSONValue] = ["alg": .string(algorithm.rawValue), "typ": .string(type)]
    header["kid"] = (keyID ?? self.keyID).map(JSONValue.string)
    let parts = [header, claims].compactMap { JSONMembers($0).json.map { Base64URL.encode($0) } }
    let message = parts.joined(separator: ".")
    guard parts.count == 2, let signature = try? signature(Data(message.utf8)) else {
      throw AuthenticationError(
        .invalidRequest, "The signing key did not sign.", suggestion: "Check that it may be used without asking a user."
      )
    }
    return Secret("\(message).\(Base64URL.encode(signature))")
  }

  /// Signs an assertion about this client (RFC 7523 §3), which is valid for 60 seconds and has a new `jti`.
  ///
  /// - Parameters:
  ///   - subject: `sub`.
  ///   - audience: `aud`, one text.
  ///   - claims: further claims.
  func assertion(
    by issuer: String, about subject: String, to audience: String, type: String, keyID: String?,
    claims: [String: JSONValue] = [:], in environment: AuthProviderConfiguration.Environment
  ) throws(AuthenticationError) -> Secret {
    let now = environment.clock.now.timeIntervalSince1970.rounded(.down)
    let own: [String: JSONValue] = [
      "iss": .string(issuer), "sub": .string(subject), "aud": .string(audience), "iat": .number(now),
      "exp": .number(now + 60), "jti": .string(Base64URL.encode(environment.randomBytes(16))),
    ]
    return try signed(claims.merging(own) { $1 }, type: type, keyID: keyID)
  }
}

/// The members of a private key, each of which must be as its type wants it.
private struct PrivateMembers {
  let object: JSONObject

  func optionalText(_ name: String) throws(AuthenticationError) -> String? {
    do throws(MalformedJSON) { return try object.string(name) } catch { throw .unusableMember(name) }
  }

  func text(_ name: String) throws(AuthenticationError) -> String {
    guard let text = try optionalText(name), !text.isEmpty else { throw .unusableMember(name) }
    return text
  }

  func bytes(_ name: String, count: Int? = nil) throws(AuthenticationError) -> Data {
    guard let bytes = Base64URL.decode(try text(name)), bytes.count == count ?? bytes.count else {
      throw .unusableMember(name)
    }
    return bytes
  }

  /// Without leading zeros.
  func number(_ name: String) throws(AuthenticationError) -> [UInt8] {
    let digits = Array(try bytes(name).drop { $0 == 0 })
    if digits.isEmpty { throw .unusableMember(name) }
    return digits
  }
}

/// The blocks of a PEM file (RFC 7468 §2).
private enum PEMBlock {
  /// The content of the first block with a private key.
  static func privateKey(in text: String) throws(AuthenticationError) -> [UInt8] {
    let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
    let label = { (line: String) in
      line.hasPrefix("-----BEGIN ") && line.hasSuffix("-----") ? line.dropFirst(11).dropLast(5) : nil
    }
    guard let first = lines.firstIndex(where: { label($0)?.hasSuffix("PRIVATE KEY") == true }) else {
      throw .unusableKey(
        lines.contains { label($0) != nil } ? "is no private key, but something public" : "is no PEM file")
    }
    let body = lines[(first + 1)...].prefix { !$0.hasPrefix("-----") }
    guard lines[first] != "-----BEGIN ENCRYPTED PRIVATE KEY-----", !body.contains(where: { $0.contains(":") }) else {
      throw .unusableKey("is encrypted with a passphrase")
    }
    guard let der = Data(base64Encoded: body.joined()) else { throw .unusableKey("is not in base64") }
    return Array(der)
  }
}

extension [UInt8] {
  /// The private key of Ed25519 in PKCS#8, with or without the public key behind it (RFC 8410 §7); nil if this is none.
  fileprivate var ed25519Seed: [UInt8]? {
    let middle: [UInt8] = [0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20]
    guard count >= 48, Int(self[1]) == count - 2, self[0] == 0x30, self[5..<16].elementsEqual(middle) else {
      return nil
    }
    return Array(self[16..<48])
  }
}

#if canImport(CryptoKit)
/// A private key of the Security framework.
///
/// Unchecked: a `SecKey` is an immutable object, and Security's functions on keys may be called from any thread.
private struct HeldKey: @unchecked Sendable {
  let key: SecKey

  func sign(_ message: Data, by algorithm: SecKeyAlgorithm) throws -> Data {
    guard let signature = SecKeyCreateSignature(key, algorithm, message as CFData, nil) else {
      throw AuthenticationError.invalidRequest
    }
    return signature as Data
  }
}

/// An RSA private key of the Security framework.
private struct RSAPrivateKey: Sendable {
  let publicKey: Data
  private let held: HeldKey

  /// Nil for any other key, one of less than 2,048 bits, and one that may not sign.
  init?(_ key: SecKey) {
    guard SecKeyIsAlgorithmSupported(key, .sign, .rsaSignatureMessagePKCS1v15SHA256), SecKeyGetBlockSize(key) >= 256,
      let publicKey = SecKeyCopyPublicKey(key).flatMap({ SecKeyCopyExternalRepresentation($0, nil) })
    else { return nil }
    self.publicKey = publicKey as Data
    held = HeldKey(key: key)
  }

  /// PKCS#1, or PKCS#8 around it, which the framework does not read.
  init?(der: [UInt8]) {
    // rsaEncryption without parameters, then the octet string of at least 256 bytes (RFC 8017 A.1, RFC 5958 §2).
    let heading: [UInt8] = [
      0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00, 0x04, 0x82,
    ]
    let isWrapped = der.count > 26 && der[7..<24].elementsEqual(heading)
    let attributes: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPrivate]
    let data = Data(isWrapped ? Array(der[26...]) : der)
    guard let key = SecKeyCreateWithData(data as CFData, attributes as CFDictionary, nil) else { return nil }
    self.init(key)
  }

  /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 §3.3).
  func sign(_ message: Data) throws -> Data { try held.sign(message, by: .rsaSignatureMessagePKCS1v15SHA256) }
}
#else
/// An RSA private key of swift-crypto.
private struct RSAPrivateKey: Sendable {
  private let key: _RSA.Signing.PrivateKey

  /// PKCS#1, or PKCS#8 around it; nil for one of less than 2,048 bits.
  init?(der: [UInt8]) {
    guard let key = try? _RSA.Signing.PrivateKey(derRepresentation: der) else { return nil }
    self.key = key
  }

  var publicKey: Data { key.publicKey.derRepresentation }

  /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 §3.3).
  func sign(_ message: Data) throws -> Data {
    try key.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5).rawRepresentation
  }
}
#endif

extension AuthenticationError {
  fileprivate static func unusableKey(_ fault: String) -> Self {
    invalidConfiguration(
      "The signing key \(fault).", suggestion: "Give a private key of P-256, RSA or Ed25519, in PEM or as a JWK.",
      of: "signingKey")
  }

  fileprivate static func unusableMember(_ name: String) -> Self {
    invalidConfiguration(
      "The signing key's member '\(name)' is missing, or not what a private key has there.",
      suggestion: "Give a private JWK: EC with P-256, OKP with Ed25519, or RSA (RFC 7518 §6, RFC 8037 §2).",
      of: "signingKey")
  }
}
