import AuthenticationData
import AuthenticationDomain
import Foundation

/// The authorization request's parameters, in the order they are sent (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1,
/// RFC 7636 §4.3, RFC 8707 §2, RFC 9449 §10).
struct AuthorizationRequest: Sendable {
  let client: OpenIDClient
  let transaction: AuthorizationTransaction
  let userNameHint: String?
  /// Sent only without a page: there the user may choose another account.
  var identityTokenHint: Secret?

  /// `S256`, never `plain` (RFC 7636 §4.2).
  static let codeChallengeMethod = "S256"

  /// - Parameter clientID: nil if client authentication adds it.
  /// - Throws: if the transaction's key is invalid.
  func parameters(clientID: String?) throws(AuthenticationError) -> FormBody {
    let requirements = transaction.requirements
    var form = FormBody([
      "response_type": "code", "client_id": clientID, "redirect_uri": transaction.redirectURI,
      "scope": transaction.scopes.isEmpty ? nil : transaction.scopes.joined(separator: " "),
      "state": transaction.state,
      "nonce": transaction.scopes.contains("openid") ? transaction.nonce : nil,
      "code_challenge": CodeVerifier(transaction.verifier).challenge, "code_challenge_method": Self.codeChallengeMethod,
      "acr_values": requirements.acrValues.isEmpty ? nil : requirements.acrValues.joined(separator: " "),
      "max_age": requirements.maxAge.map { String(max($0.components.seconds, 0)) }, "login_hint": userNameHint,
      "id_token_hint": identityTokenHint?.reveal(),
      "prompt": transaction.prompt.isEmpty ? nil : transaction.prompt.joined(separator: " "),
      // The thumbprint of the key the tokens will be bound to.
      "dpop_jkt": try transaction.proofKey.map { key throws(AuthenticationError) in
        try ProofOfPossessionKey(key).thumbprint
      },
    ])
    for resource in client.authorizedResources { form.add("resource", resource) }
    form.add("audience", client.audience)
    var further = client.parameters
    further["claims"] = Self.merged(further["claims"], requirements.claims)
    for (name, value) in further.sorted(by: { $0.key < $1.key }) { form.add(name, value) }
    return form
  }

  /// One request for claims (OpenID Connect Core §5.5) out of the app's and a resource's, whose members count.
  private static func merged(_ own: String?, _ asked: String?) -> String? {
    guard let own, let asked else { return own ?? asked }
    let objects = [own, asked].map { (try? BoundedJSON.decode([String: JSONValue].self, from: Data($0.utf8))) ?? [:] }
    let merged = objects[0].merging(objects[1]) { own, asked in
      guard case .object(let one) = own, case .object(let other) = asked else { return asked }
      return .object(one.merging(other) { $1 })
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(merged)).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension OpenIDClient {
  /// Names that ``parameters`` must not contain: parameters that are set here, that can replace
  /// these (RFC 9101 §5), or that move the response to where others can read it (`response_mode`).
  package static let reservedParameters: Set<String> = [
    "response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge",
    "code_challenge_method", "acr_values", "max_age", "login_hint", "id_token_hint", "prompt", "resource", "audience",
    "dpop_jkt", "request", "request_uri", "response_mode", "client_secret", "client_assertion", "client_assertion_type",
  ]

  /// The values of `acr` that the parameter `claims` requests as an essential claim of the ID token, empty for any; nil
  /// if it does not (OpenID Connect Core §5.5.1.1).
  var essentialContexts: [String]? {
    guard let claims = parameters["claims"], let asked = JSONMembers(json: Data(claims.utf8)),
      let context = asked.members("id_token")?.members("acr"), context.flag("essential") == true
    else { return nil }
    return context.texts("values") + [context["value"]].compactMap(\.self)
  }
}

extension AuthorizationRequest {
  /// Sends the parameters directly to the issuer, so that the browser carries only a reference to them (RFC 9126), and
  /// returns that `request_uri` (§2.2). The browser is sent to the issuer with it immediately, so that its lifetime is
  /// not stored.
  ///
  /// Throws the meaning of the issuer's refusal (RFC 9126 §2.3); a redirect is a refusal.
  func push(
    to endpoint: URL?, in environment: AuthProviderConfiguration.Environment
  ) async throws(AuthenticationError) -> String {
    guard let endpoint else { throw .missing("pushed authorization request") }
    var clientID: String?
    // HTTP Basic identifies the client in a header, but the request still needs this parameter (RFC 9126 §2.1).
    if case .secretBasic = client.authentication { clientID = client.clientID }
    let form = try parameters(clientID: clientID)
    let response = try await environment.httpClient.send(
      HTTPRequest(posting: form, to: endpoint, by: client, in: environment))
    guard response.isGranted else {
      throw OAuthErrorResponseMapper.map(response, refusal: .requestRefused, now: environment.clock.now)
    }
    guard let reference = response.members?["request_uri"] else {
      throw AuthenticationError(
        .unexpectedResponse, "The issuer's response to the pushed authorization request has no request_uri.",
        suggestion: "Check the endpoint in the issuer's discovery document.")
    }
    return reference
  }
}
