#if Tools && OpenID
import AuthenticationDomain
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
#endif
