import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Proves to a resource that the sender holds the key to which a session's token is bound (RFC 9449 §7); requests of
/// sessions without a key are unchanged.
struct DPoPRequestProof: RequestProof {
  let nonces: DPoPNonces
  let environment: AuthProviderConfiguration.Environment

  func prove(_ request: inout HTTPRequest, for session: AuthSession) throws(AuthenticationError) {
    try prove(&request, with: session.tokens)
  }

  func prove(_ request: inout HTTPRequest, with tokens: SessionTokens) throws(AuthenticationError) {
    guard let key = tokens.proofKey else { return }
    try request.prove(
      with: ProofOfPossessionKey(key), accessToken: tokens.access.value, nonces: nonces, in: environment)
  }

  /// Only if the response requires a nonce and brings one can the next proof succeed (RFC 9449 §9).
  func asksAgain(_ response: HTTPResponse, to request: HTTPRequest) -> Bool {
    let hasNonce = nonces.learn(from: response, to: request.url)
    guard hasNonce, response.status == 401, request.headers["DPoP"] != nil else { return false }
    return response.challenges.contains { $0.scheme == "dpop" && $0.parameters["error"] == "use_dpop_nonce" }
  }
}

extension HTTPRequest {
  /// Adds a new proof, with 128 random bits as its `jti`, in place of an earlier one (RFC 9449 §4.1, §4.2). The request
  /// may be sent only once: a server that stores proofs refuses it the second time (§11.1).
  mutating func prove(
    with key: ProofOfPossessionKey, accessToken: Secret? = nil, nonces: DPoPNonces,
    in environment: AuthProviderConfiguration.Environment
  ) throws(AuthenticationError) {
    headers["DPoP"] = try key.proof(
      method: method.rawValue, url: url, accessToken: accessToken, nonce: nonces.nonce(for: url),
      id: Base64URL.encode(environment.randomBytes(16)), at: environment.clock.now)
    isIdempotent = false
  }
}
