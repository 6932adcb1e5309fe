#if OpenID
import AuthenticationDomain
import Foundation

@testable import AuthenticationOpenID

/// An issuer's keys.
enum KeySetTarget {
  static func check(_ input: [UInt8]) throws {
    let set: JSONWebKeySet
    do throws(AuthenticationError) {
      set = try JSONWebKeySet(json: Data(input))
    } catch {
      return try error.checkSilence()
    }
    try Finding.unless(set.keys.count <= JSONWebKeySet.maximumKeys, "a set has a bounded number of keys")
    for key in set.keys { try check(key) }
    let again = try JSONWebKeySet(json: Data(input))
    try Finding.unless(
      again.keys.map(\.algorithm) == set.keys.map(\.algorithm) && again.keys.map(\.id) == set.keys.map(\.id),
      "the same bytes are the same keys")
  }

  private static func check(_ key: JSONWebKey) throws {
    let algorithms = SignatureAlgorithm.all.filter(key.isFor)
    try Finding.unless(!algorithms.isEmpty, "a key that is kept can be used")
    try Finding.unless(key.algorithm.map { algorithms == [$0] } ?? true, "a key serves the algorithm it names only")
    for algorithm in algorithms {
      // Numbers beyond every modulus and every group's order.
      for length in [64, 96, 132, 256] where length == 256 || !key.key.isRSA {
        try Finding.unless(
          !key.isValid([UInt8](repeating: 0xFF, count: length), of: [1, 2, 3], by: algorithm),
          "what is no signature is not valid")
      }
    }
  }
}
#endif
