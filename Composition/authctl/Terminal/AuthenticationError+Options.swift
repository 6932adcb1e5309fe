import AuthenticationKit

extension AuthenticationError {
  /// What to do about it in the words of the command line; by default in those of the library.
  var advice: String? { methodAdvice ?? refusalAdvice ?? checkAdvice ?? codeAdvice ?? personalAdvice }

  /// By the method that the library's suggestion names.
  private var methodAdvice: String? {
    guard suggestion?.contains("'password-plain'") == true else { return nil }
    return "If the app client or the server has no SRP, log in with --method password-plain, which sends the password "
      + "as it is, or allow USER_SRP_AUTH there."
  }

  /// By the issuer's own code (RFC 6749 §4.1.2.1, §5.2; OpenID Connect Core §3.1.2.6).
  private var refusalAdvice: String? {
    // A command that refreshes has no options of the client.
    if code == .sessionExpired || suggestion == Self.refreshRefused.suggestion { return nil }
    return switch providerCode {
    case "invalid_scope": "Name the scopes the client is registered for with --scope."
    case "invalid_redirect_uri", "redirect_uri_mismatch": Self.redirectAdvice(to: nil)
    case "invalid_client": "Check --client-id, and with a secret --client-secret-file and --token-auth."
    case "unauthorized_client", "unsupported_grant_type", "unsupported_response_type":
      "Register the client for this --flow, or choose another."
    case "invalid_target": "Check --audience."
    case "invalid_request": "Check --client-id, --scope, --redirect-path and --redirect-port."
    case "invalid_dpop_proof", "use_dpop_nonce": "Check this machine's clock, or log in without --dpop."
    case "login_required", "interaction_required", "consent_required", "account_selection_required":
      suggestion?.contains("session is kept") == true
        ? "Log in again with 'authctl login'; the session is kept."
        : code == .declined ? "Log in again, and agree on the page." : "Log in without --prompt none."
    case "unmet_authentication_requirements": "Ask for other --acr-values, or for none."
    default: nil
    }
  }

  private var checkAdvice: String? {
    switch check {
    case .issuer where message.contains("slash"): "Write --issuer exactly so."
    case .tokenType: "Where the issuer does not support DPoP, log in without --dpop."
    case .authentication: "Ask for another acr with --param claims=…, or for none."
    default: nil
    }
  }

  private var codeAdvice: String? {
    switch code {
    case .redirectPortBusy:
      "Close the program that uses it, or name another --redirect-port that is registered; without one a free port is used."
    case .blankUserName: "Give it with --username."
    case .emptyPassword: "Type it, or give it as a line of standard input with --password-stdin."
    case .invalidEmailAddress: "Write it like ada@example.com."
    case .browserUnavailable: "Use --no-browser, or --flow device."
    case .notSignedIn where suggestion != Self.notSignedIn.suggestion: nil
    case .notSignedIn, .sessionRejected, .sessionExpired, .ambiguousLoss: "Log in with 'authctl login'."
    case .declined where suggestion == Self.declined.suggestion: "Log in again."
    case .recentSignInRequired: "Log in with 'authctl login', then try again at once."
    case .signInExpired: "Log in again; a new code or page is good for some minutes."
    case .clockSkewed: "Set this machine's clock."
    case .originNotAllowed: "Name its origin at 'authctl login' with --allow-origin."
    case .endpointMissing:
      "Look at 'authctl doctor --issuer'; an endpoint that the issuer does not publish is named with --metadata."
    case .confirmationRequired: "Say so with 'authctl logout --lose-anonymous-account'."
    case .userPresenceRequired: Self.unlock
    case .storageUnavailable where isAboutKeyring: Self.unlock
    default: nil
    }
  }

  private var isAboutKeyring: Bool {
    ["keyring is", "keychain is", "Secret Service gave", "Secret Service did"].contains { message.contains($0) }
  }

  private static let unlock =
    "Unlock the keyring and try again; nothing was erased. 'authctl login --storage file' does without it."

  /// - Parameter uri: where the page returns to; nil where that is not known.
  static func redirectAdvice(to uri: String?) -> String {
    "Register \(uri ?? "the redirect") at the issuer, or name the one that is with --redirect-port and --redirect-path."
  }
}
