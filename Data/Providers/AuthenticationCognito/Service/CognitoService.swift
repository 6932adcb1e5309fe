import AuthenticationData
import AuthenticationDomain
import Foundation
#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Calls the operations of a user pool (Amazon Cognito user pools API reference).
struct CognitoService: Sendable {
  let pool: CognitoUserPool
  let url: ServiceURL
  let client: any HTTPClient
  let clock: any AuthenticationClock

  /// - Throws: as ``CognitoErrorMapper`` says, and ``AuthenticationError/unexpectedResponse`` for a body that is
  ///   neither empty nor a JSON object.
  @discardableResult
  func call(
    _ operation: String, _ body: JSONBody, _ context: CognitoErrorMapper.Context
  ) async throws(AuthenticationError) -> VendorResponse {
    var request = try url.request(
      .post, "", headers: ["X-Amz-Target": "AWSCognitoIdentityProviderService.\(operation)"], body)
    request.headers["Content-Type"] = "application/x-amz-json-1.1"
    let response = try await client.send(request)
    let now = clock.now
    guard response.isSuccess else { throw CognitoErrorMapper.map(response, context, now: now) }
    guard let members = response.body.isEmpty ? JSONMembers([:]) : JSONMembers(json: response.body) else {
      throw .unexpectedResponse
    }
    return VendorResponse(response, members, receivedAt: now)
  }

  /// An operation that names the app client and a user.
  @discardableResult
  func call(
    _ operation: String, for userName: String, _ body: JSONBody, _ context: CognitoErrorMapper.Context
  ) async throws(AuthenticationError) -> VendorResponse {
    let user: JSONBody = ["ClientId": pool.clientID, "Username": userName, "SecretHash": secretHash(userName)]
    return try await call(operation, body.adding(user), context)
  }

  /// An operation in the name of the signed-in user; it takes a scope of managed login.
  @discardableResult
  func call(
    _ operation: String, in session: AuthSession, _ body: JSONBody = [:]
  ) async throws(AuthenticationError) -> VendorResponse {
    try session.checkAccountScope()
    return try await call(operation, body.adding(["AccessToken": session.accessToken.value]), .account)
  }

  /// Begins a sign-in, or refreshes a session.
  func initiate(
    _ name: String, in flow: CognitoFlow, _ parameters: JSONBody, session: String? = nil,
    _ context: CognitoErrorMapper.Context = .signIn
  ) async throws(AuthenticationError) -> VendorResponse {
    let parameters = parameters.adding(["SECRET_HASH": secretHash(flow.userName)])
    let body: JSONBody = ["AuthFlow": name, "AuthParameters": parameters]
    return try await call("InitiateAuth", body.adding(step(session, flow)), context)
  }

  /// Answers a step; the session is the newest one.
  func respond(
    to challenge: String, in flow: CognitoFlow, _ responses: JSONBody, session: String?
  ) async throws(AuthenticationError) -> VendorResponse {
    let responses = responses.adding(["USERNAME": flow.userName, "SECRET_HASH": secretHash(flow.userName)])
    let body: JSONBody = ["ChallengeName": challenge, "ChallengeResponses": responses]
    return try await call("RespondToAuthChallenge", body.adding(step(session, flow)), .signIn)
  }

  private func step(_ session: String?, _ flow: CognitoFlow) -> JSONBody {
    ["ClientId": pool.clientID, "ClientMetadata": flow.attributes.clientMetadata, "Session": session]
  }

  /// HMAC-SHA-256 of the name and the client's id; nil for a client without a secret.
  private func secretHash(_ userName: String) -> String? {
    pool.clientSecret.map { secret in
      let key = SymmetricKey(data: Array(secret.reveal().utf8))
      let message = Array((userName + pool.clientID).utf8)
      return Data(HMAC<SHA256>.authenticationCode(for: message, using: key)).base64EncodedString()
    }
  }
}

