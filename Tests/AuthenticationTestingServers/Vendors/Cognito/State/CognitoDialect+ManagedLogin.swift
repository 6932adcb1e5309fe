#if Tools && OpenID
import AuthenticationDomain
import Crypto
import Foundation

/// The pages and the endpoints of the pool's domain.
extension CognitoDialect {
  /// `authorize`, `logout`, or a grant as in `token authorization_code`.
  func managedOperation(_ request: VendorRequest) -> String? {
    switch (request.method, request.path.joined(separator: "/")) {
    case ("GET", "oauth2/authorize"): "authorize"
    case ("POST", "oauth2/token"): "token \(request.form?["grant_type"] ?? "")"
    case ("GET", "logout"): "logout"
    default: nil
    }
  }

  mutating func managed(
    _ request: VendorRequest, _ operation: String, _ now: Date
  ) throws(VendorRefusal) -> Answer {
    switch operation {
    case "authorize": return authorize(request.query, now)
    case "logout": return logout(request.query)
    default: return .json(try exchange(request.form ?? Fields(""), now))
    }
  }

  /// Nothing is redirected to an address that is not registered.
  private mutating func authorize(_ query: Fields, _ now: Date) -> Answer {
    guard !query.hasRepetition, query["client_id"] == options.clientID, let redirectURI = query["redirect_uri"],
      options.redirectURIs.contains(redirectURI)
    else { return .page("redirect_mismatch", status: 400) }
    let provider = query["identity_provider"]
    let identifier = query["idp_identifier"]
    guard provider.map({ options.identityProviders[$0] != nil }) ?? true,
      identifier.map({ options.identityProviders.values.contains($0) }) ?? true
    else { return .page("Login pages unavailable", status: 400) }
    guard query["response_type"] == "code", query["code_challenge_method"] == "S256",
      let challenge = query["code_challenge"], challenge.count == 43
    else { return redirect(to: redirectURI, ["error": "invalid_request"], query) }
    let asked = Set((query["scope"] ?? "").split(separator: " ").map(String.init))
    guard asked.isSubset(of: options.scopes) else {
      return redirect(to: redirectURI, ["error": "invalid_scope"], query)
    }
    if query["prompt"] == "none", browserUser == nil {
      return redirect(to: redirectURI, ["error": "login_required"], query)
    }
    switch user {
    case .approves(let account):
      let userName = enter(account, by: provider ?? "COGNITO")
      browserUser = userName
      let code = OpaqueToken.make()
      managedCodes[code] = CognitoCode(
        userName: userName, redirectURI: redirectURI, challenge: challenge, nonce: query["nonce"],
        // Without any it is all of the client.
        scopes: asked.isEmpty ? options.scopes : asked, expiresAt: now.addingTimeInterval(300))
      return redirect(to: redirectURI, ["code": code], query)
    case .declines: return redirect(to: redirectURI, ["error": "access_denied"], query)
    case .causes(let error): return redirect(to: redirectURI, ["error": error], query)
    case .types, .leaves: return .page("Sign in")
    }
  }

  /// The account of the pool's own directory, or the one that stands for a user of another provider.
  private mutating func enter(_ account: LoopbackOpenIDIssuer.Account, by provider: String) -> String {
    let userName = provider == "COGNITO" ? account.username : "\(provider)_\(account.subject)"
    if accounts[userName] == nil {
      var new = CognitoAccount(userName: userName, subject: nextID("sub"))
      (new.email, new.isConfirmed) = (account.email, true)
      accounts[userName] = new
    }
    return userName
  }

  private func redirect(to uri: String, _ own: [String: String], _ query: Fields) -> Answer {
    let parameters = own.merging(["state": query["state"]].compactMapValues(\.self)) { own, _ in own }
    let text = parameters.sorted { $0.key < $1.key }.map { "\($0)=\(Fields.encode($1))" }.joined(separator: "&")
    return Answer(status: 302, headers: ["Location": "\(uri)?\(text)"])
  }

  /// The response has no `scope`.
  private mutating func exchange(_ form: Fields, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    guard form["client_id"] == options.clientID else { throw VendorRefusal(code: "invalid_client") }
    guard form["grant_type"] == "authorization_code" else { throw VendorRefusal(code: "unsupported_grant_type") }
    guard let code = form["code"].flatMap({ managedCodes.removeValue(forKey: $0) }), now < code.expiresAt,
      form["redirect_uri"] == code.redirectURI, let verifier = form["code_verifier"],
      URLSafe.encode(Data(SHA256.hash(data: Data(verifier.utf8)))) == code.challenge,
      let account = accounts[code.userName]
    else { throw VendorRefusal(code: "invalid_grant") }
    var claims: [String: JSONValue] = ["nonce": .optional(code.nonce)]
    claims.merge(claimsOfManagedLogin) { $1 }
    let tokens = newTokens(of: account, code.scopes, now, adding: claims)
    return [
      "access_token": tokens["AccessToken"], "id_token": tokens["IdToken"], "refresh_token": tokens["RefreshToken"],
      "token_type": "Bearer", "expires_in": tokens["ExpiresIn"],
    ].compactMapValues(\.self)
  }

  /// Ends the browser's session, and no token; no `state` comes back.
  private mutating func logout(_ query: Fields) -> Answer {
    guard query["client_id"] == options.clientID, let uri = query["logout_uri"], options.logoutURIs.contains(uri) else {
      return .page("Required String parameter 'redirect_uri' is not present", status: 400)
    }
    browserUser = nil
    return Answer(status: 302, headers: ["Location": uri])
  }
}
#endif
