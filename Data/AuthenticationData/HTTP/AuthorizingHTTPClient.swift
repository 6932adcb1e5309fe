public import AuthenticationDomain

/// Attaches a valid access token to requests for allowed origins, and refreshes it once if a resource refuses it.
///
/// A request for another origin is refused before anything is sent. A 401 leads to one refresh. If it has a challenge
/// for the token, the request was not processed (``HTTPResponse/wasNotProcessed``), and is sent once more, whatever its
/// method; without one, only if the request is ``HTTPRequest/isIdempotent``. A second 401 is returned to the caller. 403
/// `insufficient_scope` is thrown without a refresh (RFC 6750 §3.1); so is 401 `insufficient_user_authentication` (RFC
/// 9470 §3). ``ProvingHTTPClient``, next to the transport, adds the proof for a token that is bound to a key.
public struct AuthorizingHTTPClient<Upstream: HTTPClient, Source: SessionSource>: HTTPClient {
  let upstream: Upstream
  let source: Source
  let allowedOrigins: [Origin]
  let throwsRefusals: Bool

  public func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    guard Origin.any(of: allowedOrigins, contains: request.url) else { throw .originNotAllowed(request) }
    let session = try await source.validSession(rejecting: nil)
    let (response, isRefused) = try await send(request, authorizedBy: session)
    guard isRefused else { return response }
    let renewed: AuthSession
    do throws(AuthenticationError) {
      renewed = try await source.validSession(rejecting: session.accessToken)
    } catch {
      // Refreshed a moment ago, and refused again: another token would not help, so the caller gets the 401.
      guard error.code == .accessTokenRefused else { throw error }
      return response
    }
    guard response.wasNotProcessed || request.isIdempotent else { return response }
    guard renewed.user.id == session.user.id else { throw .superseded }
    return try await send(request, authorizedBy: renewed).response
  }

  private func send(
    _ request: HTTPRequest, authorizedBy session: AuthSession
  ) async throws(AuthenticationError) -> (response: HTTPResponse, isRefused: Bool) {
    var request = request
    request.headers["Authorization"] = session.authorization.reveal()
    request.session = session
    let response = try await upstream.send(request)
    if !response.isFromOtherOrigin { source.noteServerDate { response.date(now: session.accessToken.receivedAt) } }
    guard let refusal = AccessRefusal(response) else { return (response, false) }
    if throwsRefusals, let error = refusal.error { throw error }
    return (response, refusal.isOfToken)
  }
}

extension HTTPClient {
  /// Authorizes requests to these origins with the source's session.
  ///
  /// - Parameters:
  ///   - source: supplies the session.
  ///   - allowedOrigins: of these, only https origins and this machine are used.
  ///   - throwsRefusals: false to return the 403, or the 401 that asks for a new sign-in, instead of throwing.
  public func authorized<Source: SessionSource>(
    by source: Source, for allowedOrigins: Set<Origin>, throwsRefusals: Bool = true
  ) -> AuthorizingHTTPClient<Self, Source> {
    AuthorizingHTTPClient(
      upstream: self, source: source, allowedOrigins: allowedOrigins.filter(\.isSecure), throwsRefusals: throwsRefusals)
  }
}

extension AuthenticationError {
  /// Names the URL that was refused, without its query, fragment and user info; see ``Code/originNotAllowed``.
  package static func originNotAllowed(_ request: HTTPRequest) -> Self {
    Self(
      .originNotAllowed, "Not sent: \(request.url.withoutSecrets) is not one of the origins that may have the token.",
      suggestion: "Name its origin where the session is configured.")
  }
}
