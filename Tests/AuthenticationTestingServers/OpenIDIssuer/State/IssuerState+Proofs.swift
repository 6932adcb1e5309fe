#if Tools && OpenID
import Foundation

extension IssuerState {
  /// The thumbprint of the key that a request proves; nil where it has no proof (RFC 9449 §4.3).
  mutating func checkProof(
    of request: Request, on endpoint: Endpoint, accessToken: String? = nil, at now: Date
  ) throws -> String? {
    guard let text = request.header("DPoP"), !quirks.ignoresProofs else { return nil }
    let proof = try Proof(text)
    let needsNonce = accessToken == nil ? quirks.requiresNonceAtTokenEndpoint : quirks.requiresNonceAtResource
    if needsNonce, proof.claims.nonce != nonce {
      throw Refusal("use_dpop_nonce", headers: ["DPoP-Nonce": nonce])
    }
    guard proof.claims.htm == request.method, proof.claims.htu == url(of: endpoint),
      abs(now.timeIntervalSince1970 - proof.claims.iat) <= 60, proof.claims.ath == accessToken.map(Proof.hash),
      proofIDs.insert(proof.claims.jti).inserted
    else { throw Refusal("invalid_dpop_proof") }
    counters.proofsAccepted += 1
    return proof.thumbprint
  }
}
#endif
