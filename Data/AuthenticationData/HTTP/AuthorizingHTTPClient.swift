public import AuthenticationDomain

/// Attaches a valid access token to requests for allowed origins, and renews it once where a resource refuses it.
///
/// A request for another origin is refused before anything is sent. One 401 leads to one renewal and one replay;
/// a request that is not ``HTTPRequest/isReplayable`` is not replayed, and a second 401 is the caller's. 403
/// `insufficient_scope` is thrown, and renews nothing (RFC 6750 §3.1).
public struct AuthorizingHTTPClient<Upstream: HTTPClient, Source: SessionSource>: HTTPClient {
  let upstream: Upstream
  let source: Source
  let allowedOrigins: Set<Origin>
  let throwsInsufficientScope: Bool

  public func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    guard allowedOrigins.contains(where: { $0.contains(request.url) }) else { throw .originNotAllowed(request) }
    let session = try await source.validSession(rejecting: nil)
    let response = try await upstream.send(request.authorized(by: session))
    if throwsInsufficientScope, let refusal = AuthenticationError.insufficientScope(response) { throw refusal }
    guard response.refusesAccessToken else { return response }
    let renewed = try await source.validSession(rejecting: session.accessToken)
    guard request.isReplayable else { return response }
    guard renewed.user.id == session.user.id else { throw .superseded }
    return try await upstream.send(request.authorized(by: renewed))
  }
}

extension HTTPClient {
  /// Authorizes requests to these origins with the source's session.
  ///
  /// - Parameter throwsInsufficientScope: false where the caller wants to see the 403 itself.
  public func authorized<Source: SessionSource>(
    by source: Source, for allowedOrigins: Set<Origin>, throwsInsufficientScope: Bool = true
  ) -> AuthorizingHTTPClient<Self, Source> {
    AuthorizingHTTPClient(
      upstream: self, source: source, allowedOrigins: allowedOrigins,
      throwsInsufficientScope: throwsInsufficientScope)
  }
}

extension HTTPRequest {
  func authorized(by session: AuthSession) -> HTTPRequest {
    var request = self
    request.headers["Authorization"] = session.authorization.reveal()
    return request
  }
}

extension HTTPResponse {
  /// 401 for the token's sake: `invalid_token`, or no reason given (RFC 6750 §3.1).
  fileprivate var refusesAccessToken: Bool {
    guard status == 401, !isFromOtherOrigin else { return false }
    let reasons = bearerChallenges.compactMap { $0.parameters["error"] }
    return reasons.isEmpty || reasons.contains("invalid_token")
  }

  fileprivate var bearerChallenges: [AuthenticateChallenge] {
    headers.values(of: "WWW-Authenticate").flatMap(AuthenticateChallenge.parse).filter { $0.scheme == "bearer" }
  }
}

extension AuthenticationError {
  /// Says which URL was refused, without its query, fragment and user info; see ``Code/originNotAllowed``.
  public static func originNotAllowed(_ request: HTTPRequest) -> Self {
    Self(
      .originNotAllowed, "Not sent: \(request.url.withoutSecrets) is not one of the origins that may have the token.",
      suggestion: "Name its origin where the session is configured.")
  }

  fileprivate static func insufficientScope(_ response: HTTPResponse) -> Self? {
    guard response.status == 403, !response.isFromOtherOrigin,
      let challenge = response.bearerChallenges.first(where: { $0.parameters["error"] == "insufficient_scope" })
    else { return nil }
    var error = Self(
      .insufficientScope, "The resource asks for a scope that this session was not granted.",
      suggestion: "Sign in again and ask for the error's required scopes.")
    error.requiredScopes = (challenge.parameters["scope"] ?? "").split(separator: " ").prefix(32).map(String.init)
    return error
  }
}
