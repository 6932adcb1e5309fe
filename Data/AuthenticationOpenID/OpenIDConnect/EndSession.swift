import AuthenticationData
public import AuthenticationDomain
import Synchronization
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension OpenIDConnectProvider {
  /// Ends the person's session at the issuer too, on its own page (OpenID Connect RP-Initiated Logout §2). Sign out
  /// here before or after: this call changes nothing that is stored.
  ///
  /// The page's address contains the client id and a hint of the person (`logout_hint`), but no token: addresses end up
  /// in histories and logs. The issuer may ask the person for confirmation.
  ///
  /// - Parameters:
  ///   - session: whose session ends there.
  ///   - presenter: shows the page; by default the client's own.
  ///   - redirect: where the page returns to; it must be registered as a post-logout redirect URI.
  /// - Throws: ``AuthenticationError/Code/endpointMissing`` if the issuer does not support this,
  ///   ``AuthenticationError/Code/cancelled`` if the person closes the page, and ``AuthenticationError/Code/security``
  ///   with ``SecurityCheck/state`` or ``SecurityCheck/redirect`` if the redirect belongs to another request.
  public func endSession(
    of session: AuthSession, presenter: (any AuthorizationPresenter)? = nil, postLogoutRedirect redirect: RedirectURI
  ) async throws(AuthenticationError) {
    guard let presenter = presenter ?? client.presenter else { throw .noPresenter }
    guard let endpoint = try await issuer.metadata().endSessionEndpoint else { throw .missing("end session") }
    try redirect.validate()
    try presenter.validate(redirect)
    let state = Base64URL.encode(environment.randomBytes(32))
    let (client, hint) = (client, session.user.email ?? session.user.id)
    let address = Mutex("")
    let callback = try await presenter.present(redirectingTo: redirect, answering: state) {
      uri async throws(AuthenticationError) in
      address.withLock { $0 = uri }
      return try endpoint.appending(
        FormBody([
          "client_id": client.clientID, "logout_hint": hint, "post_logout_redirect_uri": uri, "state": state,
        ]))
    }
    let answer = try AuthorizationResponse(callback)
    guard answer.address.isSame(as: address.withLock { $0 }) else {
      throw .refused(by: .redirect, "The redirect came to another address than the one asked for.")
    }
    guard answer.state.isSame(as: state) else {
      throw .refused(by: .state, "The redirect answers another request to end a session.")
    }
  }

  /// Returns the issuer's page that ends the person's session there (OpenID Connect RP-Initiated Logout §2), for an app
  /// that only opens it: with the client's id, and without a redirect back. The issuer may ask the person for
  /// confirmation.
  ///
  /// - Throws: ``AuthenticationError/Code/endpointMissing`` if the issuer has no such page.
  public func endSessionPage() async throws(AuthenticationError) -> URL {
    guard let endpoint = try await issuer.metadata().endSessionEndpoint else { throw .missing("end session") }
    return try endpoint.appending(FormBody(["client_id": client.clientID]))
  }

  /// Ends the session without a browser, by POST (§2), so that the ID token is in no address. The response says little:
  /// a redirect may lead to a page that asks the user.
  ///
  /// - Returns: whether the response itself is a page that asks the user.
  func endSessionSilently(_ identity: RawIdentityToken, at endpoint: URL) async -> Bool {
    let form = FormBody(["id_token_hint": identity.value.reveal(), "client_id": client.clientID])
    return (try? await environment.httpClient.send(HTTPRequest(posting: form, to: endpoint)))?.asksInBrowser == true
  }

  /// Ends the session of a refresh token without a browser, at an issuer that takes one there. A token that is unknown
  /// there is a success.
  func endSession(of refresh: RefreshToken, at endpoint: URL) async throws(AuthenticationError) {
    let form = FormBody(["refresh_token": refresh.value.reveal()])
    let client = client.resolved(by: try await issuer.metadata())
    let response = try await environment.httpClient.send(HTTPRequest(posting: form, to: endpoint, by: client))
    if response.asksInBrowser { throw .revocationAsksInBrowser(response.status) }
    guard !response.isSuccess, OAuthErrorResponseMapper.code(of: response) != "invalid_grant" else { return }
    throw OAuthErrorResponseMapper.map(response, now: environment.clock.now)
  }
}
