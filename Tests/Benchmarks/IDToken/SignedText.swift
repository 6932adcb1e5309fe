import AuthenticationDomain
import AuthenticationOpenID
import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The part of an ID token that is signed, with the claims that issuers usually send.
struct SignedText {
  static let expectations = {
    var expectations = IDTokenExpectations(
      issuer: "https://id.example.com/realms/product", clientID: "0oa2hl2inow5Uqc6c357",
      now: Date(timeIntervalSince1970: 1_790_000_000))
    expectations.nonce = nonce
    expectations.accessToken = Secret(accessToken)
    return expectations
  }()
  private static let nonce = "dGVzdC1ub25jZS1vZi0yNTYtYml0cy1pbi1iYXNlNjQ"

  private static let accessToken = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"

  private static func claims(_ accessTokenHash: String) -> String {
    """
    {"iss":"https://id.example.com/realms/product","sub":"248289761001","aud":"0oa2hl2inow5Uqc6c357",\
    "exp":1790000300,"iat":1789999990,"auth_time":1789999980,"nonce":"\(nonce)","acr":"urn:example:silver",\
    "at_hash":"\(accessTokenHash)","sid":"08a5019c-17e1-4977-8f42-65a12843ea02","email_verified":true,\
    "name":"Ada Lovelace","preferred_username":"ada","email":"ada@example.com"}
    """
  }

  let text: String
  var bytes: [UInt8] { Array(text.utf8) }

  init(algorithm: String) {
    let header = #"{"alg":"\#(algorithm)","typ":"JWT","kid":"2026-11"}"#
    let token = Array(Self.accessToken.utf8)
    let hash =
      algorithm == "EdDSA"
      ? Self.base64URL(SHA512.hash(data: token).prefix(32)) : Self.base64URL(SHA256.hash(data: token).prefix(16))
    text = "\(Self.base64URL(header.utf8)).\(Self.base64URL(Self.claims(hash).utf8))"
  }

  func token(_ signature: some Sequence<UInt8>) -> String { "\(text).\(Self.base64URL(signature))" }

  static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