/// Cognito's names for the values that an app supplied for a call.
extension Attributes {
  static let accountPrefix = "userAttributes."

  /// For the triggers of the pool (`ClientMetadata`); nil if there is nothing.
  var clientMetadata: Self? {
    let metadata = filter { !$0.key.hasPrefix(Self.accountPrefix) }
    return metadata.isEmpty ? nil : metadata
  }

  /// For the account itself, by Cognito's names of the attributes.
  var ofAccount: Self { filter { $0.key.hasPrefix(Self.accountPrefix) } }
}

extension VendorResponse {
  /// The result of a step; empty if there is none.
  var parameters: JSONMembers { members.members("ChallengeParameters") ?? JSONMembers([:]) }
}

/// The meaning of the service's errors. An error that is in no table keeps the session; its code is reported, never its
/// message.
enum CognitoErrorMapper {
  /// The kind of request: the same error means something else at a sign-in and at a refresh.
  enum Context: Sendable { case signIn, refresh, account }

  static func map(_ response: HTTPResponse, _ context: Context, now: Date) -> AuthenticationError {
    let members = JSONMembers(json: response.body)
    let type = members?["__type"] ?? response.headers["x-amzn-ErrorType"]
    // "prefix#Name" in the body, "Name:uri" in the header.
    let code = type?.split(separator: "#").last?.split(separator: ":").first.map(String.init)
    guard (400...499).contains(response.status) else { return HTTPErrorMapper.map(response, code: code, now: now) }
    var table = tables[context] ?? [:]
    if let code, let words = (members?["message"] ?? members?["Message"])?.lowercased(),
      let meaning = worded[context]?[code]?.first(where: { words.contains($0.words) })
    {
      table[code] = meaning.error
    }
    return HTTPErrorMapper.map(response, code: code, in: table, now: now)
  }

  private static let tables: [Context: [String: AuthenticationError]] = [
    .refresh: common.adding([
      .sessionRejected: ["NotAuthorizedException", "RefreshTokenReuseException", "UserNotFoundException"]
    ]),
    .signIn: common.adding([.invalidCredentials: ["NotAuthorizedException", "UserNotFoundException"]]),
    .account: common.adding([
      .declined: ["NotAuthorizedException"], .accessTokenRefused: ["UserNotFoundException"],
    ]),
  ]

  /// Errors that mean different things, told apart by a part of their message, in lower case; the first counts.
  private static let worded: [Context: [String: [(words: String, error: AuthenticationError)]]] = [
    .refresh: ["NotAuthorizedException": [("rotation", .clientRejected)] + client],
    .signIn: [
      "NotAuthorizedException": [
        ("attempts exceeded", .rateLimited), ("disabled", .userDisabled), ("session", .signInExpired),
      ] + client, "InvalidParameterException": [("not enabled for the client", .clientRejected)],
    ],
    .account: [
      "NotAuthorizedException": [
        ("required scopes", .accountScopeMissing), ("access token", .accessTokenRefused),
        ("incorrect", .invalidCredentials),
      ] + client
    ],
  ]
  private static let client: [(words: String, error: AuthenticationError)] = [
    ("client", .clientRejected), ("secret", .clientRejected),
  ]

