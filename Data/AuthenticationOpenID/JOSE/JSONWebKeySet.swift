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
  /// is tried. A key serves one algorithm (RFC 8725 §3.1): the one it names, or the one of its curve. An RSA key that
  /// names none serves what the first signature it verifies is made by: any that is permitted where the header means this
  /// key and no other, else the only one of its type that is permitted, or RS256, the default for ID tokens (OpenID
  /// Connect Registration §2).
  func keys(
    for algorithm: SignatureAlgorithm, id: String?, permitting permitted: Set<SignatureAlgorithm>
  ) -> [JSONWebKey] {
    keys.filter { key in
      guard id == nil || key.id.isSame(as: id), key.isFor(algorithm) else { return false }
      guard algorithm.isRSA, key.algorithm == nil, algorithm != .rs256 else { return true }
      return permitted.count(where: \.isRSA) == 1 || isOnlyRSAKey(id)
    }
  }

  private func isOnlyRSAKey(_ id: String?) -> Bool {
    id != nil && keys.count { $0.key.isRSA && $0.id.isSame(as: id) } == 1
  }
}
