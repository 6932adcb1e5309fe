import AuthenticationDomain

/// What a resource reports in a 401 or 403 response to an access token.
struct AccessRefusal {
  private let status: Int
  private let challenges: [AuthenticateChallenge]
  private let isAfterProcessing: Bool

  /// Nil for every other response, and for one from an origin to which the token was not sent.
  init?(_ response: HTTPResponse) {
    guard response.status == 401 || response.status == 403, !response.isFromOtherOrigin else { return nil }
    status = response.status
    isAfterProcessing = response.isAfterProcessing
    challenges = response.challenges.filter { $0.scheme == "bearer" || $0.scheme == "dpop" }
  }

  /// 401 with a challenge for the token, and not of a page to which a processed request led: the resource checked the
  /// token, and did nothing else.
  var isUnprocessed: Bool { status == 401 && !challenges.isEmpty && !isAfterProcessing }

  /// 401 because of the token: `invalid_token`, or no reason given (RFC 6750 §3.1).
  var isOfToken: Bool {
    guard status == 401 else { return false }
    let reasons = challenges.compactMap { $0.parameters["error"] }
    return reasons.isEmpty || reasons.contains("invalid_token")
  }

  /// The error for a refusal that a new token of the same sign-in would not resolve.
  var error: AuthenticationError? {
    for challenge in challenges {
      switch (status, challenge.parameters["error"]) {
      case (403, "insufficient_scope"): return .insufficientScope(challenge)
      case (401, "insufficient_user_authentication"): return .insufficientUserAuthentication(challenge)
      default: break
      }
    }
    return nil
  }
}

extension HTTPResponse {
  /// Whether the server says that it has not processed the request: a 401 with a `Bearer` or `DPoP` challenge (RFC 9110
  /// §15.5.2, RFC 6750 §3, RFC 9449 §7.1). Any request may then be sent once more, with another token; compare
  /// ``HTTPRequest/isIdempotent``.
  public var wasNotProcessed: Bool { AccessRefusal(self)?.isUnprocessed ?? false }

  package var challenges: [AuthenticateChallenge] {
    headers.values(of: "WWW-Authenticate").flatMap(AuthenticateChallenge.parse)
  }
}

extension AuthenticationError {
  fileprivate static func insufficientScope(_ challenge: AuthenticateChallenge) -> Self {
    var error = Self(
      .insufficientScope, "The resource asks for a scope that this session was not granted.",
      suggestion: "Sign in again and ask for the error's required scopes.")
    error.requiredScopes = challenge.list("scope")
    return error
  }

  fileprivate static func insufficientUserAuthentication(_ challenge: AuthenticateChallenge) -> Self {
    var error = Self(
      .insufficientUserAuthentication, "The resource asks that the person signs in again, or more strongly.",
      suggestion: "Sign in again with the error's requirements, then repeat the request.")
    let maxAge = challenge.parameters["max_age"].flatMap { Int($0) }.flatMap { $0 >= 0 ? Duration.seconds($0) : nil }
    error.requirements = AuthenticationRequirements(acrValues: challenge.list("acr_values"), maxAge: maxAge)
    return error
  }
}

extension AuthenticateChallenge {
  fileprivate func list(_ name: String) -> [String] {
    (parameters[name] ?? "").split(separator: " ").prefix(32).map(String.init)
  }
}
