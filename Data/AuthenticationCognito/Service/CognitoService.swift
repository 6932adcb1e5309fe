import AuthenticationData
import AuthenticationDomain
#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Calls the operations of a user pool (Amazon Cognito user pools API reference).
struct CognitoService: Sendable {
  let pool: CognitoUserPool
  let url: ServiceURL
  let client: any HTTPClient
  let clock: any AuthenticationClock

  /// - Throws: as ``CognitoErrorMapper`` says, and ``AuthenticationError/Code/unexpectedAnswer`` for a body that is
  ///   neither empty nor a JSON object.
  @discardableResult
  func call(
    _ operation: String, _ body: [String: JSONValue], _ context: CognitoErrorMapper.Context
  ) async throws(AuthenticationError) -> CognitoResponse {
    var request = try url.post(
      "", headers: ["X-Amz-Target": "AWSCognitoIdentityProviderService.\(operation)"], body)
    request.headers["Content-Type"] = "application/x-amz-json-1.1"
    let response = try await client.send(request)
    let now = clock.now
    guard response.isSuccess else { throw CognitoErrorMapper.map(response, context, now: now) }
    guard let members = response.body.isEmpty ? JSONMembers([:]) : JSONMembers(json: response.body) else {
      throw .unexpectedAnswer
    }
    return CognitoResponse(members: members, receivedAt: now, clockOffset: response.clockOffset(receivedAt: now))
  }

  /// An operation that names the app client and a user.
  @discardableResult
  func call(
    _ operation: String, for userName: String, _ body: [String: JSONValue], _ context: CognitoErrorMapper.Context
  ) async throws(AuthenticationError) -> CognitoResponse {
    var body = body
    body["ClientId"] = .string(pool.clientID)
    body["Username"] = .string(userName)
    body["SecretHash"] = secretHash(userName).map(JSONValue.string)
    return try await call(operation, body, context)
  }

  /// An operation in the name of the person who is signed in.
  @discardableResult
  func call(
    _ operation: String, in session: AuthSession, _ body: [String: JSONValue] = [:]
  ) async throws(AuthenticationError) -> CognitoResponse {
    var body = body
    body["AccessToken"] = .string(session.accessToken.value.reveal())
    return try await call(operation, body, .account)
  }

  /// Begins a sign-in, or refreshes a session.
  func initiate(
    _ flow: String, for userName: String, _ parameters: [String: String], session: String? = nil,
    _ context: CognitoErrorMapper.Context = .signIn
  ) async throws(AuthenticationError) -> CognitoResponse {
    var parameters = parameters
    parameters["SECRET_HASH"] = secretHash(userName)
    return try await call(
      "InitiateAuth",
      body(["AuthFlow": .string(flow), "AuthParameters": .object(parameters.mapValues(JSONValue.string))], session),
      context)
  }

  /// Answers a step; the session is the newest one.
  func respond(
    to challenge: String, for userName: String, _ responses: [String: String], session: String?
  ) async throws(AuthenticationError) -> CognitoResponse {
    var responses = responses
    responses["USERNAME"] = userName
    responses["SECRET_HASH"] = secretHash(userName)
    return try await call(
      "RespondToAuthChallenge",
      body(
        ["ChallengeName": .string(challenge), "ChallengeResponses": .object(responses.mapValues(JSONValue.string))],
        session), .signIn)
  }

  /// What the app supplied for the triggers of the pool (`ClientMetadata`); nil if there is nothing.
  var metadata: JSONValue? {
    let attributes = SignInAttributes.current.filter { !$0.key.hasPrefix(Self.attributePrefix) }
    return attributes.isEmpty ? nil : .object(attributes.mapValues { .string($0.reveal()) })
  }

  /// What the app supplied for the account itself, by Cognito's names of the attributes.
  var attributes: [String: String] {
    SignInAttributes.current.filter { $0.key.hasPrefix(Self.attributePrefix) }.mapValues { $0.reveal() }
  }

  static let attributePrefix = "userAttributes."

  private func body(_ body: [String: JSONValue], _ session: String?) -> [String: JSONValue] {
    var body = body
    body["ClientId"] = .string(pool.clientID)
    body["ClientMetadata"] = metadata
    body["Session"] = session.map(JSONValue.string)
    return body
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

/// A successful response.
struct CognitoResponse: Sendable {
  let members: JSONMembers
  /// This device's time (UTC).
  let receivedAt: Date
  /// How far the server's clock is ahead; nil if it did not say.
  let clockOffset: Duration?

  /// What a step gives; empty if there is nothing.
  var parameters: JSONMembers { members.members("ChallengeParameters") ?? JSONMembers([:]) }
}
