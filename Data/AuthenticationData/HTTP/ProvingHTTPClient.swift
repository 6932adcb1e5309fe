public import AuthenticationDomain

/// Proves each sending of a request that carries a session's token, where the token is bound to a key (RFC 9449 §7).
///
/// It stands next to the transport: a proof is good for one method, one URL and one sending (§4.3, §11.1), so that what
/// is retried or redirected is proved anew. A server that asks for a nonce has not processed the request; it is sent
/// once more, whatever its method (§9). Other requests, and what leaves for another origin, carry no proof.
public struct ProvingHTTPClient<Upstream: HTTPClient>: HTTPClient {
  let upstream: Upstream
  let proof: (any RequestProof)?

  public func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    guard let proof, let session = request.authorizingSession else { return try await upstream.send(request) }
    let first = try request.proved(by: proof, for: session)
    let response = try await upstream.send(first)
    guard !response.isFromOtherOrigin, proof.asksAgain(response, to: first) else { return response }
    let second = try request.proved(by: proof, for: session)
    let answer = try await upstream.send(second)
    if !answer.isFromOtherOrigin { _ = proof.asksAgain(answer, to: second) }
    return answer
  }
}

extension HTTPClient {
  /// Proves requests as ``ProvingHTTPClient`` says. Place it below ``retrying(_:longestWait:backoff:clock:)`` and
  /// ``followRedirects(limit:)``.
  ///
  /// - Parameter proof: of the provider; nil where any bearer may use its tokens.
  public func proving(with proof: (any RequestProof)?) -> ProvingHTTPClient<Self> {
    ProvingHTTPClient(upstream: self, proof: proof)
  }
}

extension HTTPRequest {
  /// The session, as long as its token is what the request is authorized by.
  fileprivate var authorizingSession: AuthSession? {
    guard let session, headers["Authorization"] == session.authorization.reveal() else { return nil }
    return session
  }

  /// Without a proof that the caller attached, too: it cannot be one of this sending.
  fileprivate func proved(
    by proof: any RequestProof, for session: AuthSession
  ) throws(AuthenticationError) -> HTTPRequest {
    var proved = self
    proved.headers["DPoP"] = nil
    try proof.prove(&proved, for: session)
    return proved
  }
}
