import AuthenticationKit
import Testing

@testable import AuthCTLCommands

/// The table of the contract.
@Suite struct ExitStatusTests {
  typealias ExitStatus = AuthCTLCommands.ExitStatus

  static let table: [(ExitStatus, [AuthenticationError])] = [
    (.signedOut, [.notSignedIn, .sessionExpired, .sessionRejected, .ambiguousLoss, .insufficientUserAuthentication]),
    (.rejected, [.invalidCredentials, .signUpRefused, .challengeRequired, .declined, .signInExpired, .clientRejected]),
    (
      .rejected,
      [
        .wrongCode, .codeExpired, .codeReused, .tooManyAttempts, .accountExists, .weakPassword, .captchaRequired,
        .alreadyLinked, .lastMethod, .recentSignInRequired, .userMismatch, .userDisabled, .notVerified,
        .invalidLink, .challengeReplaced,
      ]
    ),
    (.unreachable, [.unreachable, .timedOut, .connectionLost, .serverFailed, .rateLimited]),
    (.storage, [.storageUnavailable, .storageCorrupt, .userPresenceRequired]),
    (.security, [.security, .clockSkewed, .originNotAllowed, .insecureConnection]),
    (.resource, [.insufficientScope]),
    (
      .usage,
      [
        .blankUserName, .emptyPassword, .emptyCode, .invalidPhoneNumber, .invalidConfiguration, .invalidRequest,
        .unsupportedMethod, .invalidEmailAddress, .malformedCode,
      ]
    ),
    (.unexpected, [.unexpectedResponse, .responseTooLarge, .endpointMissing, .superseded, .browserUnavailable]),
  ]

  @Test(arguments: table.indices) func `each code has its exit status`(row: Int) {
    let (status, codes) = Self.table[row]
    #expect(codes.map { ExitStatus($0) } == codes.map { _ in status })
  }

  /// A provider's response has a code, or at least a status.
  @Test func `a wrong call is what the caller typed, and never what a provider said`() {
    for code in [AuthenticationError.unsupportedMethod, .invalidRequest, .invalidEmailAddress, .emptyPassword] {
      var named = AuthenticationError(code, "")
      let local = named
      named.providerCode = "OPERATION_NOT_ALLOWED"
      let unnamed = AuthenticationError(code, "", cause: .init(domain: "HTTP", code: 400))
      #expect(ExitStatus(local) == .usage)
      for error in [named, unnamed] {
        #expect(ExitStatus(error) == .rejected)
        #expect(ExitStatus(refresh: error) == .unexpected)
      }
    }
  }

  @Test(arguments: [
    (AuthenticationError.userDisabled, ExitStatus.signedOut), (.sessionRejected, .signedOut),
    (.unreachable, .unreachable),
    (.unexpectedResponse, .unreachable), (.clientRejected, .unreachable), (.notSignedIn, .signedOut),
  ])
  func `a refresh that failed says whether the session has ended`(error: AuthenticationError, status: ExitStatus) {
    #expect(ExitStatus(refresh: error) == status)
  }

  @Test(arguments: [
    ("The provider rejects it.", "The provider rejects it (a.code)."), ("What?", "What (a.code)?"),
    ("No", "No (a.code)"),
  ])
  func `the provider's code stands in parentheses`(message: String, told: String) {
    var error = AuthenticationError(.declined, message)
    #expect(error.told == message)
    error.providerCode = "a.code"
    #expect(error.told == told)
  }

  @Test func `the numbers are those of the contract`() {
    #expect(Self.table.map(\.0.rawValue) == [3, 4, 4, 5, 6, 7, 8, 64, 1])
  }
}

/// Failures of the library, in the words of the command line.
@Suite struct OptionAdviceTests {
  @Test(arguments: [
    (AuthenticationError(.storageUnavailable, "The keyring is locked."), "--storage file"),
    (AuthenticationError(.userPresenceRequired, ""), "Unlock the keyring"),
    (AuthenticationError(.originNotAllowed, ""), "--allow-origin"),
    (AuthenticationError(.browserUnavailable, ""), "--no-browser"),
    (.notSignedIn, "authctl login"), (.sessionRejected, "authctl login"),
  ])
  func `a failure says which option helps`(error: AuthenticationError, option: String) {
    #expect(error.advice?.contains(option) == true)
  }

  @Test(
    arguments: [
      (.invalidCredentials, "Check the user name and the password."), (.accountExists, "Sign in to it."),
      (.signUpRefused, "Choose another user name or a stronger password."), (.userDisabled, "Contact support."),
      (
        .weakPassword.with(\.passwordRules, ["12 characters", "a digit"]), "Choose another one: 12 characters, a digit."
      ),
      (.tooManyAttempts, "Wait, or begin again."),
      (AuthenticationError(.unsupportedMethod, "", suggestion: "Offer something else."), "See 'authctl methods'"),
      (AuthenticationError(.notSignedIn, "", suggestion: "Run it without --continue."), "Run it without --continue."),
    ] as [(AuthenticationError, String)])
  func `a failure speaks to the user, not to who writes an app`(error: AuthenticationError, advice: String) {
    #expect(error.advice?.hasPrefix(advice) == true, "\(error.advice ?? "")")
  }

  @Test func `a full disk is not told to unlock anything`() {
    let error = AuthenticationError(.storageUnavailable, "The file cannot be written.", suggestion: "Make room.")
    #expect(error.advice == "Make room.")
  }
}
