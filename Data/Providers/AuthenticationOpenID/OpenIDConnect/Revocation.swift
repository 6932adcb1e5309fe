package import AuthenticationBrowser
import AuthenticationData
package import AuthenticationDomain
package import Foundation
import Synchronization

/// Revokes tokens at the issuer (RFC 7009), the refresh token first: its access tokens are revoked with it (§2.1).
struct Revocation: Sendable {
  let client: OpenIDClient
  let environment: AuthProviderConfiguration.Environment

  /// Returns nil if the tokens are revoked or unknown (§2.2), and otherwise why this client can never revoke the
  /// refresh token. Throws if it may succeed later: 503 means that they are still valid (§2.2.1).
  func revoke(_ tokens: SessionTokens, at endpoint: URL) async throws(AuthenticationError) -> AuthenticationError? {
    guard let refresh = tokens.refresh else {
      return try await revoke(tokens.access.value, hint: "access_token", at: endpoint)
    }
    let refusal = try await revoke(refresh, hint: "refresh_token", at: endpoint)
    if client.dialect.revocation != .refreshTokenOnly {
      _ = try await revoke(tokens.access.value, hint: "access_token", at: endpoint)
    }
    return refusal
  }

  private func revoke(
    _ token: Secret, hint: String, at endpoint: URL
  ) async throws(AuthenticationError) -> AuthenticationError? {
    let form = FormBody(["token": token.reveal(), "token_type_hint": hint])
    let response = try await environment.httpClient.send(
      HTTPRequest(posting: form, to: endpoint, by: client, in: environment))
    if response.asksInBrowser { return .revocationAsksInBrowser(response.status) }
    if response.isGranted || Self.isUnknownToken(response) { return nil }
    if Self.isFinal(response) {
      return .revocationRefused(response.status, OAuthErrorResponseMapper.code(of: response))
    }
    throw OAuthErrorResponseMapper.map(response, now: environment.clock.now)
  }

  /// How some issuers report a token for which RFC 7009 §2.2 requires 200.
  private static func isUnknownToken(_ response: HTTPResponse) -> Bool {
    let code = OAuthErrorResponseMapper.code(of: response)
    return response.canRefuse && (code == "invalid_token" || code == "invalid_grant")
  }

  /// Whether a retry would get the same response: a token type that is not revoked here, or a client that may not
  /// revoke (glewlwyd sends an empty 401 to every public client).
  private static func isFinal(_ response: HTTPResponse) -> Bool {
    switch (response.status, OAuthErrorResponseMapper.code(of: response)) {
    case (_, "unsupported_token_type"), (_, "invalid_client"), (_, "unauthorized_client"): response.canRefuse
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
  /// Only the access token: other tokens of the user may depend on the rest.
  var accessOnly: SessionTokens { SessionTokens(access: access, proofKey: proofKey) }
}

extension OpenIDConnectProvider {
  package func endSession(
    of session: AuthSession, presenter: (any AuthorizationPresenter)?, postLogoutRedirect redirect: RedirectURI
  ) async throws(AuthenticationError) {
    guard let presenter = presenter ?? client.presenter else { throw .noPresenter }
    guard let endpoint = try await issuer.metadata().endpoints[.endSession] else { throw .missing("end session") }
    try redirect.validate()
    try presenter.validate(redirect)
    let state = Base64URL.encode(environment.randomBytes(32))
    let hint = client.dialect.logoutHint(session.user)
    let client = client
    let address = Mutex("")
    let callback = try await presenter.present(redirectingTo: redirect, answering: state) {
      uri async throws(AuthenticationError) in
      address.withLock { $0 = uri }
      return try endpoint.appending(
        FormBody([
          "client_id": client.clientID, "logout_hint": hint, "post_logout_redirect_uri": uri, "state": state,
        ]))
    }
    let response = try AuthorizationResponse(callback)
    guard response.address.isSame(as: address.withLock { $0 }) else { throw .otherRedirect }
    guard response.state.isSame(as: state) else {
      throw .refused(by: .state, "The redirect is for another request to end a session.")
    }
  }

  package func endSessionPage() async throws(AuthenticationError) -> URL {
    guard let endpoint = try await issuer.metadata().endpoints[.endSession] else { throw .missing("end session") }
    return try endpoint.appending(FormBody(["client_id": client.clientID]))
  }

  /// Ends the session without a browser, by POST (§2), so that the ID token is in no address. The response says little:
  /// a redirect may lead to a page that asks the user.
  ///
  /// - Returns: whether the response itself is a page that asks the user.
  func endSessionSilently(_ identity: Secret, at endpoint: URL) async -> Bool {
    let form = FormBody(["id_token_hint": identity.reveal(), "client_id": client.clientID])
    return (try? await environment.httpClient.send(HTTPRequest(posting: form, to: endpoint)))?.asksInBrowser == true
  }
}
