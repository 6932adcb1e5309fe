public import AuthenticationBrowser
public import AuthenticationDomain
public import Foundation

/// The services of an OpenID Connect or OAuth 2.1 issuer besides signing in, as `openID` of its provider.
///
/// ```swift
/// if let issuer = root.provider.openID {
///   let info = try await issuer.userInfo(for: root.manager.validSession())
/// }
/// ```
///
/// ### Choose the services
///
/// `root.provider.openID` returns them for each provider of an issuer, a vendor's included; it is nil for a provider
/// without an issuer. ``TokenIntrospection``, ``IDToken`` and ``ExchangedToken`` have no public initializer: services
/// that an app writes forward the calls that return them, or throw.
///
/// ### Errors
///
/// ``AuthenticationError/endpointMissing`` if the issuer does not have the endpoint. No error ends the session, and no
/// call refreshes it: after ``AuthenticationError/accessTokenRefused`` ask the manager for another token with
/// `validSession(rejecting:)`, and call again.
///
/// ### Concurrency
///
/// The calls are not isolated, and may overlap with each other and with a refresh. They read and write no session: the
/// caller passes one in.
public protocol OpenIDServices: Sendable {
  /// Returns the issuer's claims about the session's user (OpenID Connect Core §5.3), and nothing else.
  ///
  /// - Throws: ``AuthenticationError/security`` with the reason `subject` if the response is about another
  ///   user (§5.3.2), ``AuthenticationError/accessTokenRefused`` for HTTP 401, and
  ///   ``AuthenticationError/endpointMissing``.
  func userInfo(for session: AuthSession) async throws(AuthenticationError) -> User

  /// Asks the issuer about the session's access token (RFC 7662 §2.1).
  ///
  /// - Throws: ``AuthenticationError/clientRejected`` if this client may not ask (many issuers require a secret),
  ///   and ``AuthenticationError/endpointMissing``.
  func introspect(_ session: AuthSession) async throws(AuthenticationError) -> TokenIntrospection

  /// Validates an ID token of this issuer that the app got in another way, such as from the issuer's own SDK (OpenID
  /// Connect Core §3.1.3.7): signed with the issuer's keys, for this client, and not expired. Nothing is stored, and no
  /// session begins.
  ///
  /// - Parameters:
  ///   - token: as it was received.
  ///   - nonce: the one the app sent with its request (§15.5.2). Without one, an attacker could pass in another user's
  ///     token for this client.
  /// - Throws: ``AuthenticationError/security`` with the failed check as its reason, also if it is no JWT of three segments
  ///   within 64 KiB; and the errors of fetching the issuer's keys.
  func validate(_ token: Secret, nonce: String?) async throws(AuthenticationError) -> IDToken

  /// Exchanges a token for one that another service accepts (RFC 8693 §2). Nothing is stored.
  ///
  /// ```swift
  /// if let issuer = root.provider.openID {
  ///   let session = try await root.manager.validSession()
  ///   let token = try await issuer.exchange(
  ///     session.accessToken.value, type: .accessToken, for: nil, audiences: ["reports"], resources: [],
  ///     scopes: ["reports.read"])
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - subjectToken: identifies the user for whom the new token is used.
  ///   - type: of the subject token (`subject_token_type`, RFC 8693 §2.1).
  ///   - requestedType: of the new token; nil lets the issuer choose.
  ///   - audiences: names of the services that will receive the token.
  ///   - resources: addresses of them (`resource`, RFC 8707 §2).
  ///   - scopes: of the new token; empty lets the issuer choose.
  /// - Throws: ``AuthenticationError/invalidCredentials`` if the issuer refuses the subject token, and
  ///   ``AuthenticationError/clientRejected`` if this client may not exchange it, or not for the requested token.
  func exchange(
    _ subjectToken: Secret, type: ExchangedToken.TokenType, for requestedType: ExchangedToken.TokenType?,
    audiences: [String], resources: [String], scopes: [String]
  ) async throws(AuthenticationError) -> ExchangedToken

  /// Ends the user's session at the issuer too, on its own page (OpenID Connect RP-Initiated Logout §2). Sign out
  /// here before or after: this call changes nothing that is stored.
  ///
  /// The page's address contains the client id and a hint of the user (`logout_hint`), but no token: addresses end up
  /// in histories and logs. The issuer may ask the user for confirmation.
  ///
  /// - Parameters:
  ///   - session: whose session ends there.
  ///   - presenter: shows the page; nil for the client's own.
  ///   - redirect: where the page returns to; it must be registered as a post-logout redirect URI.
  /// - Throws: ``AuthenticationError/endpointMissing`` if the issuer does not support this,
  ///   ``AuthenticationError/cancelled`` if the user closes the page, and ``AuthenticationError/security``
  ///   with the reason `state` or `redirect` if the redirect belongs to another request.
  func endSession(
    of session: AuthSession, presenter: (any AuthorizationPresenter)?, postLogoutRedirect redirect: RedirectURI
  ) async throws(AuthenticationError)

  /// Returns the issuer's page that ends the user's session there (OpenID Connect RP-Initiated Logout §2), for an app
  /// that only opens it: with the client's id, and without a redirect back. The issuer may ask the user for
  /// confirmation.
  ///
  /// - Throws: ``AuthenticationError/endpointMissing`` if the issuer has no such page.
  func endSessionPage() async throws(AuthenticationError) -> URL
}

extension RemoteAuthProvider {
  /// The services of the issuer at which this provider signs in, a vendor's included; nil if there is no issuer.
  public var openID: (any OpenIDServices)? {
    // By its type: the vendor's own property, not this one again.
    if let vendor = part(Auth0AuthProvider.self) { return vendor.openID as OpenIDConnectProvider }
    return part((any OpenIDServices).self)
  }
}
