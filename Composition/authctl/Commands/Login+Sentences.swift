import AuthenticationKit

extension Login {
  /// Why nobody is signed in when the time is over. An issuer that does not know the redirect shows a page that stays.
  var lateness: AuthenticationError {
    guard let registration = openID.registration, registration.flow != .password else { return .timedOut }
    if registration.flow == .device {
      return AuthenticationError(
        .timedOut, "Nobody has used the code in time.", suggestion: "Log in again, perhaps with a longer --timeout.")
    }
    return AuthenticationError(
      .timedOut, "Nobody has come back from the issuer's page in time.",
      suggestion: "Log in again, perhaps with a longer --timeout. If the page refused the redirect: "
        + AuthenticationError.redirectAdvice(to: registration.redirectURI))
  }

  /// What became of the session that was here before.
  static func sentence(onReplaced failure: AuthenticationError) -> String {
    let what = "The session that was here before could not be ended at the provider"
    if failure.code == .unsupportedMethod {
      return "\(what), which revokes no tokens for this client: they live until they expire."
    }
    return "\(what): \(failure.message) The next command that reaches it tries again."
  }
}
