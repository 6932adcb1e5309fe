import AuthenticationBrowser
import AuthenticationData
import AuthenticationDomain
import Foundation

/// The browser part of the authorization code grant with PKCE (RFC 6749 §4.1, RFC 7636, RFC 8252): from the request to
/// a code whose state, redirect URI and issuer are checked. Several sign-ins may run concurrently.
struct AuthorizationCodeFlow: Sendable {
  let client: OpenIDClient
  let environment: AuthProviderConfiguration.Environment
  let pending: PendingAuthorizations<AuthorizationTransaction>
  /// The app's data for this sign-in.
  var attributes: Attributes = [:]
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
    try client.dialect.checkHints(request.hints)
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
  /// the reason `state`.
  ///
  /// - Parameter state: of the one sign-in that is waited for; nil for any.
  func accept(_ callback: URL, only state: String? = nil) throws(AuthenticationError) -> AuthorizationGrant {
    let response = try AuthorizationResponse(callback)
    guard let answered = response.state else { throw response.faultWithoutState }
    if let state, !answered.isSame(as: state) { throw .unknownState }
    guard let transaction = try pending.take(state: answered, of: client) else {
      // The expected response is no attack: its data was removed meanwhile.
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
    for name in client.dialect.attributes[.browser] ?? [] {
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

extension BrowserSignIn {
  /// The same without a page; nil if the page is wanted in any case.
  var withoutPage: BrowserSignIn? {
    guard let returning = hints.returning, hints.prompt.isEmpty else { return nil }
    var request = self
    request.hints.prompt = ["none"]
    request.hints.userName = hints.userName ?? returning.user.email
    return request
  }

  /// The same on the page, where another account may be chosen: an ID token would refuse that.
  var onPage: BrowserSignIn {
    var request = self
    request.hints.userName = hints.userName ?? hints.returning?.user.email
    request.hints.returning = nil
    return request
  }
}

extension AuthorizationResponse {
  /// Returns the code if everything in the response matches the transaction.
  ///
  /// If the issuer names itself, it must be the one that was asked, whether it announced the parameter or not. If it
  /// announced the parameter and does not send it, the response is refused, whether it contains a code or an error (RFC
  /// 9207 §2.4).
  ///
  /// Throws ``AuthenticationError/security`` with the reason `redirect` or `issuer`, and the
  /// meaning of the issuer's own error (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6).
  func code(
    for transaction: AuthorizationTransaction, refusals: VendorRefusals = VendorRefusals()
  ) throws(AuthenticationError) -> Secret {
    guard address.isSame(as: transaction.redirectURI) else { throw .otherRedirect }
    let issuer = parameters["iss"]
    if let issuer, !issuer.isSame(as: transaction.issuer) {
      throw .refused(by: .issuer, "The response is from another issuer than the one that was asked.")
    }
    if issuer == nil && transaction.expectsIssuer {
      throw .refused(by: .issuer, "The issuer always names itself in its responses, and did not in this one.")
    }
    if let error = parameters["error"] {
      guard parameters["code"] == nil else { throw .refused(by: .redirect, "The redirect has a code and an error.") }
      throw refusals.meaning(of: error) ?? Self.refusal(error, of: transaction)
    }
    guard let code = parameters["code"], !code.isEmpty else {
      throw .refused(by: .redirect, "The redirect has neither a code nor an error.")
    }
    return Secret(code)
  }

  private static func refusal(_ code: String, of transaction: AuthorizationTransaction) -> AuthenticationError {
    var error = OAuthErrorResponseMapper.map(code: code, refusal: .requestRefused)
    let needsUser = [
      "login_required", "interaction_required", "consent_required", "account_selection_required",
    ]
    // A page was shown, so that the failure is the user's.
    if needsUser.contains(code), !transaction.prompt.contains("none") {
      error = .declined
      error.providerCode = code
    }
    if error == .insufficientUserAuthentication { error.requirements = transaction.requirements }
    return error
  }
}

extension AuthenticationError {
  fileprivate static let organizationUnsupported = Self(
    .invalidRequest, "This client cannot ask for an organization.", suggestion: "Leave out SignInHints.organization.")
}
