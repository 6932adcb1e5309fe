package import AuthenticationDomain
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// An issuer's public keys (RFC 7517 §5), each made ready once.
package struct JSONWebKeySet: Sendable {
  static let maximumSize = 512 * 1_024
  static let maximumKeys = 64

  let keys: [JSONWebKey]

  /// Throws ``AuthenticationError/Code/unexpectedAnswer`` unless the data is a key set of at most 512 KiB; keys that
  /// cannot be used here are passed over (RFC 7517 §5), as are those after the 64th.
  package init(json: Data) throws(AuthenticationError) {
    guard json.count <= Self.maximumSize, let object = try? JSONObject(Array(json)),
      let members = try? object.objects("keys", atMost: Self.maximumKeys)
    else {
      throw AuthenticationError(
        .unexpectedAnswer, "The issuer's answer is no JSON Web Key Set.",
        suggestion: "Check the jwks_uri of the issuer's metadata.")
    }
    keys = members.compactMap { $0.flatMap { JSONWebKey(json: $0) } }
  }
}

extension JSONWebKeySet {
  /// The keys that may have signed a token with this header.
  ///
  /// A header that names a key means that key only; where it names none, or several keys share the name, each that fits
  /// is tried. A key serves one algorithm (RFC 8725 §3.1): the one it names, or the only one of its type that is
  /// permitted, or else RS256, the default for ID tokens (OpenID Connect Registration §2).
  func keys(
    for algorithm: SignatureAlgorithm, id: String?, permitting permitted: Set<SignatureAlgorithm>
  ) -> [JSONWebKey] {
    keys.filter { key in
      guard key.key.isFor(algorithm), id == nil || key.id == id else { return false }
      if let own = key.algorithm { return own == algorithm }
      return !algorithm.isRSA || algorithm == .rs256 || permitted.count(where: \.isRSA) == 1
    }
  }

  /// Whether any key fits the token's header: where none does, the set may be out of date.
  func hasKey(for token: UnverifiedIDToken, permitting permitted: Set<SignatureAlgorithm>) -> Bool {
    guard let algorithm = token.jws.header.algorithm else { return false }
    return !keys(for: algorithm, id: token.keyID, permitting: permitted).isEmpty
  }
}
