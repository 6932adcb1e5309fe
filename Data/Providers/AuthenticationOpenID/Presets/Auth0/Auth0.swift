import AuthenticationData
public import AuthenticationDomain

extension OpenIDClient {
  /// A tenant of Auth0, and the app as it is registered there: a native application. It signs in by universal login,
  /// and by Auth0's own grants without a page (https://auth0.com/docs/api/authentication).
  ///
  /// ```swift
  /// var client = OpenIDClient.auth0(domain: "tenant.eu.auth0.com", clientID: "aBcD…")
  /// client.audience = "https://api.example.com"
  /// client.presenter = SystemBrowserPresenter()
  /// let root = try MainRoot(.openIDConnect(client))
  /// ```
  ///
  /// | their term | ours |
  /// |---|---|
  /// | universal login | ``AuthenticationDomain/SignInMethod/browser``; `connection`, `invitation` and `screen_hint` by ``AuthenticationDomain/SignInRequest/attributes`` |
  /// | organization of one attempt | ``AuthenticationDomain/SignInHints/organization`` |
  /// | password-realm grant | ``AuthenticationDomain/PasswordCredentials`` |
  /// | passwordless | ``AuthenticationDomain/EmailCredentials``, ``AuthenticationDomain/PhoneCredentials``, then a code |
  /// | `mfa_required` | a challenge: the one factor, a choice among several, or the enrolment of the first |
  /// | authenticator | ``AuthenticationDomain/Challenge/Factor`` |
  /// | push notification | ``AuthenticationDomain/Challenge/Kind/approval`` |
  /// | `binding_code` | the code of the challenge |
  /// | consent dialog | not asked for by `prompt`: `offline_access` needs none for a first-party application, and the tenant shows the page where its API wants one |
  /// | `requires_verification` | ``AuthenticationDomain/AuthenticationError/notVerified`` |
  /// | rotation, overlap (leeway) | the newest refresh token counts; without rotation the first one stays |
  /// | `mfa_required` to a refresh | ``AuthenticationDomain/AuthenticationError/insufficientUserAuthentication``: the session is kept, and a sign-in asks for the factor |
  /// | `/oidc/logout` | ``OpenIDServices/endSessionPage()``; its older form `/v2/logout` is not in the discovery document, and not used |
  /// | `/otp/challenge` | not used: second-hand (check), and `/passwordless/start` does the same |
  /// | verified by | any issuer's independent servers for the common part, else our dialect server only |
  ///
  /// Without an ``audience`` the access token is opaque, and valid for the user's profile alone. A refresh token comes
  /// only with the scope `offline_access`. To enrol a phone or an address as the first factor, give it as the attribute
  /// `phone_number` or `email`. Changing the password and deleting the account need Auth0's Management API, which no
  /// app may call.
  ///
  /// | method | grant |
  /// |---|---|
  /// | `.browser` | authorization code with PKCE: universal login |
  /// | `.device` | device authorization |
  /// | `.password` | password-realm |
  /// | `.emailCode`, `.phoneCode` | passwordless OTP |
  /// | `.passkey` | WebAuthn, with a custom domain |
  /// | `.apple`, `.facebook` | token exchange: Apple's authorization code, Facebook's session info token (as the access token) |
  ///
  /// - Parameters:
  ///   - domain: the tenant's domain, or its custom one, without a scheme.
  ///   - clientID: the application's client id.
  ///   - connection: the database that keeps the passwords (`connection`, `realm`).
  ///   - organization: the one organization whose members may sign in, by its id (`org_…`) or by its name; nil for any
  ///     user, or for the one that an attempt names (``AuthenticationDomain/SignInHints/organization``). Every ID token must name it (`org_id`, or else `org_name` in lower case), so that the scope `openid` is
  ///     required. Only `.browser` and `.passkey` can ask for one: Auth0's other grants have no parameter for it, and
  ///     are refused together with it (https://auth0.com/docs/manage-users/organizations/using-tokens).
  ///   - methods: those that the tenant has switched on for the application, in the order of the buttons.
  ///   - endpoint: another issuer in place of the tenant, exactly as it calls itself.
  ///   - showRecoveryCodes: shows recovery codes, which come once: with an enrolled factor, and after each use of one.
  ///     The sign-in waits for it.
  public static func auth0(
    domain: String, clientID: String, connection: String = "Username-Password-Authentication",
    organization: String? = nil, methods: [SignInMethod] = [.browser, .password, .emailCode, .phoneCode],
    endpoint: String? = nil, showRecoveryCodes: @escaping @Sendable (_ codes: [Secret]) async -> Void = { _ in }
  ) -> Self {
    // The tenant calls itself so, with the slash.
    var client = Self(issuer: endpoint ?? "https://\(domain)/", clientID: clientID)
    client.scopes = ["openid", "profile", "email", "offline_access"]
    client.dialect = IssuerDialect(name: "auth0", realm: "auth0 \(domain) \(clientID)", methods: methods)
    @Sendable func check(_ asked: String, _ claims: JSONMembers) throws(AuthenticationError) {
      let isNamed =
        asked.hasPrefix("org_")
        ? claims["org_id"].isSame(as: asked) : claims["org_name"].isSame(as: asked.lowercased())
      guard isNamed else {
        throw .refused(by: .organization, "The user is not a member of the organization that was asked for.")
      }
    }
    if let organization {
      client.parameters["organization"] = organization
      client.dialect.checkIdentity = { claims throws(AuthenticationError) in try check(organization, claims) }
    } else {
      client.dialect.checkOrganization = check
    }
    client.dialect.resourceNaming = .audience
    client.dialect.attributes = [.browser: ["connection", "invitation", "screen_hint"]]
    client.dialect.refusals = Auth0Refusals.common
    client.dialect.refreshRefusals = Auth0Refusals.refresh
    client.dialect.revocation = .refreshTokenOnly
    client.dialect.userInfo = .ifLacking
    client.asksConsentForOfflineAccess = false
    client.dialect.complete = { client throws(AuthenticationError) in
      guard domain.isDomain else { throw .invalid("domain", "is not a host name, as in tenant.eu.auth0.com") }
      if connection.isEmpty { throw .invalid("connection", "is empty") }
      if client.audience?.isEmpty == true { throw .invalid("audience", "is empty; leave it out") }
      if organization?.isEmpty == true { throw .invalid("organization", "is empty; leave it out") }
      guard organization == nil || methods.allSatisfy({ $0 == .browser || $0 == .passkey }) else {
        throw .invalid("methods", "names one that cannot ask for an organization; only .browser and .passkey can")
      }
      let possible: Set<SignInMethod> = [
        .browser, .device, .password, .emailCode, .phoneCode, .passkey, .apple, .facebook,
      ]
      try client.check("Auth0", offering: possible, endpoint: endpoint)
    }
    client.dialect.wrap = { openID throws(AuthenticationError) in
      Auth0AuthProvider(
        openID: openID, service: try ServiceURL(endpoint ?? "https://\(domain)", key: "domain", allowsPath: true),
        connection: connection, organization: organization, showRecoveryCodes: showRecoveryCodes)
    }
    return client
  }
}

