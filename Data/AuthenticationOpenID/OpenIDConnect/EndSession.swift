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
  /// here first, or after: nothing stored is touched.
  ///
  /// The page's address names the client and hints at the person (`logout_hint`), and carries no token: addresses end up in
  /// histories and logs. The issuer may ask the person whether to go on.
  ///
  /// - Parameters:
  ///   - presenter: shows the page; by default the client's own.
  ///   - redirect: where the page returns to; it must be registered as a post-logout redirect URI.
  ///
  /// Throws ``AuthenticationError/Code/endpointMissing`` if the issuer cannot,
  /// ``AuthenticationError/Code/cancelled`` where the person closes the page, and
  /// ``AuthenticationError/Code/security`` with ``SecurityCheck/state`` or ``SecurityCheck/redirect`` where what comes
  /// back answers another request.
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

  /// The issuer's page that ends the person's session there (OpenID Connect RP-Initiated Logout §2), for an app that only
  /// opens it: with the client's id, and with nothing by which it could return. The issuer may ask the person.
  ///
  /// Throws ``AuthenticationError/Code/endpointMissing`` if the issuer has no such page.
  public func endSessionPage() async throws(AuthenticationError) -> URL {
    guard let endpoint = try await issuer.metadata().endSessionEndpoint else { throw .missing("end session") }
    return try endpoint.appending(FormBody(["client_id": client.clientID]))
  }

  /// Tells the issuer without a browser, posted (§2): the ID token stands in no address. What it answers says little: a
  /// redirect may lead to a page that asks the person.
  func endSessionSilently(_ identity: RawIdentityToken, at endpoint: URL) async {
    let form = FormBody(["id_token_hint": identity.value.reveal(), "client_id": client.clientID])
    _ = try? await environment.httpClient.send(HTTPRequest(posting: form, to: endpoint))
  }
}
