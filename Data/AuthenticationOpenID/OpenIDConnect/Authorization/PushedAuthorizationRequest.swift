import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends the parameters directly to the issuer, so that the browser carries only a reference to them (RFC 9126).
struct PushedAuthorizationRequest: Sendable {
  let client: OpenIDClient
  let environment: AuthProviderConfiguration.Environment

  private struct Wire: Decodable {
    let request_uri: String
  }

  /// Returns the `request_uri` (RFC 9126 §2.2). The browser is sent to the issuer with it immediately, so that its
  /// lifetime is not stored.
  ///
  /// Throws the meaning of the issuer's refusal (RFC 9126 §2.3); a redirect is a refusal.
  func send(_ request: AuthorizationRequest, to endpoint: URL?) async throws(AuthenticationError) -> String {
    guard let endpoint else { throw .missing("pushed authorization request") }
    var clientID: String?
    // HTTP Basic identifies the client in a header, but the request still needs this parameter (RFC 9126 §2.1).
    if case .basic = client.authentication.method { clientID = client.clientID }
    let form = request.parameters(clientID: clientID)
    let response = try await environment.httpClient.send(HTTPRequest(posting: form, to: endpoint, by: client))
    guard response.isSuccess else {
      throw OAuthErrorResponseMapper.map(response, refusal: .requestRefused, now: environment.clock.now)
    }
    guard !response.isFromOtherOrigin, response.isJSON,
      let reference = try? BoundedJSON.decode(Wire.self, from: response.body).request_uri, !reference.isEmpty
    else {
      throw AuthenticationError(
        .unexpectedAnswer, "The issuer did not answer the pushed authorization request with a request_uri.",
        suggestion: "Check the endpoint in the issuer's discovery document.")
    }
    return reference
  }
}
