#if OpenID
import Foundation

@testable import AuthenticationDomain
@testable import AuthenticationOpenID

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// An ID token: the input as it came; and, where it has two lines, as a header and claims that the issuer has signed.
enum IDTokenTarget {
  private static let now = Date(timeIntervalSince1970: 1_790_000_000)
  private static let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: Data(repeating: 7, count: 32))
  private static let ours = try? keySet(
    #"{"kty":"OKP","crv":"Ed25519","x":"\#(Base64URL.encode(key?.publicKey.rawRepresentation ?? Data()))"}"#)
  /// RFC 7515 A.2 and A.3, RFC 8037 A.1: no good token is signed by any of them.
  private static let others = try? keySet(
    #"""
    {"kty":"RSA","e":"AQAB","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPME\#
    zP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9\#
    e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2e\#
    thFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"},
    {"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"},
    {"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
    """#)

  static func check(_ input: [UInt8]) throws {
    guard let key, let ours, let others else { throw Finding(description: "the keys cannot be read") }
    try Finding.unless(
      try believed(String(decoding: input, as: UTF8.self), by: others) == nil, "a forged token is not believed")
    guard let line = input.firstIndex(of: UInt8(ascii: "\n")) else { return }
    let signed = "\(Base64URL.encode(input[..<line])).\(Base64URL.encode(input[(line + 1)...]))"
    let signature = Base64URL.encode(try key.signature(for: Data(signed.utf8)))
    if let token = try believed("\(signed).\(signature)", by: ours) { try check(token) }
    let other = signature.hasPrefix("A") ? "B" : "A"
    try Finding.unless(
      try believed("\(signed).\(other)\(signature.dropFirst())", by: ours) == nil, "a wrong signature is not believed")
  }

  private static func keySet(_ keys: String) throws -> JSONWebKeySet {
    try JSONWebKeySet(json: Data("{\"keys\":[\(keys)]}".utf8))
  }

  private static func expectations(_ nonce: String?) -> IDTokenExpectations {
    IDTokenExpectations(
      issuer: "https://id.example.com", clientID: "app", trustedAudiences: ["api"], nonce: nonce,
      requirements: .init(acrValues: nonce == nil ? [] : ["gold"], maxAge: nonce == nil ? nil : .seconds(3_600)),
      accessToken: Secret("access"), code: Secret("code"), now: now)
  }

  /// The token where it is valid, at least without a nonce and without anything asked of the sign-in.
  private static func believed(_ text: String, by keys: JSONWebKeySet) throws -> IDToken? {
    let raw = Secret(text)
    if let stored = try? IDTokenClaims(stored: raw) {
      try Finding.unless(
        (try? stored.checkContinues(stored)) != nil,
        "a token continues the sign-in of the same token")
    }
    let plain = try validated(raw, by: keys, nonce: nil)
    let strict = try validated(raw, by: keys, nonce: "n0nce")
    try Finding.unless(strict == nil || plain != nil, "who asks for more gets no token that was refused to others")
    return plain
  }

  private static func validated(_ raw: Secret, by keys: JSONWebKeySet, nonce: String?) throws -> IDToken? {
    do throws(AuthenticationError) {
      return try UnverifiedIDToken(raw).validated(by: keys, expecting: expectations(nonce))
    } catch {
      try error.checkSilence()
      try Finding.unless(error == .security && error.reason != nil, "a refusal says which check failed")
      return nil
    }
  }

  private static func check(_ token: IDToken) throws {
    let claims = token.claims
    let names = Set(claims.audiences)
    try Finding.unless(claims.issuer == "https://id.example.com", "the issuer is the one that was asked")
    try Finding.unless(names.contains("app") && names.isSubset(of: ["app", "api"]), "the token is for this client")
    try Finding.unless((1...255).contains(token.user.id.utf8.count), "the token names a user")
    try Finding.unless(
      claims.issuedAt.map { $0 <= now + 60 } == true && claims.expiresAt.map { $0 > now - 60 } == true,
      "the token is issued, and not expired")
  }
}
#endif
