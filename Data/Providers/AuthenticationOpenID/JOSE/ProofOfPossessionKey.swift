import AuthenticationData
import AuthenticationDomain
package import Foundation
#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A P-256 key that signs DPoP proofs (RFC 9449 §4).
struct ProofOfPossessionKey: Sendable, Redacted {
  /// The form that is stored; ``init(_:)`` recreates the key.
  let stored: Secret
  /// The key's SHA-256 thumbprint (RFC 7638), as `dpop_jkt` and `cnf.jkt` carry it.
  let thumbprint: String
  private let key: P256.Signing.PrivateKey
  private let header: String

  /// Creates a new key.
  init() { self.init(P256.Signing.PrivateKey()) }

  /// Throws ``AuthenticationError/storageCorrupt`` if it is not a valid key.
  init(_ stored: Secret) throws(AuthenticationError) {
    guard let bytes = Base64URL.decode(stored.reveal()),
      let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes)
    else {
      throw AuthenticationError(
        .storageCorrupt, "The key that the session's tokens are bound to cannot be read.",
        suggestion: "Signing in makes a new one.")
    }
    self.init(key)
  }

  private init(_ key: P256.Signing.PrivateKey) {
    let point = key.publicKey.rawRepresentation
    let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
    self.key = key
    stored = Secret(Base64URL.encode(key.rawRepresentation))
    thumbprint = Base64URL.thumbprint(of: ["crv": "P-256", "kty": "EC", "x": x, "y": y])
    let jwk = #"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"}"#
    header = Base64URL.encode(#"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(jwk)}"#.utf8)
  }

  /// Returns a proof for one request: `typ`, `jti`, `htm`, `htu` without query and fragment, `iat`, and if given `ath`
  /// and `nonce` (RFC 9449 §4.2). Throws ``AuthenticationError/invalidRequest`` for a URL without scheme and host.
  func proof(
    method: String, url: URL, accessToken: Secret? = nil, nonce: String? = nil, id: String, at now: Date
  ) throws(AuthenticationError) -> String {
    guard let target = url.proofTarget else {
      throw AuthenticationError(.invalidRequest, "A proof of possession needs an absolute URL.")
    }
    var claims: [String: JSONValue] = [
      "jti": .string(id), "htm": .string(method), "htu": .string(target),
      "iat": .number(now.timeIntervalSince1970.rounded(.down)),
    ]
    claims["ath"] = accessToken.map { .string(Base64URL.sha256(of: $0.reveal())) }
    claims["nonce"] = nonce.map(JSONValue.string)
    let message = JSONMembers(claims).json.map { "\(header).\(Base64URL.encode($0))" }
    guard let message, let signature = try? key.signature(for: Array(message.utf8)) else {
      throw AuthenticationError(.invalidRequest, "A proof of possession could not be signed.")
    }
    return "\(message).\(Base64URL.encode(signature.rawRepresentation))"
  }

  var description: String { "<proof key \(thumbprint)>" }
}

extension URL {
  /// `htu`: the URL in the form that servers compare, without query and fragment (RFC 9449 §4.3, RFC 3986 §6.2.2,
  /// §6.2.3).
  package var proofTarget: String? {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true), let scheme = parts.scheme?.lowercased(),
      let host = parts.encodedHost, !host.isEmpty
    else { return nil }
    parts.scheme = scheme
    parts.encodedHost = host.lowercased()
    if parts.port == (scheme == "https" ? 443 : 80) { parts.port = nil }
    if parts.percentEncodedPath.isEmpty { parts.percentEncodedPath = "/" }
    parts.user = nil
    parts.password = nil
    parts.query = nil
    parts.fragment = nil
    return parts.string
  }
}
