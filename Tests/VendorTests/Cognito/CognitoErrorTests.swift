import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationCognito

/// The meaning of each of the service's errors, row by row; none of its messages is shown.
@Suite struct CognitoErrorTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let type: String
    let message: String
    let context: CognitoErrorMapper.Context
    let code: AuthenticationError
    var testDescription: String { "\(context) \(type) \(message)" }
  }

  static func rows(
    _ context: CognitoErrorMapper.Context, _ rows: [(String, String, AuthenticationError)]
  ) -> [Row] {
    rows.map { Row(type: $0.0, message: $0.1, context: context, code: $0.2) }
  }

  static let everywhere: [(String, String, AuthenticationError)] = [
    ("CodeMismatchException", "", .wrongCode), ("EnableSoftwareTokenMFAException", "", .wrongCode),
    ("WebAuthnClientMismatchException", "", .wrongCode), ("WebAuthnRelyingPartyMismatchException", "", .wrongCode),
    ("ExpiredCodeException", "", .codeExpired), ("WebAuthnChallengeNotFoundException", "", .signInExpired),
    ("WebAuthnCredentialNotSupportedException", "", .declined),
    ("WebAuthnOriginNotAllowedException", "", .clientRejected), ("WebAuthnNotEnabledException", "", .clientRejected),
    ("WebAuthnConfigurationMissingException", "", .clientRejected),
    ("InvalidPasswordException", "", .weakPassword), ("PasswordHistoryPolicyViolationException", "", .weakPassword),
    ("UsernameExistsException", "", .accountExists), ("AliasExistsException", "", .accountExists),
    ("LimitExceededException", "", .rateLimited), ("TooManyRequestsException", "", .rateLimited),
    ("TooManyFailedAttemptsException", "", .rateLimited), ("InvalidParameterException", "", .invalidRequest),
    ("MFAMethodNotFoundException", "", .invalidRequest), ("SoftwareTokenMFANotFoundException", "", .invalidRequest),
    ("ResourceNotFoundException", "", .clientRejected), ("UnsupportedOperationException", "", .clientRejected),
    ("UnknownOperationException", "", .endpointMissing), ("UserLambdaValidationException", "", .declined),
    ("UnexpectedLambdaException", "", .serverFailed), ("InvalidLambdaResponseException", "", .serverFailed),
    ("ForbiddenException", "", .declined), ("InternalErrorException", "", .serverFailed),
    ("CodeDeliveryFailureException", "", .serverFailed), ("UnknownException", "", .unexpectedResponse),
  ]

  static let table =
    rows(.refresh, everywhere) + rows(.signIn, everywhere) + rows(.account, everywhere)
    + rows(
      .refresh,
      [
        ("NotAuthorizedException", "Refresh Token has expired", .sessionRejected),
        ("NotAuthorizedException", "Refresh Token has been revoked", .sessionRejected),
        ("NotAuthorizedException", "Invalid Refresh Token", .sessionRejected),
        ("NotAuthorizedException", "User is disabled.", .sessionRejected),
        ("NotAuthorizedException", "Refresh token rotation is enabled for this client.", .clientRejected),
        ("NotAuthorizedException", "Client c is not authorized", .clientRejected),
        ("NotAuthorizedException", "SecretHash does not match for the client: c", .clientRejected),
        ("RefreshTokenReuseException", "", .sessionRejected), ("UserNotFoundException", "", .sessionRejected),
        ("PasswordResetRequiredException", "", .declined),
      ])
    + rows(
      .signIn,
      [
        ("NotAuthorizedException", "Incorrect username or password.", .invalidCredentials),
        ("NotAuthorizedException", "Password attempts exceeded", .rateLimited),
        ("NotAuthorizedException", "User is disabled.", .userDisabled),
        ("NotAuthorizedException", "Invalid session for the user, session is expired.", .signInExpired),
        ("NotAuthorizedException", "Unable to verify secret hash for client c", .clientRejected),
        ("UserNotFoundException", "User does not exist.", .invalidCredentials),
        ("InvalidParameterException", "USER_SRP_AUTH is not enabled for the client.", .clientRejected),
      ])
    + rows(
      .account,
      [
        ("NotAuthorizedException", "Access Token has expired", .accessTokenRefused),
        ("NotAuthorizedException", "Access Token has been revoked", .accessTokenRefused),
        ("NotAuthorizedException", "Incorrect username or password.", .invalidCredentials),
        ("NotAuthorizedException", "User password cannot be reset in the current state.", .declined),
        ("UserNotFoundException", "", .accessTokenRefused),
      ])

  @Test(arguments: table) func `an error has the code of its row in the table`(row: Row) {
    let canary = row.message + " canary"
    let bodies = [
      #"{"__type":"\#(row.type)","message":"\#(canary)"}"#,
      #"{"__type":"com.amazonaws.cognito#\#(row.type)","Message":"\#(canary)"}"#,
    ]
    for body in bodies {
      let error = CognitoErrorMapper.map(amz(400, body), row.context, now: .now)
      #expect(error == row.code)
      #expect(error.providerCode == row.type)
      var dumped = ""
      dump(error, to: &dumped)
      #expect(!(dumped + "\(error)").contains("canary"))
    }
    let headed = amz(400, "{}", headers: ["x-amzn-ErrorType": "\(row.type):http://internal.amazon.com/"])
    #expect(CognitoErrorMapper.map(headed, row.context, now: .now).providerCode == row.type)
  }

  @Test(arguments: [
    "<html>NotAuthorizedException</html>", "", "{", #"{"__type":7}"#, #"{"message":"NotAuthorizedException"}"#, "[]",
    #"{"__type":"Not Authorized"}"#,
  ]) func `nothing but a well-formed error ends a session`(body: String) {
    for status in [400, 401, 403, 500, 503] {
      let error = CognitoErrorMapper.map(amz(status, body), .refresh, now: .now)
      #expect(error.disposition != .endsSession)
      #expect(error.providerCode == nil)
    }
  }

  @Test func `a failure of the server is not the session's end, whatever it is called`() {
    for status in [302, 500, 502, 503] {
      let body = #"{"__type":"NotAuthorizedException","message":"Refresh Token has expired"}"#
      #expect(CognitoErrorMapper.map(amz(status, body), .refresh, now: .now) != .sessionRejected)
    }
  }

  @Test func `the server says how long to wait`() {
    let response = amz(400, #"{"__type":"TooManyRequestsException"}"#, headers: ["Retry-After": "7"])
    #expect(CognitoErrorMapper.map(response, .refresh, now: .now).retryAfter == .seconds(7))
  }
}
