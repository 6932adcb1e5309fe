import AuthenticationBrowser
import AuthenticationData
public import AuthenticationDomain
import Foundation

extension OpenIDClient {
  /// A realm of a Keycloak server, known by its address alone, and the app as it is registered there: a client.
  ///
  /// ```swift
  /// var client = OpenIDClient.keycloak(url: "https://id.example.com", realm: "staff", clientID: "app")
  /// client.presenter = SystemBrowserPresenter()
  /// let root = try MainRoot(.openIDConnect(client))
  /// ```
  ///
  /// | their term | ours |
  /// |---|---|
  /// | direct access grant | ``AuthenticationDomain/PasswordCredentials``; a one-time code as the attribute `totp` |
  /// | required action (`Account is not fully set up`) | ``AuthenticationDomain/AuthenticationError/insufficientUserAuthentication``: sign in by the browser |
  /// | application-initiated action (`kc_action`) | the attribute `kc_action` of a browser sign-in |
  /// | identity broker (`kc_idp_hint`) | the attribute `kc_idp_hint` |
  /// | offline session, which outlives the browser's | the scope `offline_access`; without `prompt=consent`, since the realm asks by itself where the client requires consent |
  /// | account console, account API | the browser; `kc_action` is `delete_account`, for example. The API is not used: it needs a role that a realm may not give |
  /// | `refresh_expires_in` | not used: a refresh after it is rejected with "Token is not active", which ends the session as well |
  /// | verified by | any issuer's independent servers for the common part, else our dialect server only |
  ///
  /// Signing out ends the session at the realm without a browser.
  ///
  /// - Parameters:
  ///   - url: where the server is, with its path if it has one: servers before 17 have `/auth`.
  ///   - realm: the realm's name.
  ///   - clientID: the client's id.
  ///   - clientSecret: only of a confidential client; an app that is given to users cannot keep it.
  ///   - methods: those that the client allows, in the order of the buttons: `.password` needs its direct access
  ///     grants, `.device` its device authorization grant.
  ///   - endpoint: another issuer in place of the realm, exactly as it calls itself.
  public static func keycloak(
    url: String, realm: String, clientID: String, clientSecret: Secret? = nil,
    methods: [SignInMethod] = [.browser, .device, .password], endpoint: String? = nil
  ) -> Self {
    let issuer = endpoint ?? "\(url.hasSuffix("/") ? String(url.dropLast()) : url)/realms/\(realm)"
    var client = Self(issuer: issuer, clientID: clientID)
    client.authentication = clientSecret.map(ClientAuthentication.secret) ?? .none
    client.dialect = IssuerDialect(name: "keycloak", methods: methods)
    // One code, `invalid_grant`, means many things here: its description tells them apart.
    client.dialect.refusals = VendorRefusals([
      // Also of a missing or wrong one-time code, and of an account that is locked for a while.
      ("invalid_grant", "Invalid user credentials", .invalidCredentials),
      ("invalid_grant", "Account is not fully set up", .actionRequired),
      ("invalid_grant", "Account disabled", .userDisabled),
      // Not documented together with this grant (check).
      ("invalid_grant", "User disabled", .userDisabled),
    ])
    client.dialect.refreshRefusals = VendorRefusals([
      ("invalid_scope", "Client no longer has requested consent from user", .sessionRejected)
    ])
    client.dialect.attributes = [.browser: ["kc_action", "kc_idp_hint"], .password: ["totp"]]
    client.dialect.redirectRefusal = { parameters in
      switch parameters["kc_action_status"] {
      case nil, "success": nil
      case "cancelled": .declined
      default: .actionFailed
      }
    }
    // Without a browser. A token that is unknown there is a success.
    client.dialect.endSession = { provider, refresh, endpoint async throws(AuthenticationError) in
      let client = provider.client.resolved(by: try await provider.issuer.metadata())
      let form = FormBody(["refresh_token": refresh.reveal()])
      let response = try await provider.environment.httpClient.send(
        HTTPRequest(posting: form, to: endpoint, by: client, in: provider.environment))
      if response.asksInBrowser { throw .revocationAsksInBrowser(response.status) }
      guard !response.isGranted, OAuthErrorResponseMapper.code(of: response) != "invalid_grant" else { return }
      throw OAuthErrorResponseMapper.map(response, now: provider.environment.clock.now)
    }
    client.asksConsentForOfflineAccess = false
    client.dialect.complete = { client throws(AuthenticationError) in
      let base = try ServiceURL(url, key: "url", allowsPath: true).url.path()
      guard !base.split(separator: "/").contains("realms") else {
        throw .invalid("url", "names a realm, which is configured apart")
      }
      let isName = realm.utf8.allSatisfy { $0.isLetterOrDigit || "-._~".utf8.contains($0) }
      guard !realm.isEmpty, isName, ![".", ".."].contains(realm) else {
        throw .invalid("realm", "is not a name of letters, digits, '-', '.', '_', '~'")
      }
      try client.check(
        "Keycloak", offering: [.browser, .device, .password], clientSecret: clientSecret, endpoint: endpoint)
    }
    return client
  }
}

extension AuthenticationError {
  fileprivate static let actionRequired = Self(
    .insufficientUserAuthentication,
    "Keycloak asks the user for something first, such as a new password or a verified address, and does not say what.",
    suggestion: "Sign in by the browser, which asks for it.")
  fileprivate static let actionFailed = Self(
    .unexpectedResponse, "Keycloak could not do what 'kc_action' asked for.",
    suggestion: "Check the action's name, and that the realm has it switched on.")
}
