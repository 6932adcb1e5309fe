import AuthenticationDomain

extension AuthenticationError {
  static let declined = Self(
    .declined, "The person, or the issuer in the person's name, said no.", suggestion: "Let the person try again.")
  static let deviceCodeExpired = Self(
    .signInExpired, "The person did not finish in the time the issuer gave.", suggestion: "Begin the sign-in again.")
  static let codeRefused = Self(
    .invalidCredentials, "The issuer refused the authorization code.",
    suggestion: "Begin the sign-in again: a code is good once, and not for long.")
  static let deviceCodeRefused = Self(
    .signInExpired, "The issuer no longer knows the code that was shown.", suggestion: "Begin the sign-in again.")
  static let clientUnknown = Self(
    .clientRejected, "The issuer does not accept this client, or not for this grant.",
    suggestion: "Check the client id, its secret, and what the client is registered for.")
  static let requestRefused = Self(
    .clientRejected, "The issuer refuses what this client asks for.",
    suggestion: "Check the scopes, resources and grants the client is registered for.")
  static let interactionNeeded = Self(
    .insufficientUserAuthentication, "The issuer wants the person to sign in on its own page.",
    suggestion: "Sign in again, without the prompt 'none'.")
  /// An error of the authorization endpoint, which says nothing about the refresh token (OpenID Connect Core §3.1.2.6).
  static let interactionNeededToRefresh = Self(
    .insufficientUserAuthentication, "The issuer wants the user on its own page before it refreshes the session.",
    suggestion: "Sign in again; the session is kept.")
  static let noRevocation = Self(
    .unsupportedMethod, "The issuer has no endpoint that revokes tokens.",
    suggestion: "Give the tokens a short lifetime there.")

  /// As ``noRevocation``, at an issuer whose page that ends a session wants a user.
  static let onlyAsksInBrowser = Self(
    .unsupportedMethod,
    "The issuer has no endpoint that revokes tokens, and asks in the browser before it ends the session.",
    suggestion: "End the session on the issuer's page.")

  /// - Parameter code: the issuer's own.
  static func revocationRefused(_ status: Int, _ code: String?) -> Self {
    var error = Self(
      .unsupportedMethod,
      code == "unsupported_token_type"
        ? "The issuer does not revoke tokens of this kind (HTTP \(status))."
        : "The issuer refuses to revoke tokens for this client (HTTP \(status)).",
      suggestion: "Register the client for revocation, or give the tokens a short lifetime there.")
    error.providerCode = code
    return error
  }

  static func revocationAsksInBrowser(_ status: Int) -> Self {
    Self(
      .unsupportedMethod, "The issuer revoked nothing, but answered with a page that asks a user (HTTP \(status)).",
      suggestion: "End the session on the issuer's page.")
  }
  static let tooManyRequests = Self(
    .rateLimited, "The issuer asks for fewer requests.", suggestion: "Try again later.")
  static let unknownCode = Self(
    .unexpectedAnswer, "The issuer refused with a code that is not known here.",
    suggestion: "Look up the error's provider code in the issuer's documentation.")

  /// Names the scopes that the issuer does not list; if there are none, all that were requested.
  static func scopeRefused(of asked: [String], listed: [String]?) -> Self {
    let unlisted = listed.map { listed in asked.filter { !listed.contains($0) } } ?? []
    let words =
      unlisted.isEmpty
      ? "The issuer refuses one of the scopes '\(asked.joined(separator: " "))'."
      : "The issuer refuses the \(unlisted.count == 1 ? "scope" : "scopes") '\(unlisted.joined(separator: " "))'."
    var error = Self(
      .clientRejected, words, suggestion: "Set OpenIDClient.scopes to what the client is registered for.")
    error.providerCode = "invalid_scope"
    return error
  }

  static func issuerFailed(_ status: Int?) -> Self {
    Self(
      .serverFailed, "The issuer failed\(status.map { " (HTTP \($0))" } ?? "").",
      suggestion: "Try again; a session that exists is kept.")
  }

  static func noEndpoint(_ status: Int) -> Self {
    Self(
      .endpointMissing, "There is no such endpoint at the issuer (HTTP \(status)).",
      suggestion: "Check the issuer, and what its discovery document says.")
  }

  /// A redirect could send a token or a password to any host, so none is followed (RFC 9700 §4.12).
  static func redirected(_ status: Int) -> Self {
    Self(
      .unexpectedAnswer, "The issuer's endpoint answered a redirect (HTTP \(status)), which is not followed.",
      suggestion: "Check the issuer's URL and its discovery document.")
  }

  static func unexpected(_ status: Int) -> Self {
    Self(
      .unexpectedAnswer, "The issuer's endpoint answered HTTP \(status), which this call does not expect.",
      suggestion: "Check the issuer, and whether a proxy stands before it.")
  }
}
