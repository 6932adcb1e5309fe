public import AuthenticationData
import AuthenticationDomain

extension AuthProviderConfiguration {
  /// Auth0: universal login, and its own grants without a page (https://auth0.com/docs/api/authentication).
  ///
  /// | their term | ours |
  /// |---|---|
  /// | tenant, application | ``Auth0Application`` |
  /// | universal login | ``AuthenticationDomain/SignInMethod/browser``; `connection`, `invitation` and `screen_hint` by `SignInAttributes` |
  /// | password-realm grant | ``AuthenticationDomain/PasswordCredentials`` |
  /// | passwordless | ``AuthenticationDomain/EmailCredentials``, ``AuthenticationDomain/PhoneCredentials``, then a code |
  /// | `mfa_required` | a challenge: the one factor, a choice among several, or the enrolment of the first |
  /// | authenticator | ``AuthenticationDomain/Challenge/Factor`` |
  /// | push notification | ``AuthenticationDomain/Challenge/Kind/approval`` |
  /// | `binding_code` | the code of the challenge |
  /// | consent dialog | not asked for by `prompt`: `offline_access` needs none for a first-party application, and the tenant shows the page where its API wants one |
  /// | recovery code | ``Auth0Application/showRecoveryCodes`` |
  /// | `requires_verification` | ``AuthenticationDomain/AuthenticationError/Code/notVerified`` |
  /// | organization | ``Auth0Application/organization``, checked in every ID token |
  /// | database connection | ``Auth0Application/connection`` |
  /// | rotation, overlap (leeway) | the newest refresh token counts; without rotation the first one stays |
  /// | `mfa_required` to a refresh | ``AuthenticationDomain/AuthenticationError/Code/insufficientUserAuthentication``: the session is kept, and a sign-in asks for the factor |
  /// | `/oidc/logout` | ``OpenIDConnectProvider/endSessionPage()``; its older form `/v2/logout` is not in the discovery document, and not used |
  /// | `/otp/challenge` | not used: second-hand (check), and `/passwordless/start` does the same |
  /// | judged by | any issuer's independent servers for what it shares with them, else our own dialect server only |
  ///
  /// To enrol a phone or an address as the first factor, give it as the attribute `phone_number` or `email`.
  /// Changing the password and deleting the account need Auth0's Management API, which no app may call. A configuration
  /// that cannot work is refused when the app is composed: ``AuthenticationError/Code/invalidConfiguration``.
  ///
  /// - Parameters:
  ///   - application: the tenant, and the app as it is registered there.
  ///   - realm: by default the domain and the client id.
  public static func auth0(_ application: Auth0Application, realm: String? = nil) -> Self {
    Self(name: "auth0", realm: realm ?? "auth0 \(application.domain) \(application.clientID)") {
      environment throws(AuthenticationError) in
      let (client, service) = try application.validated()
      let provider = Auth0AuthProvider(
        application: application, openID: try OpenIDConnectProvider(client, in: environment), service: service)
      return provider.openID.product(provider, methods: provider.methods, in: environment)
    }
  }

  /// The same with the defaults of ``Auth0Application``.
  public static func auth0(
    domain: String, clientID: String, audience: String? = nil, presenter: (any AuthorizationPresenter)? = nil,
    endpoint: String? = nil
  ) -> Self {
    var application = Auth0Application(domain: domain, clientID: clientID)
    application.audience = audience
    application.presenter = presenter
    application.endpoint = endpoint
    return auth0(application)
  }
}
