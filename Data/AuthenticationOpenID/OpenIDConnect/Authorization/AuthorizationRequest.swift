import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The authorization request's parameters, in the order they are sent (RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1,
/// RFC 7636 §4.3, RFC 8707 §2, RFC 9449 §10).
struct AuthorizationRequest: Sendable {
  let client: OpenIDClient
  let transaction: AuthorizationTransaction
  let userNameHint: String?
  /// Sent only without a page: there the person may choose another account.
  let identityTokenHint: RawIdentityToken?
  /// `dpop_jkt`: the thumbprint of the key the tokens will be bound to.
  let keyThumbprint: String?

  /// Throws if the transaction's key is invalid.
  init(
    client: OpenIDClient, transaction: AuthorizationTransaction, userNameHint: String?,
    identityTokenHint: RawIdentityToken? = nil
  ) throws(AuthenticationError) {
    self.client = client
    self.transaction = transaction
    self.userNameHint = userNameHint
    self.identityTokenHint = identityTokenHint
    if let key = transaction.proofKey {
      keyThumbprint = try ProofOfPossessionKey(key).thumbprint
    } else {
      keyThumbprint = nil
    }
  }

  /// Names that the app may not use in ``OpenIDClient/parameters``: parameters that are set here, that can replace
  /// these (RFC 9101 §5), or that move the response to where others can read it (`response_mode`).
  static let ownParameters: Set<String> = [
    "response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge",
    "code_challenge_method", "acr_values", "max_age", "login_hint", "id_token_hint", "prompt", "resource", "audience",
    "dpop_jkt", "request",
    "request_uri", "response_mode", "client_secret", "client_assertion", "client_assertion_type",
  ]

  /// - Parameter clientID: nil if client authentication adds it.
  func parameters(clientID: String?) -> FormBody {
    let requirements = transaction.requirements
    var form = FormBody([
      "response_type": "code",
      "client_id": clientID,
      "redirect_uri": transaction.redirectURI,
      "scope": transaction.scopes.isEmpty ? nil : transaction.scopes.joined(separator: " "),
      "state": transaction.state,
      "nonce": transaction.scopes.contains("openid") ? transaction.nonce : nil,
      "code_challenge": ProofKeyForCodeExchange(verifier: transaction.verifier).challenge,
      "code_challenge_method": ProofKeyForCodeExchange.method,
      "acr_values": requirements.acrValues.isEmpty ? nil : requirements.acrValues.joined(separator: " "),
      "max_age": requirements.maxAge.map { String(max($0.components.seconds, 0)) },
      "login_hint": userNameHint,
      "id_token_hint": identityTokenHint?.value.reveal(),
      "prompt": transaction.prompt.isEmpty ? nil : transaction.prompt.joined(separator: " "),
      "dpop_jkt": keyThumbprint,
    ])
    for resource in client.resources { form.add("resource", resource) }
    form.add("audience", client.audience)
    for (name, value) in client.parameters.sorted(by: { $0.key < $1.key }) { form.add(name, value) }
    return form
  }
}

extension OpenIDClient {
  /// The values of `acr` that the parameter `claims` requests as an essential claim of the ID token, empty for any; nil
  /// if it does not (OpenID Connect Core §5.5.1.1).
  var essentialContexts: [String]? {
    guard let claims = parameters["claims"], let asked = JSONMembers(json: Data(claims.utf8)),
      let context = asked.members("id_token")?.members("acr"), context.flag("essential") == true
    else { return nil }
    return context.texts("values") + [context["value"]].compactMap(\.self)
  }
}
