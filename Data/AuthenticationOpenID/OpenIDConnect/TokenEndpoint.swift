import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Asks an issuer for tokens (RFC 6749 §3.2): a form, posted, and never a token in a query. A redirect is an error.
struct TokenEndpoint: Sendable {
  let url: URL
  let client: OpenIDClient
  let environment: AuthProviderConfiguration.Environment
  let nonces: DPoPNonces

  /// The answer, whatever its status. With a key the request carries a proof, and is sent once more where the issuer
  /// asks for a nonce (RFC 9449 §8): it has not looked at the grant then.
  func send(_ grant: FormBody, provenBy key: ProofKey?) async throws(AuthenticationError) -> HTTPResponse {
    var request = HTTPRequest(posting: grant, to: url, by: client)
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

  /// The tokens of an answer.
  ///
  /// - Parameters:
  ///   - scopes: what was asked for: granted where the answer names no others (RFC 6749 §5.1).
  ///   - refusal: what `invalid_grant` means to this grant.
  func tokens(
    of response: HTTPResponse, askedFor scopes: [String], boundTo key: ProofKey?,
    refusal: AuthenticationError = .invalidCredentials
  ) throws(AuthenticationError) -> SessionTokens {
    let now = environment.clock.now
    guard response.isSuccess else { throw OAuthErrorResponseMapper.map(response, refusal: refusal, now: now) }
    return try TokenResponseMapper.map(response, askedFor: scopes, boundTo: key, receivedAt: now)
  }
}
