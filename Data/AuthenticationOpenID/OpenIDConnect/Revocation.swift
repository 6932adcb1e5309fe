import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Revokes tokens at the issuer (RFC 7009), the refresh token first: its access tokens are revoked with it (§2.1).
struct Revocation: Sendable {
  let client: OpenIDClient
  let environment: AuthProviderConfiguration.Environment

  /// Returns nil if the tokens are revoked or unknown (§2.2), and otherwise why this client can never revoke the refresh
  /// token. Throws if it may succeed later: 503 means that they are still valid (§2.2.1).
  func revoke(_ tokens: SessionTokens, at endpoint: URL) async throws(AuthenticationError) -> AuthenticationError? {
    guard let refresh = tokens.refresh else {
      return try await revoke(tokens.access.value, hint: "access_token", at: endpoint)
    }
    let refusal = try await revoke(refresh.value, hint: "refresh_token", at: endpoint)
    if !client.dialect.revokesRefreshTokensOnly {
      _ = try await revoke(tokens.access.value, hint: "access_token", at: endpoint)
    }
    return refusal
  }

  private func revoke(
    _ token: Secret, hint: String, at endpoint: URL
  ) async throws(AuthenticationError) -> AuthenticationError? {
    let form = FormBody(["token": token.reveal(), "token_type_hint": hint])
    let response = try await environment.httpClient.send(HTTPRequest(posting: form, to: endpoint, by: client))
    if response.asksInBrowser { return .revocationAsksInBrowser(response.status) }
    if response.isSuccess || Self.saysDead(response) { return nil }
    if Self.isFinal(response) {
      return .revocationRefused(response.status, OAuthErrorResponseMapper.code(of: response))
    }
    throw OAuthErrorResponseMapper.map(response, now: environment.clock.now)
  }

  /// How some issuers report a token for which RFC 7009 §2.2 requires 200.
  private static func saysDead(_ response: HTTPResponse) -> Bool {
    let code = OAuthErrorResponseMapper.code(of: response)
    return response.status == 400 && (code == "invalid_token" || code == "invalid_grant")
  }

  /// Whether a retry would get the same response: a token type that is not revoked here, or a client that may not
  /// revoke (an empty 401 is what glewlwyd sends every public client).
  private static func isFinal(_ response: HTTPResponse) -> Bool {
    switch (response.status, OAuthErrorResponseMapper.code(of: response)) {
    case (400, "unsupported_token_type"): true
    case (400...403, "invalid_client"), (400...403, "unauthorized_client"): true
    case (401, nil): response.body.isEmpty
    default: false
    }
  }
}

extension HTTPResponse {
  /// Whether this is a page with a form, which wants a user in a browser: nothing was done. A body is otherwise ignored
  /// (RFC 7009 §2.2).
  var asksInBrowser: Bool {
    guard isSuccess, headers["Content-Type"]?.lowercased().hasPrefix("text/html") == true else { return false }
    return String(decoding: body, as: UTF8.self).lowercased().contains("<form")
  }
}

extension SessionTokens {
  /// Only the access token: other tokens of the person may depend on the rest.
  var accessOnly: SessionTokens { SessionTokens(access: access, proofKey: proofKey) }
}
