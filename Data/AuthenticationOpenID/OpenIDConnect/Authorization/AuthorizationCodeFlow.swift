import AuthenticationData
import AuthenticationDomain
import Foundation

/// The browser part of the authorization code grant with PKCE (RFC 6749 §4.1, RFC 7636, RFC 8252): from the request to
/// a code whose state, redirect URI and issuer are checked. Several sign-ins may run concurrently.
struct AuthorizationCodeFlow: Sendable {
  let client: OpenIDClient
  let environment: AuthProviderConfiguration.Environment
  let pending: PendingAuthorizations
  /// What the app supplied for this sign-in.
  var attributes: [String: Secret] = [:]
  let metadata: @Sendable () async throws(AuthenticationError) -> IssuerMetadata

  /// Shows the issuer's page, and returns the code with which it ends.
  ///
  /// The transaction is stored before the page is shown, and removed when this returns or throws; only if the process
  /// ends in between does it stay for ``accept(_:only:)``. Throws ``AuthenticationError/security`` with the check that
  /// failed, ``AuthenticationError/declined``, ``AuthenticationError/superseded`` if a sign-out or another
  /// sign-in removed the transaction meanwhile, and the errors of the presenter and of the storage.
  func authorize(_ request: BrowserSignIn) async throws(AuthenticationError) -> AuthorizationGrant {
    guard let presenter = client.presenter else { throw .noPresenter }
    if request.hints.organization != nil, client.dialect.checkOrganization == nil { throw .organizationUnsupported }
    let metadata = try await metadata()
    let client = client.resolved(by: metadata)
    try metadata.checkAuthorization(of: client)
    let begun = AuthorizationTransaction(
      request, of: client, in: environment, expectsIssuer: metadata.sendsIssuerInResponses)
    do throws(AuthenticationError) {
      let callback = try await presenter.present(redirectingTo: client.redirect, answering: begun.state) {
        redirectURI async throws(AuthenticationError) in
        var transaction = begun
        transaction.redirectURI = redirectURI
        try pending.add(transaction)
        return try await page(for: transaction, of: client, request, metadata)
      }
      if Task.isCancelled { throw AuthenticationError.cancelled }
      return try accept(callback, only: begun.state)
    } catch {
      // If it cannot be removed now, it expires within 10 minutes.
      _ = try? pending.take(state: begun.state, of: client)
      throw error
    }
  }

  /// Returns the code of a sign-in that this or an earlier process began, from the URL that opened the app.
  ///
  /// Throws as ``authorize(_:)`` does; if there is no transaction, ``AuthenticationError/security`` with
  /// the check `state`.
  ///
  /// - Parameter state: of the one sign-in that is waited for; nil for any.
  func accept(_ callback: URL, only state: String? = nil) throws(AuthenticationError) -> AuthorizationGrant {
    let response = try AuthorizationResponse(callback)
    guard let answered = response.state else { throw response.faultWithoutState }
    if let state, !answered.isSame(as: state) { throw .unknownState }
    guard let transaction = try pending.take(state: answered, of: client) else {
      // The response that was waited for is no attack: what it needs was removed meanwhile.
      throw state == nil ? .unknownState : .signInRemoved
    }
    let code = try response.code(for: transaction, refusals: client.dialect.refusals)
    if let refusal = client.dialect.redirectRefusal(response.parameters) { throw refusal }
    return AuthorizationGrant(code: code, transaction: transaction)
  }

  private func page(
    for transaction: AuthorizationTransaction, of client: OpenIDClient, _ signIn: BrowserSignIn,
    _ metadata: IssuerMetadata
  ) async throws(AuthenticationError) -> URL {
    let endpoint = try metadata.usableAuthorizationEndpoint()
    var client = client
    if !signIn.hints.locales.isEmpty { client.parameters["ui_locales"] = signIn.hints.locales.joined(separator: " ") }
    if let organization = transaction.organization { client.parameters["organization"] = organization }
    for name in client.dialect.pageAttributes {
      if let value = attributes[name]?.reveal() { client.parameters[name] = value }
    }
    let request = AuthorizationRequest(
      client: client, transaction: transaction, userNameHint: signIn.hints.userName,
      identityTokenHint: signIn.hints.returning?.identityToken)
    guard metadata.takesPushedRequests(of: client) else {
      return try endpoint.appending(try request.parameters(clientID: client.clientID))
    }
    let reference = try await request.push(to: metadata.endpoints[.pushedAuthorizationRequest], in: environment)
    return try endpoint.appending(FormBody(["client_id": client.clientID, "request_uri": reference]))
  }
}

extension AuthenticationError {
  fileprivate static let organizationUnsupported = Self(
    .invalidRequest, "This client cannot ask for an organization.", suggestion: "Leave out SignInHints.organization.")

  fileprivate static let signInRemoved = Self(
    .superseded, "A sign-out or another sign-in ended this one while its page was open.",
    suggestion: "Begin the sign-in again.")
}
