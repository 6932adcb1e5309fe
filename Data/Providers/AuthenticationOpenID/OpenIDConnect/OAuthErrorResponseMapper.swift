package import AuthenticationData
import AuthenticationDomain
import Foundation

/// Classifies an issuer's refusals (RFC 6749 §5.2). Only the error code is read; messages are never shown or logged.
enum OAuthErrorResponseMapper {
  /// - Parameters:
  ///   - refusal: the meaning of `invalid_grant` for this call.
  ///   - vendor: the table that is looked up first.
  static func map(
    _ response: HTTPResponse, refusal: AuthenticationError = .invalidCredentials,
    vendor: VendorRefusals = VendorRefusals(), now: Date
  ) -> AuthenticationError {
    if let error = vendor.meaning(of: response, now: now) { return error }
    // Servers use 403 for `invalid_grant` and `invalid_code`, and 200 for several.
    let table = response.canRefuse ? meanings(refusal) : [:]
    var error = HTTPErrorMapper.map(response, code: code(of: response), in: table, now: now)
    error.providerCode = error.providerCode ?? response.members.flatMap(otherCode).flatMap(response.plainToken)
    if response.isSuccess, error.response == nil { error.response = error.providerCode == nil ? .unusable : .refused }
    return error
  }

  /// The code where it stands in another member than `error`: it is told, and decides nothing.
  private static func otherCode(of body: JSONMembers) -> String? { errorCode(of: body) ?? body["code"] }

  fileprivate static func errorCode(of body: JSONMembers) -> String? {
    body["error_code"] ?? body.members("error")?["code"]
  }

  /// The meaning of a code by itself, whichever endpoint sent it (RFC 6749 §4.1.2.1, §5.2; OpenID Connect Core
  /// §3.1.2.6).
  static func map(code: String, refusal: AuthenticationError = .invalidCredentials) -> AuthenticationError {
    (meanings(refusal)[code] ?? .unknownCode).with(\.providerCode, HTTPErrorMapper.plainToken(code))
  }

  /// The code of an error response, whatever its status and its media type; nil if it has none, and for a success with
  /// an access token.
  static func code(of response: HTTPResponse) -> String? {
    guard let members = response.members, !response.isSuccess || members["access_token"] == nil else { return nil }
    return members["error"].flatMap(response.plainToken)
  }

  private static func meanings(_ refusal: AuthenticationError) -> [String: AuthenticationError] {
    let codes: [String: AuthenticationError] = [:].adding([
      refusal: ["invalid_grant", "invalid_code"], .clientUnknown: ["invalid_client", "unauthorized_client"],
      .requestRefused: [
        "invalid_request", "invalid_scope", "invalid_target", "unsupported_grant_type", "unsupported_response_type",
        "invalid_request_object", "invalid_request_uri", "request_not_supported", "request_uri_not_supported",
        "invalid_dpop_proof", "use_dpop_nonce",
      ], .declined: ["access_denied"], .deviceCodeExpired: ["expired_token"], .rateLimited: ["slow_down"],
      .serverFailed: ["temporarily_unavailable", "server_error"],
      refusal == .sessionRejected ? .interactionNeededToRefresh : .interactionNeeded: [
        "login_required", "interaction_required", "consent_required", "account_selection_required",
        "unmet_authentication_requirements",
      ],
    ])
    // A refresh differs from one that worked in its refresh token alone: the client need not be at fault.
    return refusal == .sessionRejected
      ? codes.adding([.refreshRefused: ["invalid_client", "invalid_request"]]) : codes
  }
}

extension AuthenticationError {
  static let deviceCodeExpired = Self(
    .signInExpired, "The user did not finish in the time the issuer gave.", suggestion: "Begin the sign-in again.")
  static let codeRefused = Self(
    .invalidCredentials, "The issuer refused the authorization code.",
    suggestion: "Begin the sign-in again: a code can be used once, and expires soon.")
  static let deviceCodeRefused = Self(
    .signInExpired, "The issuer no longer knows the code that was shown.", suggestion: "Begin the sign-in again.")
  static let clientUnknown = Self(
    .clientRejected, "The issuer does not accept this client, or not for this grant.",
    suggestion: "Check the client id, its secret, and what the client is registered for.")
  static let requestRefused = Self(
    .clientRejected, "The issuer refuses what this client asks for.",
    suggestion: "Check the scopes, resources and grants the client is registered for.")
  fileprivate static let interactionNeeded = Self(
    .insufficientUserAuthentication, "The issuer wants the user to sign in on its own page.",
    suggestion: "Sign in again, without the prompt 'none'.")
  /// An error of the authorization endpoint, which says nothing about the refresh token (OpenID Connect Core §3.1.2.6).
  static let interactionNeededToRefresh = Self(
    .insufficientUserAuthentication, "The issuer wants the user on its own page before it refreshes the session.",
    suggestion: "Sign in again; the session is kept."
  ).with(\.reason, .refresh)
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
    return Self(
      .unsupportedMethod,
      code == "unsupported_token_type"
        ? "The issuer does not revoke tokens of this kind (HTTP \(status))."
        : "The issuer refuses to revoke tokens for this client (HTTP \(status)).",
      suggestion: "Register the client for revocation, or give the tokens a short lifetime there."
    ).with(\.providerCode, code)
  }

  static func revocationAsksInBrowser(_ status: Int) -> Self {
    Self(
      .unsupportedMethod, "The issuer revoked nothing, but sent a page that asks a user (HTTP \(status)).",
      suggestion: "End the session on the issuer's page.")
  }
  fileprivate static let unknownCode = Self(
    .unexpectedResponse, "The issuer refused with a code that is not known here.",
    suggestion: "Look up the error's provider code in the issuer's documentation.")

  /// Names the scopes that the issuer does not list; if there are none, all that were requested.
  static func scopeRefused(of asked: [String], listed: [String]?) -> Self {
    let unlisted = listed.map { listed in asked.filter { !listed.contains($0) } } ?? []
    let words =
      unlisted.isEmpty
      ? "The issuer refuses one of the scopes '\(asked.joined(separator: " "))'."
      : "The issuer refuses the \(unlisted.count == 1 ? "scope" : "scopes") '\(unlisted.joined(separator: " "))'."
    return Self(
      .clientRejected, words, suggestion: "Set OpenIDClient.scopes to what the client is registered for."
    ).with(\.providerCode, "invalid_scope")
  }
}

extension HTTPResponse {
  /// Whether this is a refusal by glewlwyd: 400 or 403 with an empty body, and with the `no-store` that RFC 6749 §5.1
  /// requires of the token endpoint and that a proxy's own response lacks. Treated as `invalid_grant`: otherwise a
  /// signed-in user would never be asked to sign in again.
  var isEmptyInvalidGrant: Bool {
    (status == 400 || status == 403) && body.isEmpty && !isFromOtherOrigin
      && headers.values(of: "Cache-Control").contains { $0.lowercased().contains("no-store") }
  }

  /// Whether this is a success that reports no refusal: some servers send OAuth errors with status 200.
  var isGranted: Bool {
    guard isSuccess, let members, members["access_token"] == nil else { return isSuccess }
    return members["error"] == nil && OAuthErrorResponseMapper.errorCode(of: members) == nil
  }

  /// The members of the JSON body; nil if it is no object, or if a redirect led to another origin.
  package var members: JSONMembers? { isFromOtherOrigin ? nil : try? JSONMembers(self) }
}
