import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A P-256 key that signs DPoP proofs (RFC 9449 §4).
struct ProofOfPossessionKey: Sendable {
  /// What to store; ``init(_:)`` makes the key of it again.
  let stored: ProofKey

  /// A new key.
  init() {
    stored = ProofKey(Secret(""))
  }

  /// Throws ``AuthenticationError/Code/storageCorrupt`` where it is no such key.
  init(_ stored: ProofKey) throws(AuthenticationError) {
    self.stored = stored
  }

  /// The key's SHA-256 thumbprint (RFC 7638), as `dpop_jkt` and `cnf.jkt` carry it.
  var thumbprint: String { "" }

  /// A proof for one request: `typ`, `jti`, `htm`, `htu` without query and fragment, `iat`, and where given `ath` and
  /// `nonce` (RFC 9449 §4.2).
  func proof(
    method: String, url: URL, accessToken: Secret? = nil, nonce: String? = nil, id: String, at now: Date
  ) throws(AuthenticationError) -> String {
    throw AuthenticationError(.invalidRequest, "Not built yet.")
  }
}
