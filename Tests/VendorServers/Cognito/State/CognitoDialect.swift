#if Tools && OpenID
import AuthenticationDomain
import AuthenticationTestingServers
import Foundation

/// Everything the pool knows.
struct CognitoDialect: VendorDialect {
  let options: LoopbackCognito.Options
  /// By user name.
  var accounts: [String: CognitoAccount] = [:]
  var steps: [String: CognitoStep] = [:]
  var refreshTokens: [String: CognitoRefreshToken] = [:]
  var accessTokens: [String: CognitoAccessToken] = [:]
  /// Codes that confirm an account or reset a password, by user name.
  var codes: [String: String] = [:]
  var messages: [LoopbackCognito.Message] = []
  /// Codes of managed login.
  var managedCodes: [String: CognitoCode] = [:]
  var user = LoopbackOpenIDIssuer.UserAction.approves(.ada)
  /// The name of the account that is signed in at the browser.
  var browserUser: String?
  var claimsOfManagedLogin: [String: JSONValue] = [:]
  var lastID = 0

  init(options: LoopbackCognito.Options) { self.options = options }

  mutating func nextID(_ prefix: String) -> String {
    lastID += 1
    return "\(prefix)-\(lastID)"
  }

  // MARK: Routing

  func operation(_ request: VendorRequest) -> String? {
    if let page = managedOperation(request) { return page }
    let prefix = "AWSCognitoIdentityProviderService."
    guard request.method == "POST", request.path.isEmpty, request.mediaType == "application/x-amz-json-1.1",
      let target = request.recorded.header("X-Amz-Target"), target.hasPrefix(prefix)
    else { return nil }
    return String(target.dropFirst(prefix.count))
  }

  mutating func process(
    _ request: VendorRequest, _ operation: String, at now: Date
  ) throws(VendorRefusal) -> Answer {
    if !request.path.isEmpty { return try managed(request, operation, now) }
    guard let known = Self.members[operation],
      operation != "GetTokensFromRefreshToken" || options.knowsNewerRefresh
    else { throw .cognito("UnknownOperationException") }
    guard let json = try? JSONDecoder().decode([String: JSONValue].self, from: request.recorded.body) else {
      throw .cognito("SerializationException")
    }
    let body = try VendorMembers(json, only: Set(known), else: .cognito("InvalidParameterException"))
    if known.contains("ClientId"), try body.text("ClientId") != options.clientID {
      throw .cognito("ResourceNotFoundException", "User pool client \(options.clientID) does not exist.")
    }
    return Self.answer(try answer(operation, body, now))
  }

  private mutating func answer(
    _ operation: String, _ body: VendorMembers, _ now: Date
  ) throws(VendorRefusal) -> [String: JSONValue]? {
    switch operation {
    case "InitiateAuth": try initiate(body, now)
    case "RespondToAuthChallenge": try respond(body, now)
    case "GetTokensFromRefreshToken": try refresh(body.text("RefreshToken"), now)
    case "RevokeToken": try revoke(body)
    case "GetUser": Self.user(try owner(of: body, now))
    case "SignUp": try signUp(body)
    case "ConfirmSignUp": try confirmSignUp(body)
    case "ForgotPassword": try forgotPassword(body)
    case "ConfirmForgotPassword": try confirmForgotPassword(body)
    case "ChangePassword": try changePassword(body, now)
    default: try deleteUser(body, now)
    }
  }

  // MARK: The wire

  func answer(_ refusal: VendorRefusal, to request: VendorRequest) -> Answer {
    if !request.path.isEmpty { return .error(refusal.code, status: refusal.status) }
    return Self.answer(
      ["__type": .string(refusal.code), "message": refusal.members["message"] ?? "No."], status: refusal.status)
  }

  func refusal(_ code: String) -> VendorRefusal { .cognito(code) }

  private static func answer(_ members: [String: JSONValue]?, status: Int = 200) -> Answer {
    Answer(
      status: status, headers: ["Content-Type": "application/x-amz-json-1.1"],
      body: members.map(VendorToken.json) ?? Data())
  }

  /// The parameters of each operation.
  private static let members: [String: [String]] = [
    "InitiateAuth": ["AuthFlow", "AuthParameters", "ClientId", "ClientMetadata", "Session", "UserContextData"],
    "RespondToAuthChallenge": ["ChallengeName", "ChallengeResponses", "ClientId", "ClientMetadata", "Session"],
    "GetTokensFromRefreshToken": ["ClientId", "ClientSecret", "DeviceKey", "RefreshToken"],
    "RevokeToken": ["ClientId", "ClientSecret", "Token"],
    "GetUser": ["AccessToken"],
    "SignUp": ["ClientId", "ClientMetadata", "Password", "SecretHash", "UserAttributes", "Username"],
    "ConfirmSignUp": ["ClientId", "ConfirmationCode", "SecretHash", "Session", "Username"],
    "ForgotPassword": ["ClientId", "ClientMetadata", "SecretHash", "Username"],
    "ConfirmForgotPassword": ["ClientId", "ConfirmationCode", "Password", "SecretHash", "Username"],
    "ChangePassword": ["AccessToken", "PreviousPassword", "ProposedPassword"],
    "DeleteUser": ["AccessToken"],
  ]
}

extension VendorRefusal {
  static func cognito(_ type: String, _ message: String = "No.") -> Self {
    Self(code: type, status: type == "InternalErrorException" ? 500 : 400, members: ["message": .string(message)])
  }

  static let cognitoCredentials = cognito("NotAuthorizedException", "Incorrect username or password.")
  static let cognitoSession = cognito("NotAuthorizedException", "Invalid session for the user.")
}

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

  /// The scope of tokens that the account services take.
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
