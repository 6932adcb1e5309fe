#if Tools && OpenID
import AuthenticationDomain
import Foundation

extension CognitoDialect {
  mutating func signedIn(_ account: CognitoAccount, _ now: Date) -> [String: JSONValue] {
    let result = newTokens(of: account, [Self.accountScope, "openid"], now)
    return ["AuthenticationResult": .object(result), "ChallengeParameters": [:]]
  }

  /// The tokens of a new sign-in.
  mutating func newTokens(
    of account: CognitoAccount, _ scopes: Set<String>, _ now: Date, adding claims: [String: JSONValue] = [:]
  ) -> [String: JSONValue] {
    let origin = nextID("origin")
    let refresh = "refresh-" + OpaqueToken.make()
    refreshTokens[refresh] = CognitoRefreshToken(userName: account.userName, origin: origin, scopes: scopes)
    var result = tokens(of: account, origin, scopes, now, adding: claims)
    result["RefreshToken"] = .string(refresh)
    return result
  }

  /// The tokens that the account services take.
  static let accountScope = "aws.cognito.signin.user.admin"

  private mutating func tokens(
    of account: CognitoAccount, _ origin: String, _ scopes: Set<String>, _ now: Date,
    adding claims: [String: JSONValue] = [:]
  ) -> [String: JSONValue] {
    let expiresAt = now.addingTimeInterval(options.accessTokenLifetime / .seconds(1))
    let common: [String: JSONValue] = [
      "sub": .string(account.subject), "origin_jti": .string(origin), "jti": .string(OpaqueToken.make()),
      "iss": .string("https://cognito-idp.us-east-1.amazonaws.com/\(options.poolID)"),
      "iat": .number(now.timeIntervalSince1970.rounded()), "exp": .number(expiresAt.timeIntervalSince1970.rounded()),
    ]
    let access = VendorToken.make(
      common.merging([
        "token_use": "access", "client_id": .string(options.clientID), "username": .string(account.userName),
        "scope": .string(scopes.sorted().joined(separator: " ")),
      ]) { $1 })
    let identity = VendorToken.make(
      common.merging([
        "token_use": "id", "aud": .string(options.clientID), "cognito:username": .string(account.userName),
        "email": .optional(account.email), "email_verified": "true", "phone_number": .optional(account.phone),
      ]) { $1 }.merging(claims) { $1 }.present)
    accessTokens[access] = CognitoAccessToken(
      userName: account.userName, origin: origin, scopes: scopes, expiresAt: expiresAt)
    return [
      "AccessToken": .string(access), "IdToken": scopes.contains("openid") ? .string(identity) : .null,
      "TokenType": "Bearer", "ExpiresIn": .number(Double(options.accessTokenLifetime.components.seconds)),
    ].present
  }

  /// With rotation each use spends the token; a spent one ends the session once the grace period has passed.
  mutating func refresh(_ token: String?, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    guard let token, let known = refreshTokens[token] else {
      throw .cognito("NotAuthorizedException", "Invalid Refresh Token")
    }
    guard let account = accounts[known.userName] else { throw .cognito("UserNotFoundException") }
    if account.isDisabled { throw .cognito("NotAuthorizedException", "User is disabled.") }
    if let spentAt = known.spentAt, now >= spentAt.addingTimeInterval(options.retryGracePeriod / .seconds(1)) {
      end(known.origin)
      throw .cognito("RefreshTokenReuseException", "Refresh token reuse detected.")
    }
    var result = tokens(of: account, known.origin, known.scopes, now)
    if options.rotatesRefreshTokens {
      refreshTokens[token]?.spentAt = known.spentAt ?? now
      let next = "refresh-" + OpaqueToken.make()
      refreshTokens[next] = CognitoRefreshToken(
        userName: known.userName, origin: known.origin, scopes: known.scopes)
      result["RefreshToken"] = .string(next)
    }
    return ["AuthenticationResult": .object(result), "ChallengeParameters": [:]]
  }

  /// Ends the session of the token, its access tokens with it.
  mutating func revoke(_ body: VendorMembers) throws(VendorRefusal) -> [String: JSONValue]? {
    if let token = try body.text("Token"), let known = refreshTokens[token] { end(known.origin) }
    return nil
  }

  private mutating func end(_ origin: String) {
    refreshTokens = refreshTokens.filter { $0.value.origin != origin }
    accessTokens = accessTokens.filter { $0.value.origin != origin }
  }

  func owner(of body: VendorMembers, _ now: Date) throws(VendorRefusal) -> CognitoAccount {
    guard let token = try body.text("AccessToken").flatMap({ accessTokens[$0] }) else {
      throw .cognito("NotAuthorizedException", "Access Token has been revoked")
    }
    guard now < token.expiresAt else { throw .cognito("NotAuthorizedException", "Access Token has expired") }
    guard token.scopes.contains(Self.accountScope) else {
      throw .cognito("NotAuthorizedException", "Access Token does not have required scopes")
    }
    guard let account = accounts[token.userName] else { throw .cognito("UserNotFoundException") }
    return account
  }
}
#endif
