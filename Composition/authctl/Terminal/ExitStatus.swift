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
        .alreadyLinked, .lastMethod, .recentSignInRequired, .userDisabled, .notVerified, .invalidLink,
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

  /// Of a command that refreshes: what is no usable response to that, or a refusal of the client that does not end the
  /// session, is an outage to a script, and the session is kept.
  init(renewal error: AuthenticationError) {
    let unusable: Set<AuthenticationError.Code> = [
      .unexpectedAnswer, .answerTooLarge, .endpointMissing, .clientRejected,
    ]
    self =
      if error.code.disposition == .endsSession {
        .signedOut
      } else {
        unusable.contains(error.code) ? .unreachable : Self(error.code)
      }
  }
}
