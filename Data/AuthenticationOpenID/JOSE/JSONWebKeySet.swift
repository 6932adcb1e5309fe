package import AuthenticationDomain
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// An issuer's public keys (RFC 7517 §5), each prepared once.
package struct JSONWebKeySet: Sendable {
  static let maximumSize = 512 * 1_024
  static let maximumKeys = 64

  let keys: [JSONWebKey]

  /// Throws ``AuthenticationError/Code/unexpectedAnswer`` unless the data is a key set of at most 512 KiB; keys that
  /// cannot be used here are skipped (RFC 7517 §5), as are those after the 64th.
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
  /// Returns the keys that may have signed a token with this header.
  ///
  /// If the header names a key, only that key is used; if it names none, or several keys share the name, each matching
  /// one is tried. A key is used with one algorithm (RFC 8725 §3.1): the one it names, or that of its curve. An RSA key
  /// that names none keeps the algorithm of the first signature that it verifies: any permitted one if the header names
  /// this key and no other; else the only permitted one of its type, or RS256, the default for ID tokens (OpenID
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
