public import AuthenticationData
import AuthenticationDomain

extension AuthProviderConfiguration {
  /// A realm of Keycloak, known by its address alone: everything else comes from its discovery document.
  ///
  /// | their term | ours |
  /// |---|---|
  /// | realm, client | ``KeycloakRealm`` |
  /// | direct access grant | ``AuthenticationDomain/PasswordCredentials``; a one-time code as the attribute `totp` |
  /// | required action (`Account is not fully set up`) | ``AuthenticationDomain/AuthenticationError/Code/insufficientUserAuthentication``: sign in by the browser |
  /// | application-initiated action (`kc_action`) | the attribute `kc_action` of a browser sign-in |
  /// | identity broker (`kc_idp_hint`) | the attribute `kc_idp_hint` |
  /// | offline session | the scope `offline_access`; without `prompt=consent`, since the realm asks by itself where the client requires consent |
  /// | account console, account API | the browser; `kc_action` is `delete_account`, for example. The API is not used: it needs a role that a realm may not give |
  /// | `refresh_expires_in` | not used: a refresh after it is answered with "Token is not active", which ends the session as well |
  /// | judged by | any issuer's independent servers for what it shares with them, else our own dialect server only |
  ///
  /// Signing out ends the session at the realm without a browser. The provider is an ``OpenIDConnectProvider``. A
  /// configuration that cannot work is refused when the app is composed:
  /// ``AuthenticationError/Code/invalidConfiguration``.
  ///
  /// - Parameters:
  ///   - keycloak: the realm, and the app as it is registered there.
  ///   - realm: of the session; by default the issuer and the client id.
  public static func keycloak(_ keycloak: KeycloakRealm, realm: String? = nil) -> Self {
    issuer("keycloak", realm: realm ?? "keycloak \(keycloak.issuer) \(keycloak.clientID)") {
      _ throws(AuthenticationError) in
      try keycloak.client()
    }
  }

  /// The same with the defaults of ``KeycloakRealm``.
  public static func keycloak(
    url: String, realm: String, clientID: String, presenter: (any AuthorizationPresenter)? = nil,
    endpoint: String? = nil
  ) -> Self {
    var keycloak = KeycloakRealm(url: url, name: realm, clientID: clientID)
    keycloak.presenter = presenter
    keycloak.endpoint = endpoint
    return .keycloak(keycloak)
  }
}
