import AuthenticationData
public import AuthenticationDomain

extension OAuthProvider {
  /// GitHub (https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps).
  ///
  /// | their term | ours |
  /// |---|---|
  /// | OAuth app, GitHub App | client |
  /// | device flow | ``AuthenticationDomain/SignInMethod/device`` |
  /// | web application flow | ``AuthenticationDomain/SignInMethod/browser``, with a secret or a backend; PKCE is accepted since 2025 (check) |
  /// | `GET /user`, `login` | ``AuthenticationDomain/User``, whose id is the number, and the claim `login` |
  /// | expiring user token | a refresh token, which only a client with a secret can use |
  /// | `bad_refresh_token` | ``AuthenticationDomain/AuthenticationError/Code/sessionRejected`` |
  /// | judged by | our own dialect server only |
  ///
  /// An OAuth app's token does not expire, and only a backend can revoke it.
  ///
  /// - Parameters:
  ///   - clientID: of the app as it is registered at GitHub.
  ///   - clientSecret: of a program that nobody else has, such as a command line of one's own.
  ///   - exchange: the app's own backend, which adds the secret to the token request and passes it on.
  public static func github(clientID: String, clientSecret: Secret? = nil, exchange: String? = nil) -> Self {
    var provider = Self(
      name: "github", clientID: clientID, tokenEndpoint: exchange ?? "https://github.com/login/oauth/access_token",
      userEndpoint: "https://api.github.com/user")
    if clientSecret != nil || exchange != nil {
      provider.authorizationEndpoint = "https://github.com/login/oauth/authorize"
    }
    provider.authentication = clientSecret.map(ClientAuthentication.secretPost) ?? .none
    provider.deviceAuthorizationEndpoint = "https://github.com/login/device/code"
    provider.emailsEndpoint = "https://api.github.com/user/emails"
    provider.exchangesAtBackend = exchange != nil
    provider.scopes = ["read:user", "user:email"]
    provider.scopeSeparator = ","
    provider.sessionEndingCodes = ["bad_refresh_token"]
    provider.refusals = [
      "bad_verification_code": .codeRefused, "incorrect_client_credentials": .clientRejected,
      "redirect_uri_mismatch": .clientRejected, "unverified_user_email": .unverifiedAddress,
      "incorrect_device_code": .deviceCodeRefused, "device_flow_disabled": .deviceFlowDisabled,
    ]
    provider.user = { answer in
      let members = JSONMembers(answer)
      guard let id = members.identifier("id") else { return nil }
      return User(
        id: id, name: members["name"] ?? members["login"], email: members["email"], picture: members["avatar_url"],
        claims: answer.filter { $0.key == "login" })
    }
    return provider
  }
}

extension AuthenticationError {
  fileprivate static let unverifiedAddress = Self(
    .notVerified, "GitHub asks the person to verify an e-mail address first.",
    suggestion: "Let the person do so in GitHub's settings.")
  fileprivate static let deviceFlowDisabled = Self(
    .unsupportedMethod, "The app at GitHub does not have the device flow switched on.",
    suggestion: "Switch it on in the app's settings.")
}
