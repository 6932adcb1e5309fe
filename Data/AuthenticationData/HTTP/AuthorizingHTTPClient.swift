public import AuthenticationDomain
import Foundation

private struct AuthorizingHTTPClient<Upstream: HTTPClient, Source: AuthorizationSource>: HTTPClient {
  let upstream: Upstream
  let source: Source
  let allowedOrigins: [Origin]
  let throwsRefusals: Bool
  var refusesToken: @Sendable (HTTPResponse) -> Bool = { _ in false }

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    guard Origin.any(of: allowedOrigins, contains: request.url) else { throw .originNotAllowed(request) }
    let first = try await source.authorization(rejecting: nil)
    let (response, isRefused) = try await send(request, authorizedBy: first)
    guard isRefused else { return response }
    let refreshed: Authorization
    do throws(AuthenticationError) {
      refreshed = try await source.authorization(rejecting: first.token)
    } catch {
      // Refreshed a moment ago, and refused again: another token would not help, so the caller gets the 401.
      guard error == .accessTokenRefused else { throw error }
      if throwsRefusals, let refusal = response.accessRefusal { throw refusal }
      return response
    }
    guard response.wasNotProcessed || refusesOtherwise(response) || request.isIdempotent else { return response }
    guard refreshed.session?.user.isSame(as: first.session?.user) ?? (first.session == nil) else { throw .superseded }
    return try await send(request, authorizedBy: refreshed, isRepeat: true).response
  }

  private func send(
    _ request: HTTPRequest, authorizedBy authorization: Authorization, isRepeat: Bool = false
  ) async throws(AuthenticationError) -> (response: HTTPResponse, isRefused: Bool) {
    var request = request
    let token = authorization.token
    request.headers["Authorization"] = token.authorization.reveal()
    request.session = authorization.session
    let response = try await upstream.send(request)
    if !response.isFromOtherOrigin { source.noteServerDate { response.date(now: token.receivedAt) } }
    guard let refusal = AccessRefusal(response) else { return (response, refusesOtherwise(response)) }
    // The refresh sends the claims, where the provider takes them; the user has to bring those that it does not.
    if !isRepeat, refusal.error?.requirements?.claims != nil { return (response, true) }
    if throwsRefusals, let error = refusal.error { throw error }
    return (response, refusal.isOfToken || refusesOtherwise(response))
  }

  /// Whether the backend refuses the token by another status than 401; it has checked the token, and done nothing else.
  private func refusesOtherwise(_ response: HTTPResponse) -> Bool {
    guard (400...499).contains(response.status), response.status != 401, AccessRefusal(response)?.error == nil,
      !response.isFromOtherOrigin, !response.isAfterProcessing
    else { return false }
    return refusesToken(response)
  }
}

/// The authorization of a request: a token, and the session that it belongs to if there is one.
private struct Authorization {
  let token: AccessToken
  var session: AuthSession?
}

private protocol AuthorizationSource: Sendable {
  func authorization(rejecting rejected: AccessToken?) async throws(AuthenticationError) -> Authorization
  func noteServerDate(_ date: () -> Date?)
}

private struct UserAuthorization<Source: SessionSource>: AuthorizationSource {
  let source: Source

  func authorization(rejecting rejected: AccessToken?) async throws(AuthenticationError) -> Authorization {
    let session = try await source.validSession(rejecting: rejected)
    return Authorization(token: session.accessToken, session: session)
  }

  func noteServerDate(_ date: () -> Date?) { source.noteServerDate(date) }
}

private struct ServiceAuthorization<Source: TokenSource>: AuthorizationSource {
  let source: Source

  func authorization(rejecting rejected: AccessToken?) async throws(AuthenticationError) -> Authorization {
    Authorization(token: try await source.validToken(rejecting: rejected))
  }

  func noteServerDate(_ date: () -> Date?) {}
}

extension HTTPClient {
  /// Attaches a valid access token to requests for allowed origins, and refreshes it once if a resource refuses it.
  ///
  /// A request for another origin is refused before anything is sent. A 401 leads to one refresh, whatever its `error`
  /// says. If it has a challenge for the token (`Bearer` or `DPoP`), the request was not processed, and is sent once
  /// more, whatever its method; without one, only if the request is ``HTTPRequest/isIdempotent``. A second 401 is
  /// returned to the caller. 403 `insufficient_scope` is thrown without a refresh (RFC 6750 §3.1); so is 401
  /// `insufficient_user_authentication` (RFC 9470 §3), and `insufficient_claims` after a refresh that sends the claims.
  /// ``proving(with:)``, next to the transport, adds the proof for a token that is bound to a key.
  ///
  /// - Parameters:
  ///   - source: supplies the session.
  ///   - allowedOrigins: of these, only https origins and this machine are used.
  ///   - throwsRefusals: false to return the 403, or the 401 that asks for a new sign-in, instead of throwing.
  public func authorized(
    by source: some SessionSource, for allowedOrigins: Set<Origin>, throwsRefusals: Bool = true
  ) -> some HTTPClient {
    AuthorizingHTTPClient(
      upstream: self, source: UserAuthorization(source: source), allowedOrigins: allowedOrigins.filter(\.isSecure),
      throwsRefusals: throwsRefusals)
  }

