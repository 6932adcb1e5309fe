import AuthenticationData
package import AuthenticationDomain
import Foundation

/// How a client proves itself in a request for a token that is its own.
package enum ServiceProof: Sendable {
  /// As ``OpenIDClient/authentication`` says (RFC 6749 §4.4.2).
  case client
  /// With a token of another issuer in place of that (`client_assertion`, RFC 7523 §2.2).
  case clientAssertion(Secret)
  /// With a token of another issuer as the grant (RFC 7523 §2.1).
  case assertion(Secret)
  /// With a JWT that is signed here as the grant (RFC 7523 §2.1).
  case signed(SigningKey, keyID: String?, subject: String, audience: AssertionAudience, claims: [String: JSONValue])
}

extension OpenIDConnectProvider {
  /// Names the client at the issuer.
  package var clientID: String { client.clientID }

  /// Requests an access token of the client itself. A refresh token and an ID token in the response are ignored: there
  /// is no user.
  ///
  /// - Throws: ``AuthenticationError/clientRejected`` if the issuer accepts neither the client nor the assertion;
  ///   ``AuthenticationError/clockSkewed`` if that is due to this device's clock.
  package func serviceToken(_ proof: ServiceProof) async throws(AuthenticationError) -> AccessToken {
    var endpoint = try await tokenEndpoint()
    let client = endpoint.client
    var form = FormBody()
    var isSigned = false
    switch proof {
    case .client: form.add("grant_type", "client_credentials")
    case .clientAssertion(let token):
      endpoint = endpoint.unauthenticated
      form.add("grant_type", "client_credentials")
      form.add(clientAssertion: token)
    case .assertion(let token): form.add(bearer: token)
    case .signed(let key, let keyID, let subject, let audience, let claims):
      isSigned = true
      form.add(
        bearer: try key.assertion(
          by: client.clientID, about: subject, to: try client.assertions.audience(audience, of: client), type: "JWT",
          keyID: keyID, claims: claims, in: environment))
    }
    form.add(requestOf: client)
    let response = try await endpoint.send(form, provenBy: nil)
    let tokens = try endpoint.tokens(
      of: response, askedFor: client.askedScopes, boundTo: nil, refusal: .assertionRefused, isSigned: isSigned)
    try tokens.checkBinding()
    return tokens.access
  }
}

extension FormBody {
  fileprivate mutating func add(bearer assertion: Secret) {
    add("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer")
    add("assertion", assertion.reveal())
  }
}

extension TokenEndpoint {
  /// The same for a request that names its client and proves it by itself.
  fileprivate var unauthenticated: TokenEndpoint {
    var client = client
    client.authentication = .none
    return TokenEndpoint(url: url, client: client, environment: environment, nonces: nonces)
  }
}

extension AuthenticationError {
  fileprivate static let assertionRefused = Self(
    .clientRejected, "The issuer does not accept the assertion of this client.",
    suggestion: "Check that it trusts the assertion's issuer and key, and its subject, audience and time.")
}
