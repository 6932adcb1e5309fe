import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the service's errors mean. What is in no table keeps the session; its code is reported, never its message.
enum CognitoErrorMapper {
  /// What was asked for: the same error means something else at a sign-in and at a refresh.
  enum Context: Sendable { case signIn, refresh, account }

  static func map(_ response: HTTPResponse, _ context: Context, now: Date) -> AuthenticationError {
    let members = JSONMembers(json: response.body)
    let type = members?["__type"] ?? response.headers["x-amzn-ErrorType"]
    // "prefix#Name" in the body, "Name:uri" in the header.
    let code = type?.split(separator: "#").last?.split(separator: ":").first.map(String.init)
    guard (400...499).contains(response.status) else {
      var error = VendorErrorMapper.map(code, in: [:], response, now: now)
      error.cause = AuthenticationError.Cause(domain: "HTTP", code: response.status)
      return error
    }
    var table = meanings.merging(own[context] ?? [:]) { $1 }
    if let code, let words = (members?["message"] ?? members?["Message"])?.lowercased(),
      let meaning = worded[context]?[code]?.first(where: { words.contains($0.words) })
    {
      table[code] = meaning.error
    }
    return VendorErrorMapper.map(code, in: table, response, now: now)
  }

  private static let own: [Context: [String: AuthenticationError]] = [
    .refresh: [
      "NotAuthorizedException": .sessionRejected, "RefreshTokenReuseException": .sessionRejected,
      "UserNotFoundException": .sessionRejected,
    ],
    .signIn: ["NotAuthorizedException": .invalidCredentials, "UserNotFoundException": .invalidCredentials],
    .account: ["NotAuthorizedException": .declined, "UserNotFoundException": .accessTokenRefused],
  ]

  /// Errors that mean different things, told apart by a part of their message, in lower case; the first counts.
  private static let worded: [Context: [String: [(words: String, error: AuthenticationError)]]] = [
    .refresh: [
      "NotAuthorizedException": [
        ("rotation", .clientRejected), ("client", .clientRejected), ("secret", .clientRejected),
      ]
    ],
    .signIn: [
      "NotAuthorizedException": [
        ("attempts exceeded", .rateLimited()), ("disabled", .userDisabled), ("session", .signInExpired),
        ("client", .clientRejected), ("secret", .clientRejected),
      ],
      "InvalidParameterException": [("not enabled for the client", .clientRejected)],
    ],
    .account: [
      "NotAuthorizedException": [
        ("access token", .accessTokenRefused), ("incorrect", .invalidCredentials), ("client", .clientRejected),
        ("secret", .clientRejected),
      ]
    ],
  ]

  private static let meanings: [String: AuthenticationError] = [
    "PasswordResetRequiredException": .declined, "UserNotConfirmedException": .declined,
    "CodeMismatchException": .wrongCode, "EnableSoftwareTokenMFAException": .wrongCode,
    "WebAuthnClientMismatchException": .wrongCode, "WebAuthnRelyingPartyMismatchException": .wrongCode,
    "ExpiredCodeException": .codeExpired, "WebAuthnChallengeNotFoundException": .signInExpired,
    "WebAuthnCredentialNotSupportedException": .declined, "WebAuthnOriginNotAllowedException": .clientRejected,
    "WebAuthnNotEnabledException": .clientRejected, "WebAuthnConfigurationMissingException": .clientRejected,
    "InvalidPasswordException": .weakPassword(), "PasswordHistoryPolicyViolationException": .weakPassword(),
    "UsernameExistsException": .accountExists, "AliasExistsException": .accountExists,
    "LimitExceededException": .rateLimited(), "TooManyRequestsException": .rateLimited(),
    "TooManyFailedAttemptsException": .rateLimited(),
    "InvalidParameterException": .invalidParameter, "MFAMethodNotFoundException": .invalidParameter,
    "SoftwareTokenMFANotFoundException": .invalidParameter,
    "ResourceNotFoundException": .clientRejected, "UnsupportedOperationException": .clientRejected,
    "UnknownOperationException": .endpointMissing,
    "UserLambdaValidationException": .declined, "ForbiddenException": .declined,
    "UnexpectedLambdaException": .serverFailed, "InvalidLambdaResponseException": .serverFailed,
    "InternalErrorException": .serverFailed, "CodeDeliveryFailureException": .serverFailed,
  ]
}

extension AuthenticationError {
  fileprivate static let invalidParameter = Self(
    .invalidRequest, "Cognito does not accept what was sent.",
    suggestion: "Check the pool's settings: its flows, its factors, and the attributes that it requires.")
}
