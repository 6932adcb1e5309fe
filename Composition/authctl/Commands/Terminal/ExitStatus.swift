package import ArgumentParser
import AuthenticationKit

/// The exit codes of the contract.
package enum ExitStatus: Int32, Sendable {
  case unexpected = 1, signedOut = 3, rejected, unreachable, storage, security, resource, usage = 64

  package var exitCode: ExitCode { ExitCode(rawValue) }

  /// Of a failure. A rejection by a provider is no wrong call: ``usage`` is for the caller's input.
  init(_ error: AuthenticationError) {
    if error.isRedirect {
      self = .security
      return
    }
    let status = ExitStatus(code: error)
    self = status == .usage && error.isResponse ? .rejected : status
  }

  /// Of the code alone: the one table of exit statuses.
  init(code error: AuthenticationError) {
    self =
      switch error {
      case .sessionRejected, .ambiguousLoss, .insufficientUserAuthentication, .notSignedIn, .sessionExpired: .signedOut
      case .invalidLink, .challengeReplaced, .invalidCredentials, .wrongCode, .codeExpired, .codeReused,
        .tooManyAttempts, .accountExists, .weakPassword, .captchaRequired, .alreadyLinked, .recentSignInRequired,
        .userMismatch, .lastMethod, .userDisabled, .signUpRefused, .challengeRequired, .resourceRefused, .declined,
        .signInExpired, .clientRejected, .notVerified:
        .rejected
      case .rateLimited, .serverFailed, .unreachable, .connectionLost, .timedOut: .unreachable
      case .storageUnavailable, .userPresenceRequired, .storageCorrupt: .storage
      case .security, .clockSkewed, .insecureConnection, .originNotAllowed: .security
      case .insufficientScope: .resource
      case .blankUserName, .emptyPassword, .termsNotAccepted, .emptyCode, .invalidPhoneNumber, .invalidEmailAddress,
        .malformedCode, .unsupportedMethod, .invalidRequest, .invalidConfiguration:
        .usage
      default: .unexpected
      }
  }

  /// Of a command that refreshes. A session that ended is ``signedOut`` whatever the reason. Without a usable response,
  /// or with a refusal of the client, it is an outage to a script; a request that the provider rejects as such is
  /// nothing that the caller can mend. The session is kept in both cases.
  init(refresh error: AuthenticationError) {
    let unusable: Set<AuthenticationError> = [
      .unexpectedResponse, .responseTooLarge, .endpointMissing, .clientRejected,
    ]
    if error.disposition == .endsSession || error == .sessionExpired {
      self = .signedOut
    } else if error == .resourceRefused {
      self = .rejected
    } else if error.providerCode.map(Self.requestCodes.contains) == true {
      self = .unexpected
    } else if unusable.contains(error) || error.isRedirect || error.providerCode.map(Self.pageCodes.contains) == true {
      self = .unreachable
    } else {
      let status = ExitStatus(code: error)
      self = status == .usage && error.isResponse ? .unexpected : status
    }
  }

  /// The same with a profile's provider. Microsoft Entra ID asks for the user at a refresh as a matter of course: it is
  /// no outage then.
  init(refresh error: AuthenticationError, of options: ProfileOptions) {
    let isUserNeeded = error == .insufficientUserAuthentication
    let isAsked = isUserNeeded || error == .clientRejected
    let profile = isAsked ? try? ProfileFolder(options, Console(isJSON: false)).load() : nil
    switch profile?.provider {
    case ProviderKind.entra.name where isUserNeeded: self = .signedOut
    // No user could sign in again: its key or its secret is all that it has.
    case ProviderKind.service.name: self = .rejected
    default: self = ExitStatus(refresh: error)
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
  /// Whether an endpoint led to another address, which is never followed: the request would be sent on.
  fileprivate var isRedirect: Bool {
    guard self == .unexpectedResponse || self.reason == .metadata, let cause = self.cause else { return false }
    return cause.domain == "HTTP" && (300...399).contains(cause.code ?? 0)
  }

  /// Whether a provider's response said so, and not this machine.
  fileprivate var isResponse: Bool { self.providerCode != nil || self.cause?.domain == "HTTP" }
}

extension AuthenticationError {
  /// The remedy in the words of the command line; by default in those of the library.
  var advice: String? {
    if self.reason == .passwordProtocol {
      return "If the app client or the server has no SRP, log in with --method password-plain, which sends the "
        + "password as it is, or allow USER_SRP_AUTH there."
    }
    return refusalAdvice ?? codeAdvice ?? personalAdvice
  }

  /// By the issuer's own code (RFC 6749 §4.1.2.1, §5.2; OpenID Connect Core §3.1.2.6).
  private var refusalAdvice: String? {
    // A command that refreshes has no options of the client.
    if self == .sessionExpired || self == .clientRejected && self.reason == .refresh { return nil }
    return switch self.providerCode {
    case "invalid_scope": "Name the scopes the client is registered for with --scope."
    case "invalid_redirect_uri", "redirect_uri_mismatch": Self.redirectAdvice(to: nil)
    case "invalid_client": "Check --client-id, and with a secret --client-secret-file and --token-auth."
    case "unauthorized_client", "unsupported_grant_type", "unsupported_response_type":
      "Register the client for this --flow, or choose another."
    case "invalid_target": self == .resourceRefused ? "Check --resource." : "Check --audience."
    case "invalid_request": "Check --client-id, --scope, --redirect-path and --redirect-port."
    case "invalid_dpop_proof", "use_dpop_nonce": "Check this machine's clock, or log in without --dpop."
    case "login_required", "interaction_required", "consent_required", "account_selection_required":
      self.reason == .refresh
        ? "Log in again with 'authctl login'; the session is kept."
        : self == .declined ? "Log in again, and agree on the page." : "Log in without --prompt none."
    case "unmet_authentication_requirements": "Ask for other --acr-values, or for none."
    default: nil
    }
  }

  private var codeAdvice: String? {
    switch self {
    case _ where self.reason == .issuerSlash: "Write --issuer exactly so."
    case _ where self.reason == .tokenType: "Where the issuer does not support DPoP, log in without --dpop."
    case _ where self.reason == .authentication: "Ask for another acr with --param claims=…, or for none."
    case .redirectPortBusy:
      "Close the program that uses it, or name another --redirect-port that is registered; without one a free port is used."
    case .blankUserName: "Give it with --username."
    case .emptyPassword: "Type it, or give it as a line of standard input with --password-stdin."
    case .invalidEmailAddress: "Write it like ada@example.com."
    case .browserUnavailable: "Use --no-browser, or --flow device."
    case .notSignedIn where self.reason != nil: nil
    case .notSignedIn, .sessionRejected, .sessionExpired, .ambiguousLoss: "Log in with 'authctl login'."
    case .declined where self.reason == nil: "Log in again."
    case .recentSignInRequired: "Log in with 'authctl login', then try again at once."
    case .signInExpired: "Log in again; a new code or page is good for some minutes."
    case .clockSkewed: "Set this machine's clock."
    case .originNotAllowed: "Name its origin at 'authctl login' with --allow-origin."
    case .endpointMissing:
      "Look at 'authctl doctor --issuer'; an endpoint that the issuer does not publish is named with --metadata."
    case .confirmationRequired: "Say so with 'authctl logout --lose-anonymous-account'."
    case _ where self == .userPresenceRequired || self.reason == .keyring:
      "Unlock the keyring and try again; nothing was erased. 'authctl login --storage file' does without it."
    default: nil
    }
  }

  /// - Parameter uri: where the page returns to; nil where that is not known.
  static func redirectAdvice(to uri: String?) -> String {
    "Register \(uri ?? "the redirect") at the issuer, or name the one that is with --redirect-port and --redirect-path."
  }
}

extension AuthenticationError {
  /// The library's suggestion; in other words where that speaks to the developer of an app.
  var personalAdvice: String? {
    switch self {
    case .weakPassword:
      "Choose another one\(self.passwordRules.isEmpty ? "" : ": " + self.passwordRules.joined(separator: ", "))."
    case _ where self.reason == .registration: "Register it there by hand, and log in with its --client-id."
    case .captchaRequired: "It cannot be answered here: sign in on the provider's own page."
    case _ where self.reason == .accountService: "See 'authctl methods' and 'authctl account --help'."
    default: suggestion
    }
  }
}

extension AsyncParsableCommand {
  /// Help and exit codes as ArgumentParser has them; its own failures, which fill a screen, as one line.
  static func end(with error: any Error, _ arguments: [String]) -> Never {
    let status = exitCode(for: error)
    if status.isSuccess || error is ExitCode { exit(withError: error) }
    let isUsage = status == .validationFailure
    var sentence = message(for: error).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if sentence.last.map({ ".!?".contains($0) }) != true { sentence += "." }
    let name = configuration.commandName ?? ""
    let commands = configuration.subcommands.map { $0._commandName }
    let command = arguments.prefix(1).filter(commands.contains)
    let failure = AuthenticationError(
      code: isUsage ? "usage" : "unexpected", sentence,
      suggestion: isUsage ? "See '\(([name] + command).joined(separator: " ")) --help'." : nil)
    Console(isJSON: arguments.contains("--json"), program: name).report(failure)
    exit(withError: (isUsage ? ExitStatus.usage : .unexpected).exitCode)
  }
}

extension FailureReason {
  /// An error of this program, whose suggestion is its advice.
  static let ownAdvice = Self("own_advice")
  /// A logout or another login of this profile ended the login.
  static let overtaken = Self("overtaken")
}
