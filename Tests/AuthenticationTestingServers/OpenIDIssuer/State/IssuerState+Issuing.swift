#if Tools && OpenID
package import Foundation

extension IssuerState {
  /// The token response of a user who signed in with a method that the issuer does not have.
  package mutating func grant(_ account: Account, scopes: [String], at now: Date) throws -> JSON {
    let signIn = SignIn(
      account: account, scopes: scopes, authenticatedAt: now, context: "urn:example:bronze", nonce: nil)
    return try tokens(of: start(signIn), nil, now, isFirst: true)
  }

  mutating func start(_ signIn: SignIn) -> Int {
    lastSignIn += 1
    signIns[lastSignIn] = signIn
    return lastSignIn
  }

  package mutating func end(_ id: Int) {
    signIns[id] = nil
    accessTokens = accessTokens.filter { $1.signIn != id }
    refreshTokens = refreshTokens.filter { $1.signIn != id }
  }

  /// RFC 6749 §5.1; a refresh token with `offline_access`, an ID token with `openid`.
  mutating func tokens(
    of id: Int, _ thumbprint: String?, _ now: Date, scopes: [String]? = nil, for resource: String? = nil,
    keeping kept: String? = nil, isFirst: Bool
  ) throws -> JSON {
    guard let signIn = signIns[id] else { throw Refusal.invalidGrant }
    let scopes = scopes ?? signIn.scopes
    let lifetime = options.accessTokenLifetime / .seconds(1)
    var access = OpaqueToken.make()
    if options.signsAccessTokens || !options.resources.isEmpty {
      let audience = quirks.ignoresResources ? identifier : resource ?? identifier
      var claims: [String: JSON] = ["aud": .string(audience), "jti": .string(access)]
      var header: [String: JSON] = [:]
      if options.signsAccessTokens {
        let issuedAt = Int(now.timeIntervalSince1970)
        claims.merge([
          "iss": .string(identifier), "sub": .string(signIn.account.subject), "client_id": .string(options.clientID),
          "iat": .integer(issuedAt), "exp": .integer(issuedAt + Int(lifetime)),
          "scope": .string(scopes.joined(separator: " ")),
          "cnf": thumbprint.map { ["jkt": .string($0)] } ?? .absent,
        ]) { $1 }
        claims.merge(quirks.accessTokenClaims) { $1 }
        header = ["typ": "at+jwt"].merging(quirks.accessTokenHeader) { $1 }
      }
      access = try SignedToken.make(.object(claims), header: header, key: keys.current, signature: .valid)
    }
    accessTokens[access] = IssuedAccessToken(
      signIn: id, scopes: scopes, thumbprint: thumbprint, issuedAt: now, expiresAt: now.addingTimeInterval(lifetime))
    var members: [String: JSON] = [
      "access_token": .string(access), "token_type": thumbprint == nil ? "Bearer" : "DPoP",
      "expires_in": .integer(Int(lifetime)), "scope": .string(scopes.joined(separator: " ")),
    ]
    if options.refreshScope.map(signIn.scopes.contains) ?? true {
      members["refresh_token"] = .string(kept ?? newRefreshToken(of: id, thumbprint))
    }
    if signIn.scopes.contains("openid") {
      members["id_token"] = .string(try idToken(of: signIn, accessToken: access, now, isFirst: isFirst))
    }
    let answer = JSON.object(members).replacing(quirks.tokenAnswer)
    return isFirst ? answer : answer.replacing(quirks.refreshAnswer)
  }

  private mutating func newRefreshToken(of id: Int, _ thumbprint: String?) -> String {
    let token = OpaqueToken.make()
    refreshTokens[token] = IssuedRefreshToken(signIn: id, thumbprint: thumbprint)
    return token
  }

  /// OpenID Connect Core §2, §12.2.
  private func idToken(of signIn: SignIn, accessToken: String, _ now: Date, isFirst: Bool) throws -> String {
    let key = quirks.signature == .ofAnotherKey ? keys.impostor : keys.current
    let issuedAt = Int(now.timeIntervalSince1970)
    var claims: [String: JSON] = [
      "iss": .string(identifier), "sub": .string(signIn.account.subject), "aud": .string(options.clientID),
      "iat": .integer(issuedAt), "exp": .integer(issuedAt + Int(options.idTokenLifetime / .seconds(1))),
      "auth_time": .integer(Int(signIn.authenticatedAt.timeIntervalSince1970)), "acr": .string(signIn.context),
      "at_hash": .string(key.leftHalf(accessToken)),
    ]
    if isFirst, let nonce = signIn.nonce { claims["nonce"] = .string(nonce) }
    claims.merge(userClaims(of: signIn)) { $1 }
    var altered = JSON.object(claims).replacing(quirks.idTokenClaims)
    if !isFirst { altered = altered.replacing(quirks.refreshedIDTokenClaims) }
    return try SignedToken.make(altered, header: quirks.idTokenHeader, key: key, signature: quirks.signature)
  }

  /// OpenID Connect Core §5.4.
  func userClaims(of signIn: SignIn) -> [String: JSON] {
    var claims: [String: JSON] = [:]
    if signIn.scopes.contains("profile") {
      claims["name"] = .string(signIn.account.name)
      claims["preferred_username"] = .string(signIn.account.username)
    }
    if signIn.scopes.contains("email") { claims["email"] = .string(signIn.account.email) }
    return claims
  }
}
#endif