  /// The same for a backend that refuses a token by another status than 401, too.
  package func authorized(
    by source: some SessionSource, for allowedOrigins: Set<Origin>,
    refusesToken: @escaping @Sendable (HTTPResponse) -> Bool
  ) -> some HTTPClient {
    AuthorizingHTTPClient(
      upstream: self, source: UserAuthorization(source: source), allowedOrigins: allowedOrigins.filter(\.isSecure),
      throwsRefusals: true, refusesToken: refusesToken)
  }

  /// The same with the tokens of a service, which has no user: `ServiceTokens` of the module AuthenticationWorkload.
  ///
  /// ```swift
  /// let orders = try SystemHTTPClient().authorized(by: source, for: ["https://orders.example.com"])
  /// ```
  ///
  /// - Parameters:
  ///   - source: supplies the tokens.
  ///   - allowedOrigins: of these, only https origins and this machine are used.
  ///   - throwsRefusals: false to return the 403, or the 401 that asks for a new sign-in, instead of throwing.
  public func authorized(
    by source: some TokenSource, for allowedOrigins: Set<Origin>, throwsRefusals: Bool = true
  ) -> some HTTPClient {
    AuthorizingHTTPClient(
      upstream: self, source: ServiceAuthorization(source: source), allowedOrigins: allowedOrigins.filter(\.isSecure),
      throwsRefusals: throwsRefusals)
  }
}

extension AuthenticationError {
  /// Names the URL that was refused, without its query, fragment and user info; see
  /// ``AuthenticationError/originNotAllowed``.
  static func originNotAllowed(_ request: HTTPRequest) -> Self {
    Self(
      .originNotAllowed, "Not sent: \(request.url.withoutSecrets) is not one of the origins that may have the token.",
      suggestion: "Name its origin where the session is configured.")
  }
}

/// Chooses the credentials for the new sign-in that a resource asks for; returns nil to let the request fail.
public typealias StepUp =
  @Sendable (AuthenticationRequirements) async throws(AuthenticationError) -> (any Credentials)?

private struct SteppingUpHTTPClient<Upstream: HTTPClient>: HTTPClient {
  let upstream: Upstream
  let control: any SessionControl
  let stepUps: SharedStepUps

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    let user = control.state.user
    let seen = await stepUps.count
    do throws(AuthenticationError) {
      return try await upstream.send(request)
    } catch {
      guard [.insufficientUserAuthentication, .insufficientScope].contains(error),
        let requirements = error.requirements, !SharedStepUps.isSigningIn
      else { throw error }
      guard let session = control.state.session, session.user.isSame(as: user ?? session.user) else {
        throw .superseded
      }
      let wanted = SharedStepUps.Wanted(user: User(id: session.user.id), requirements: requirements)
      guard try await stepUps.signIn(wanted, after: seen) else { throw error }
      guard session.user.isSame(as: control.state.user) else { throw .superseded }
      do throws(AuthenticationError) {
        let response = try await upstream.send(request)
        await stepUps.note(wanted, hasHelped: true)
        return response
      } catch let second {
        // The new sign-in has not brought the right that the resource wants: another one would not either.
        if second == .insufficientScope { await stepUps.note(wanted, hasHelped: false) }
        throw second
      }
    }
  }
}

extension HTTPClient {
  /// Signs the user in again if a resource asks for a more recent or stronger sign-in (RFC 9470 §4), or for scopes that the
  /// session lacks (403 `insufficient_scope`, RFC 6750 §3.1), then repeats the request once.
  ///
  /// Scopes are asked for together with those that were granted. A user whose new token lacks them all the same is not
  /// asked for them again; nor is one who was asked for the same three times, and declined, for as long as the app runs.
  ///
  /// The resource did not process the request it refused, so that a request of any method is repeated. Requests that
  /// are refused for the same reason share one sign-in. Requests that this sign-in itself sends, such as an
  /// interceptor's, are not stepped up. If another user is signed in by then, the request is not repeated:
  /// ``AuthenticationError/superseded``. The credentials of another user change nothing:
  /// ``AuthenticationError/userMismatch``.
  ///
  /// - Parameters:
  ///   - control: reports whose session it is.
  ///   - useCase: reauthenticates the user.
  ///   - credentials: chooses the credentials, or returns nil to let the request fail.
  public func steppingUp(
    _ control: any SessionControl, by useCase: any AuthenticationUseCase, credentials: @escaping StepUp
  ) -> some HTTPClient {
    steppingUp(control, sharing: SharedStepUps(control, useCase: useCase, credentials: credentials))
  }

  /// The same with the sign-ins of several clients: one at a time.
  package func steppingUp(_ control: any SessionControl, sharing stepUps: SharedStepUps) -> some HTTPClient {
    SteppingUpHTTPClient(upstream: self, control: control, stepUps: stepUps)
  }
}
