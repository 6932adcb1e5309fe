import AuthenticationData
import AuthenticationDomain
import Foundation

/// Classifies an issuer's responses outside 2xx (RFC 6749 §5.2). Only the error code is read; messages are never shown
/// or logged.
enum OAuthErrorResponseMapper {
  /// - Parameter refusal: the meaning of `invalid_grant` for this call.
  static func map(
    _ response: HTTPResponse, refusal: AuthenticationError = .invalidCredentials, now: Date
  ) -> AuthenticationError {
    let code = code(of: response)
    var error = meaning(of: response.status)
    // 403 is used by Auth0 for `invalid_grant` and by glewlwyd for `invalid_code`.
    if [400, 401, 403].contains(response.status), let known = code.flatMap({ known($0, refusal) }) { error = known }
    error.providerCode = code
    error.retryAfter = response.retryAfter(now: now)
    return error
  }

  /// The meaning of a code by itself, whichever endpoint sent it (RFC 6749 §4.1.2.1, §5.2; OpenID Connect Core
  /// §3.1.2.6).
  static func map(code: String, refusal: AuthenticationError = .invalidCredentials) -> AuthenticationError {
    (known(code, refusal) ?? .unknownCode).with(\.providerCode, HTTPErrorMapper.plainToken(code))
  }

  /// The code of an error response; nil if it has none.
  static func code(of response: HTTPResponse) -> String? {
    guard !response.isSuccess else { return nil }
    return response.members?["error"].flatMap(HTTPErrorMapper.plainToken)
  }

  /// What a status means without a code. A redirect could send a token or a password to any host, or lead to another
  /// issuer's document, so none is followed (RFC 9700 §4.12).
  static func meaning(of status: Int) -> AuthenticationError {
    switch status {
    case 429: .tooManyRequests
    case 500...599 where status != 501: .issuerFailed(status)
    case 404, 405, 501:
      AuthenticationError(
        .endpointMissing, "There is no such endpoint at the issuer (HTTP \(status)).",
        suggestion: "Check the issuer, and what its discovery document says.")
    case 200, 300...399:
      AuthenticationError(
        .unexpectedResponse, "The issuer's endpoint sent a redirect (HTTP \(status)), which is not followed.",
        suggestion: "Check the issuer's URL and its discovery document.")
    default:
      AuthenticationError(
        .unexpectedResponse, "The issuer's endpoint sent HTTP \(status), which this call does not expect.",
        suggestion: "Check the issuer, and whether a proxy stands before it.")
    }
  }

  private static func known(_ code: String, _ refusal: AuthenticationError) -> AuthenticationError? {
    // A refresh differs from one that worked in its refresh token alone: the client need not be at fault.
    if refusal == .sessionRejected, ["invalid_client", "invalid_request"].contains(code) {
      return .refreshRefused
    }
    return switch code {
    case "invalid_grant", "invalid_code": refusal
    case "invalid_client", "unauthorized_client": .clientUnknown
    case "invalid_request", "invalid_scope", "invalid_target", "unsupported_grant_type", "unsupported_response_type",
      "invalid_request_object", "invalid_request_uri", "request_not_supported", "request_uri_not_supported",
      "invalid_dpop_proof", "use_dpop_nonce":
      .requestRefused
    case "access_denied": .declined
    case "expired_token": .deviceCodeExpired
    case "slow_down": .tooManyRequests
    case "temporarily_unavailable", "server_error": .issuerFailed(nil)
    case "login_required", "interaction_required", "consent_required", "account_selection_required",
      "unmet_authentication_requirements":
      refusal == .sessionRejected ? .interactionNeededToRefresh : .interactionNeeded
    default: nil
    }
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
  fileprivate static let interactionNeededToRefresh = Self(
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
  fileprivate static let tooManyRequests = Self(
    .rateLimited, "The issuer asks for fewer requests.", suggestion: "Try again later.")
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

  static func issuerFailed(_ status: Int?) -> Self {
    Self(
      .serverFailed, "The issuer failed\(status.map { " (HTTP \($0))" } ?? "").",
      suggestion: "Try again; a session that exists is kept.")
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

  /// The JSON body as a value of this type; nil if it is none, or if a redirect led to another origin.
  func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
    isJSON && !isFromOtherOrigin ? try? BoundedJSON.decode(type, from: body) : nil
  }

  /// The members of the JSON body; nil if it is no object, or if a redirect led to another origin.
  var members: JSONMembers? { decoded([String: JSONValue].self).map { JSONMembers($0) } }
}

/// Prints as its type's name, because it contains codes, verifiers or tokens as plain text.
package protocol Redacted: CustomStringConvertible, CustomReflectable {}

extension Redacted {
  package var description: String { "<\(Self.self)>" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