  private static let common: [String: AuthenticationError] = [:].adding([
    .declined: [
      "PasswordResetRequiredException", "UserNotConfirmedException", "WebAuthnCredentialNotSupportedException",
      "UserLambdaValidationException", "ForbiddenException",
    ],
    .wrongCode: [
      "CodeMismatchException", "EnableSoftwareTokenMFAException", "WebAuthnClientMismatchException",
      "WebAuthnRelyingPartyMismatchException",
    ],
    .codeExpired: ["ExpiredCodeException"], .signInExpired: ["WebAuthnChallengeNotFoundException"],
    .clientRejected: [
      "WebAuthnOriginNotAllowedException", "WebAuthnNotEnabledException", "WebAuthnConfigurationMissingException",
      "ResourceNotFoundException", "UnsupportedOperationException",
    ],
    .weakPassword: ["InvalidPasswordException", "PasswordHistoryPolicyViolationException"],
    .accountExists: ["UsernameExistsException", "AliasExistsException"],
    .rateLimited: ["LimitExceededException", "TooManyRequestsException", "TooManyFailedAttemptsException"],
    .invalidParameter: [
      "InvalidParameterException", "MFAMethodNotFoundException", "SoftwareTokenMFANotFoundException",
    ], .endpointMissing: ["UnknownOperationException"],
    .serverFailed: [
      "UnexpectedLambdaException", "InvalidLambdaResponseException", "InternalErrorException",
      "CodeDeliveryFailureException",
    ],
  ])
}

extension AuthenticationError {
  fileprivate static let invalidParameter = Self(
    .invalidRequest, "Cognito does not accept what was sent.",
    suggestion: "Check the pool's settings: its flows, its factors, and the attributes that it requires.")
}

/// TIMESTAMP, as in `Tue Mar 3 04:05:06 UTC 2026`, in a fixed calendar, language and 24-hour clock, whatever the device
/// has.
enum CognitoTimestamp {
  private static let style = Date.VerbatimFormatStyle(
    format: """
      \(weekday: .abbreviated) \(month: .abbreviated) \(day: .defaultDigits) \
      \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) \
      UTC \(year: .defaultDigits)
      """, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))

  static func text(_ date: Date) -> String { style.format(date) }
}

/// Maps an `AuthenticationResult` to tokens, and the claims of its ID token to the user.
///
/// The token's signature is not checked: it came from its issuer itself over TLS (OpenID Connect Core §3.1.3.7).
enum CognitoTokenMapper {
  static func tokens(
    _ response: VendorResponse, scopes: [String] = []
  ) throws(AuthenticationError) -> SessionTokens {
    guard let result = response.members.members("AuthenticationResult") else {
      throw .unexpectedResponse.with(\.response, .unusable)
    }
    return try response.tokens(
      access: "AccessToken", refresh: "RefreshToken", identity: "IdToken", expiresIn: "ExpiresIn", of: result,
      type: result["TokenType"] ?? "Bearer", scopes: scopes)
  }

  static func user(_ tokens: SessionTokens) throws(AuthenticationError) -> User {
    guard let claims = JSONMembers(unverified: tokens.identity ?? tokens.access.value) else {
      throw .unexpectedResponse
    }
    return try user(claims)
  }

  /// - Parameter claims: of an ID token, or the attributes of `GetUser`, which have the same names.
  static func user(_ claims: JSONMembers) throws(AuthenticationError) -> User {
    let id = try claims.required("sub")
    return User(
      id: id, name: DisplayNameClaims.name(of: id) { claims[$0] }, email: claims["email"],
      isEmailVerified: claims.flag("email_verified"), phoneNumber: claims["phone_number"], picture: claims["picture"],
      locale: claims["locale"], claims: custom(claims))
  }

  /// The claims that a pool adds: groups, custom attributes, and those of its trigger.
  static func custom(_ claims: JSONMembers) -> [String: JSONValue] {
    claims.claims(without: ["token_use", "origin_jti", "event_id", "client_id", "scope", "version", "username"])
  }

  /// The attributes of an account as claims.
  static func claims(ofAccount response: VendorResponse) -> JSONMembers {
    var claims: [String: JSONValue] = [:]
    for attribute in response.members.list("UserAttributes") {
      if let name = attribute["Name"] { claims[name] = attribute.values["Value"] }
    }
    claims["cognito:username"] = response.members.values["Username"]
    return JSONMembers(claims)
  }
}

extension User {
  /// The name by which the service knows the account.
  var cognitoName: String { claims["cognito:username"]?.text ?? id }
}