/// The meanings of Auth0's refusals. The HTTP status says little: 401, 403 and 429 come with the same codes as 400.
enum Auth0Refusals {
  /// Of a password.
  static let password = VendorRefusals([("invalid_grant", "Wrong email or password.", .invalidCredentials)]) + common

  /// Of a code that was sent or shown.
  static let code =
    VendorRefusals([
      ("invalid_grant", "Wrong ", .wrongCode), ("invalid_user_password", nil, .wrongCode),
      ("invalid_grant", "MFA Authorization rejected.", .wrongCode),
    ]) + common

  /// Of a passkey; Auth0 publishes no words of its refusal.
  static let passkey = VendorRefusals([("invalid_grant", nil, .invalidCredentials)]) + common

  /// Of a push notification.
  static let approval = VendorRefusals([("invalid_grant", "MFA Authorization rejected.", .declined)]) + common

  /// Of a refresh: a second factor that is asked for, or the rejection by an Action, does not end the session. Any
  /// other `invalid_grant` does.
  static let refresh = VendorRefusals([
    ("mfa_required", nil, .secondFactorNeeded), ("a0.mfa_required", nil, .secondFactorNeeded),
    ("unauthorized", nil, .declined), ("too_many_attempts", nil, .rateLimited),
    ("too_many_requests", nil, .rateLimited), ("password_leaked", nil, .declined),
    ("requires_verification", nil, .unverified),
  ])

  /// Of any other step.
  static let common = VendorRefusals([
    ("invalid_user_password", nil, .invalidCredentials),
    ("invalid_grant", "Wrong email or verification code.", .wrongCode),
    ("invalid_grant", "Wrong phone number or verification code.", .wrongCode),
    ("invalid_grant", "Invalid otp_code.", .wrongCode), ("invalid_grant", "Invalid binding_code.", .wrongCode),
    ("a0.mfa_invalid_code", nil, .wrongCode), ("expired_token", nil, .signInExpired),
    ("invalid_grant", "Malformed mfa_token", .signInExpired), ("unsupported_challenge_type", nil, .noFactor),
    ("a0.mfa_registration_required", nil, .noFactor), ("association_required", nil, .noFactor),
    ("access_denied", "User is already enrolled", .alreadyEnrolled), ("too_many_attempts", nil, .rateLimited),
    ("too_many_requests", nil, .rateLimited), ("unauthorized", "user is blocked", .userDisabled),
    ("unauthorized", nil, .declined), ("access_denied", nil, .declined), ("password_leaked", nil, .declined),
    ("requires_verification", nil, .unverified), ("bad.connection", nil, .clientRejected),
    ("bad.email", nil, .badAddress), ("bad.phone_number", nil, .badAddress), ("invalid_signup", nil, .accountExists),
    ("invalid_password", nil, .weakPassword),
  ])
}

extension AuthenticationError {
  /// The account has no factor that was asked for.
  static let noFactor = Self(
    .declined, "The account has no second factor yet.", suggestion: "Enrol one on the tenant's own page."
  ).with(\.reason, .account)
  /// There is a factor already, which can be used.
  static let alreadyEnrolled = Self(
    .alreadyLinked, "The account has this second factor already.", suggestion: "Use it.")
  fileprivate static let secondFactorNeeded = Self(
    .insufficientUserAuthentication, "Auth0 asks for a second factor before it refreshes the session.",
    suggestion: "Sign in again; the session is kept."
  ).with(\.reason, .refresh)
  fileprivate static let unverified = Self(
    .notVerified, "Auth0 asks the user to verify an address or number first.",
    suggestion: "Open the mail that Auth0 sent.")
  fileprivate static let badAddress = Self(
    .invalidRequest, "Auth0 does not accept the address or number.", suggestion: "Correct it.")
}
