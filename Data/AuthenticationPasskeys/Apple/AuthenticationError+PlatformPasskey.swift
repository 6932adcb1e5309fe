#if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
import AuthenticationDomain
import AuthenticationServices

extension AuthenticationError {
  /// What the system says, without its words: they may name accounts.
  static func platform(_ error: any Error) -> Self {
    guard let error = error as? ASAuthorizationError else { return .authenticatorFailed }
    var failure =
      switch error.code {
      case .canceled: AuthenticationError.cancelled
      case .failed: AuthenticationError.notAssociated
      case .matchedExcludedCredential: AuthenticationError.passkeyExists
      case .invalidResponse: AuthenticationError.malformedPasskeyResponse
      default: AuthenticationError.authenticatorFailed
      }
    failure.cause = Cause(domain: "ASAuthorizationError", code: error.errorCode)
    return failure
  }

  static let noSuggestions = Self(
    .unsupportedMethod, "This system does not suggest passkeys for text fields of an app.",
    suggestion: "Ask with presentation: .modal.")

  private static let notAssociated = Self(
    .invalidConfiguration, "The system refused the request; mostly the app is not associated with the domain.",
    suggestion: "Add webcredentials:DOMAIN to the app's associated domains, and the app to webcredentials in "
      + "DOMAIN/.well-known/apple-app-site-association, which Apple's servers fetch up to a day late.")
  private static let authenticatorFailed = Self(
    .authenticatorFailed, "The system could not ask for a passkey.",
    suggestion: "Ask while the app is in front and the anchor is in a window; a passcode must be set on the device.")
}
#endif
