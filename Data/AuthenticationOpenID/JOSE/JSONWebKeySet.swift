import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An issuer's public keys (RFC 7517 §5).
struct JSONWebKeySet: Sendable {
  /// Throws ``AuthenticationError/Code/unexpectedAnswer`` unless the data is a key set; keys that cannot be used here
  /// are passed over (RFC 7517 §5).
  init(json: Data) throws(AuthenticationError) {
    throw AuthenticationError(.unexpectedAnswer, "Not built yet.")
  }
}
