import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Requests tokens from an issuer (RFC 6749 §3.2): a POST with a form, and no token in a query. A redirect is an error.
struct TokenEndpoint: Sendable {
  let url: URL
  let client: OpenIDClient
  let environment: AuthProviderConfiguration.Environment
  let nonces: DPoPNonces

  /// Returns the response, whatever its status. With a key the request carries a proof, and is sent once more if the
  /// issuer asks for a nonce (RFC 9449 §8): it has not processed the grant then. The client below repeats only what
  /// never reached the issuer, so that no proof is used twice (§11.1).
  func send(_ grant: FormBody, provenBy key: ProofKey?) async throws(AuthenticationError) -> HTTPResponse {
    try await send(HTTPRequest(posting: grant, to: url, by: client), provenBy: key)
  }

  /// The same for a request that is already made.
  func send(_ grant: HTTPRequest, provenBy key: ProofKey?) async throws(AuthenticationError) -> HTTPResponse {
    var request = grant
    guard let stored = key else { return try await environment.httpClient.send(request) }
    let key = try ProofOfPossessionKey(stored)
    try request.prove(with: key, nonces: nonces, in: environment)
    let response = try await environment.httpClient.send(request)
    let hasNonce = nonces.learn(from: response, to: url)
    let asksForNonce =
      [400, 401].contains(response.status)
      && OAuthErrorResponseMapper.code(of: response) == "use_dpop_nonce"
    guard hasNonce, asksForNonce else { return response }
    try request.prove(with: key, nonces: nonces, in: environment)
    let second = try await environment.httpClient.send(request)
    nonces.learn(from: second, to: url)
    return second
  }

  /// Returns the tokens of a response. Throws ``AuthenticationError/Code/clockSkewed`` if a proof was refused and this
  /// device's clock is off by more than the tolerance: the proof contains the time at which it was made (RFC 9449 §4.3,
  /// §11.1).
  ///
  /// - Parameters:
  ///   - scopes: the requested scopes, which are granted if the response names no others (RFC 6749 §5.1).
  ///   - refusal: the meaning of `invalid_grant` for this grant.
  func tokens(
    of response: HTTPResponse, askedFor scopes: [String], boundTo key: ProofKey?,
    refusal: AuthenticationError = .invalidCredentials
  ) throws(AuthenticationError) -> SessionTokens {
    let now = environment.clock.now
    guard response.isSuccess else {
      let isRefresh = refusal.code == .sessionRejected
      let table = isRefresh ? client.dialect.refreshRefusals : client.dialect.refusals
      throw clockSkew(in: response, now: now) ?? table.meaning(of: response, now: now)
        ?? OAuthErrorResponseMapper.map(response, refusal: refusal, now: now)
    }
    return try TokenResponseMapper.map(
      response, askedFor: scopes, separatedBy: client.dialect.scopeSeparator, boundTo: key, receivedAt: now)
  }

  private func clockSkew(in response: HTTPResponse, now: Date) -> AuthenticationError? {
    guard let code = OAuthErrorResponseMapper.code(of: response), code == "invalid_dpop_proof",
      let offset = response.date(now: now).flatMap({ now.offset(from: $0, beyond: client.clockTolerance) })
    else { return nil }
    var error = AuthenticationError.clockSkewed(by: offset, toleranceIsOurs: false)
    error.providerCode = code
    return error
  }
}
