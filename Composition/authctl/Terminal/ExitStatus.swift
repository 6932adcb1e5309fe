import ArgumentParser
import AuthenticationKit

/// The exit codes of the contract.
enum ExitStatus: Int32 {
  case unexpected = 1
  case signedOut = 3
  case rejected = 4
  case unreachable = 5
  case storage = 6
  case security = 7
  case resource = 8
  case usage = 64

  var exitCode: ExitCode { ExitCode(rawValue) }

  init(_ code: AuthenticationError.Code) {
    self =
      switch code {
      case .notSignedIn, .sessionExpired, .sessionRejected, .ambiguousLoss, .insufficientUserAuthentication: .signedOut
      case .invalidCredentials, .signUpRefused, .challengeRequired, .declined, .signInExpired, .clientRejected,
        .wrongCode, .codeExpired, .codeReused, .tooManyAttempts, .accountExists, .weakPassword, .captchaRequired,
        .alreadyLinked, .lastMethod, .recentSignInRequired, .userMismatch, .userDisabled, .notVerified, .invalidLink,
        .challengeReplaced:
        .rejected
      case .unreachable, .timedOut, .connectionLost, .serverFailed, .rateLimited: .unreachable
      case .storageUnavailable, .storageCorrupt, .userPresenceRequired: .storage
      case .security, .clockSkewed, .originNotAllowed, .insecureConnection: .security
      case .insufficientScope: .resource
      case .blankUserName, .emptyPassword, .emptyCode, .invalidPhoneNumber, .invalidEmailAddress, .malformedCode,
        .invalidConfiguration, .invalidRequest,
        .unsupportedMethod:
        .usage
      default: .unexpected
      }
  }

  /// Of a failure. What a provider rejected is no wrong call: ``usage`` is for what the caller typed.
  init(_ error: AuthenticationError) {
    let status = Self(error.code)
    self = status == .usage && error.isResponse ? .rejected : status
  }

  /// Of a command that refreshes. A session that ended is ``signedOut`` whatever the reason. Without a usable response,
  /// or with a refusal of the client, it is an outage to a script; a request that the provider rejects as such is
  /// nothing that the caller can mend. The session is kept in both cases.
  init(renewal error: AuthenticationError) {
    let unusable: Set<AuthenticationError.Code> = [
      .unexpectedAnswer, .answerTooLarge, .endpointMissing, .clientRejected,
    ]
    let status = Self(error.code)
    if error.code.disposition == .endsSession || error.code == .sessionExpired {
      self = .signedOut
    } else if error.providerCode.map(Self.requestCodes.contains) == true {
      self = .unexpected
    } else if unusable.contains(error.code) || error.providerCode.map(Self.pageCodes.contains) == true {
      self = .unreachable
    } else {
      self = status == .usage && error.isResponse ? .unexpected : status
    }
  }

  /// Errors of the authorization endpoint, which say nothing about a refresh token (OpenID Connect Core §3.1.2.6).
  private static let pageCodes: Set = [
    "login_required", "interaction_required", "consent_required", "account_selection_required",
  ]

  /// The request or the grant itself is rejected (RFC 6749 §5.2; Identity Toolkit).
  private static let requestCodes: Set = [
    "invalid_request", "unauthorized_client", "unsupported_grant_type", "invalid_scope", "MISSING_REFRESH_TOKEN",
    "INVALID_GRANT_TYPE",
  ]
}

extension AuthenticationError {
  /// Whether a provider's response said so, and not this machine.
  fileprivate var isResponse: Bool { providerCode != nil || cause?.domain == "HTTP" }
}
