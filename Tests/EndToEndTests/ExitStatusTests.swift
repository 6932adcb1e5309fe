import ArgumentParser
import AuthenticationKit
import Foundation
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
        .invalidLink, .challengeReplaced, .resourceRefused,
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
        .unsupportedMethod, .invalidEmailAddress, .malformedCode, .termsNotAccepted,
      ]
    ),
    (
      .unexpected,
      [
        .unexpectedResponse, .responseTooLarge, .endpointMissing, .superseded, .browserUnavailable, .cancelled,
        .confirmationRequired, .otherSessionsRemain, .accessTokenRefused, .redirectPortBusy, .notConfigured,
        .authenticatorFailed,
      ]
    ),
  ]

  @Test(arguments: table.indices) func `each code has its exit status`(row: Int) {
    let (status, codes) = Self.table[row]
    #expect(codes.map { ExitStatus($0) } == codes.map { _ in status })
  }

  @Test func `each code of the library has its row`() throws {
    let table = try #require(SourceText.all(below: "Domain").first { $0.contains("struct AuthenticationError") })
    let codes = table.matches(of: /static let \w+ = Self\(\s*"(\w+)"/).map { String($0.1) }
    #expect(codes.count > 50 && codes.sorted() == Self.table.flatMap { $0.1 }.map(\.code).sorted())
  }

  /// A provider's response has a code, or at least a status.
  @Test func `a usage error comes from the caller's input, and never from a provider's response`() {
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
    (AuthenticationError.storageUnavailable.with(\.reason, .keyring), "--storage file"),
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
      (.unsupportedMethod.with(\.reason, .accountService), "See 'authctl methods'"),
      (.clientRejected.with(\.reason, .registration), "Register it there by hand"),
      (.security.with(\.reason, .issuerSlash), "Write --issuer exactly so."),
      (.unexpectedResponse.with(\.reason, .passwordProtocol), "If the app client or the server has no SRP"),
      (.declined, "Log in again."),
      (
        AuthenticationError(.notSignedIn, "", suggestion: "Run it without --continue.").with(\.reason, .ownAdvice),
        "Run it without --continue."
      ),
      (
        AuthenticationError(.declined, "", suggestion: "Remove one first.").with(\.reason, .account),
        "Remove one first."
      ),
    ] as [(AuthenticationError, String)])
  func `a failure advises the user, not the developer of an app`(error: AuthenticationError, advice: String) {
    #expect(error.advice?.hasPrefix(advice) == true, "\(error.advice ?? "")")
  }

  @Test func `a full disk is not told to unlock anything`() {
    let error = AuthenticationError(.storageUnavailable, "The file cannot be written.", suggestion: "Make room.")
    #expect(error.advice == "Make room.")
  }
}

/// The command line decides by codes and reasons: a better sentence of the library changes nothing that a script sees.
@Suite struct DecisionTests {
  typealias ExitStatus = AuthCTLCommands.ExitStatus

  /// All that a failure decides: exit statuses, the options that it names, and the advice.
  private struct Decisions: Equatable {
    let statuses: [ExitStatus]
    let options: [String]
    var advice: String?

    init(_ error: AuthenticationError, _ login: Login) {
      statuses = [ExitStatus(error), ExitStatus(refresh: error), login.status(of: error)]
      let named = [error.naming(AuthenticationError.issuerOptions), error.naming(ProviderKind.supabase.options)]
      options = named.map { $0.message.split(separator: " ").first.map(String.init) ?? "" }.filter {
        $0.hasPrefix("--")
      }
      advice = error.advice
    }

    /// The same for an error with another suggestion, which is the advice if this program has none.
    func suggesting(_ suggestion: String?) -> Self {
      var other = self
      if advice == DecisionTests.suggestion { other.advice = suggestion }
      return other
    }
  }

  private static let suggestion = "Another suggestion."
  private static let codes = ExitStatusTests.table.flatMap { $0.1 }
  /// Each reason of the library and of this program, and the parameters that an option sets.
  private static let reasons: [FailureReason?] = [
    nil, .refresh, .keyring, .registration, .account, .deviceAuthorization, .accountService,
    .passwordProtocol, .issuerSlash, .tokenType, .authentication, .metadata, .ownAdvice, .overtaken,
    FailureReason("issuer"), FailureReason("clientID"), FailureReason("redirectPort"), FailureReason("anonKey"),
  ]
  private static let providerCodes: [String?] = [nil, "invalid_client", "invalid_scope", "login_required", "a.code"]

  @Test func `a text of the library decides nothing`() throws {
    let login = try Login.parse(["--base-url", "https://api.example.com"])
    let sentences = try ["Domain", "Data", "Composition"].flatMap(SourceText.all)
      .flatMap { $0.matches(of: /"([A-Z][^"\n]* [^"\n]*)"/).map { String($0.1) } }
    #expect(sentences.count > 1000)
    for code in Self.codes {
      let plain = Decisions(AuthenticationError(code, "m", suggestion: Self.suggestion), login)
      for sentence in sentences {
        let error = AuthenticationError(code, sentence, suggestion: sentence)
        #expect(Decisions(error, login) == plain.suggesting(sentence), "\(error)")
      }
    }
  }

  @Test func `with a reason and a provider's code, another text decides nothing either`() throws {
    let login = try Login.parse(["--base-url", "https://api.example.com"])
    for code in Self.codes {
      for reason in Self.reasons {
        for providerCode in Self.providerCodes {
          let (told, reworded) = (
            AuthenticationError(code, code.message, suggestion: code.suggestion)
              .with(\.reason, reason).with(\.providerCode, providerCode),
            AuthenticationError(code, "m", suggestion: Self.suggestion)
              .with(\.reason, reason).with(\.providerCode, providerCode)
          )
          let expected = Decisions(reworded, login).suggesting(code.suggestion)
          #expect(Decisions(told, login) == expected, "\(told) \(reason?.description ?? "")")
        }
      }
    }
  }

  @Test func `a parameter is told as the option that sets it`() {
    let options = AuthenticationError.issuerOptions + ProviderKind.firebase.options
    let named = ["issuer", "clientID", "scopes", "signingKey", "redirectPort", "redirectURI", "address", "tenantID"]
      .map { AuthenticationError.invalidConfiguration("m", of: $0).naming(options).message }
    #expect(
      named
        == [
          "--issuer", "--client-id", "--scope", "--private-key", "--redirect-port", "--redirect-path",
          "--protected-resource", "--tenant",
        ].map { "\($0) cannot be used. m" })
    let unnamed = AuthenticationError.invalidConfiguration("--issuer", of: "presenter")
    #expect(unnamed.naming(options).message == "--issuer")
  }
}

/// The sources of the package, for rules that no run shows.
enum SourceText {
  static func all(below folder: String) throws -> [String] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
    return try (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }
}
