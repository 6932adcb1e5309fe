public import AuthenticationDomain

/// Adds a proof each time a request with a session's token is sent, if the token is bound to a key (RFC 9449 §7).
///
/// Place it next to the transport: a proof is valid for one method, one URL and one sending (§4.3, §11.1), so that
/// every retry and redirect needs a new one. A server that asks for a nonce has not processed the request; the request
/// is sent once more, whatever its method (§9). Other requests, and redirects to another origin, carry no proof.
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
  /// Adds proofs as ``ProvingHTTPClient`` describes. Place it below ``retrying(_:longestWait:backoff:clock:)`` and
  /// ``followRedirects(limit:)``.
  ///
  /// - Parameter proof: the provider's; nil for bearer tokens, which need none.
  public func proving(with proof: (any RequestProof)?) -> ProvingHTTPClient<Self> {
    ProvingHTTPClient(upstream: self, proof: proof)
  }
}

extension HTTPRequest {
  /// The session, if the request is still authorized with its token.
  fileprivate var authorizingSession: AuthSession? {
    guard let session, headers["Authorization"] == session.authorization.reveal() else { return nil }
    return session
  }

  /// Also removes a proof that the caller attached: it cannot belong to this sending.
  fileprivate func proved(
    by proof: any RequestProof, for session: AuthSession
  ) throws(AuthenticationError) -> HTTPRequest {
    var proved = self
    proved.headers["DPoP"] = nil
    try proof.prove(&proved, for: session)
    return proved
  }
}
