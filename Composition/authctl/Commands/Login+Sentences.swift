import AuthenticationKit

extension Login {
  /// Why nobody is signed in when the time is over. An issuer that does not know the redirect shows a page that stays.
  var lateness: AuthenticationError {
    guard let registration, registration.flow != .password else { return .timedOut }
    if registration.flow == .device {
      return AuthenticationError(
        .timedOut, "Nobody has used the code in time.", suggestion: "Log in again, perhaps with a longer --timeout.")
    }
    return AuthenticationError(
      .timedOut, "Nobody has come back from the issuer's page in time.",
      suggestion: "Log in again, perhaps with a longer --timeout. If the page refused the redirect: "
        + AuthenticationError.redirectAdvice(to: registration.redirectURI))
  }
}
