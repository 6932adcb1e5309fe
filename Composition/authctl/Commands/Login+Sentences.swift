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

  /// What a user may want to know who ends a login while the page is open.
  var interruption: String {
    "Not signed in. If the page refused the redirect: "
      + AuthenticationError.redirectAdvice(to: OpenIDRegistration.redirectURI(openID.redirectPort, openID.redirectPath))
  }

  /// Why there is no sign-in on another device, as the option was given.
  var withoutDevices: String {
    let option = method.map { "--method \($0)" } ?? "--flow \(openID.flow.rawValue)"
    return "\(option) needs a device authorization endpoint, and the issuer names none. "
      + "Choose another one, or name the endpoint with --metadata device_authorization_endpoint=URL."
  }
}

extension AuthenticationError {
  /// Whether the issuer publishes no endpoint for a sign-in on another device.
  var isWithoutDeviceEndpoint: Bool { code == .endpointMissing && message.contains("device authorization") }
}
