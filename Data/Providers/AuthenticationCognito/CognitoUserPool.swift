import AuthenticationBrowser
public import AuthenticationData
public import AuthenticationDomain

/// A user pool of Amazon Cognito, and the app as it is registered there: an app client.
///
/// ```swift
/// let pool = CognitoUserPool(id: "eu-central-1_Abc123", clientID: "4s2k…", methods: [.password, .emailCode])
/// let root = try MainRoot(.cognito(pool)) { $0.allowedOrigins = [apiOrigin] }
/// ```
public struct CognitoUserPool: Sendable {
  let id: String
  let clientID: String
  var clientSecret: Secret?
  var endpoint: String?
  var methods: [SignInMethod]
  var challengeLifetime: Duration
  var managedLogin: CognitoManagedLogin?

  /// A pool; a configuration that cannot work is refused when the app is composed.
  ///
  /// | method | `AuthFlow` |
  /// |---|---|
  /// | `.password` | `USER_SRP_AUTH`: the password never leaves the device |
  /// | ``AuthenticationDomain/SignInMethod/plainPassword`` | `USER_PASSWORD_AUTH`, for a pool that migrates its users |
  /// | `.emailCode`, `.phoneCode`, `.passkey` | `USER_AUTH` with `EMAIL_OTP`, `SMS_OTP`, `WEB_AUTHN` |
  /// | ``AuthenticationDomain/SignInMethod/customChallenge`` | `CUSTOM_AUTH` |
  /// | `.browser`, `.browser(.google)` | none: ``CognitoManagedLogin`` |
  ///
  /// - Parameters:
  ///   - id: the pool's id: its region, `_`, and a name.
  ///   - clientID: the app client's id.
  ///   - clientSecret: only of an app client that was made with one; an app that is given to users cannot keep it.
  ///   - endpoint: where the service is; by default the pool's region at AWS.
  ///   - methods: those that the app client allows (`ExplicitAuthFlows`), in the order of the buttons.
  ///   - challengeLifetime: how long a step may take, as the app client says (`AuthSessionValidity`).
  ///   - managedLogin: the pool's pages, which the methods `.browser` and `.browser(_:)` need; nil if there are none.
  public init(
    id: String, clientID: String, clientSecret: Secret? = nil, endpoint: String? = nil,
    methods: [SignInMethod] = [.password], challengeLifetime: Duration = .seconds(180),
    managedLogin: CognitoManagedLogin? = nil
  ) {
    self.id = id
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.endpoint = endpoint
    self.methods = methods
    self.challengeLifetime = challengeLifetime
    self.managedLogin = managedLogin
  }

  /// The part of the id before its first `_`.
  var region: String { String(id.prefix { $0 != "_" }) }
  /// The part after it.
  var name: String { String(id.dropFirst(region.count + 1)) }

  /// Where AWS has the service.
  var host: String { "https://cognito-idp.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "") }

  /// Where the service is.
  ///
  /// - Throws: ``AuthenticationError/invalidConfiguration``, which names the fault.
  func serviceURL() throws(AuthenticationError) -> ServiceURL {
    guard id.utf8.count <= 55, !name.isEmpty, name.utf8.allSatisfy(\.isLetterOrDigit) else {
      throw .invalid("id", "is not a region, '_' and a name of letters and digits")
    }
    let parts = region.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 3, parts.dropLast().allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isSmallLetter) }),
      let number = parts.last, !number.isEmpty, number.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw .invalid("id", "does not begin with a region, as in eu-central-1_Abc123") }
    guard !clientID.isEmpty, clientID.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == 0x5F || $0 == 0x2B }) else {
      throw .invalid("clientID", "is not an app client's id")
    }
    if clientSecret?.isEmpty == true { throw .invalid("clientSecret", "is empty; leave it out") }
    guard methods.allSatisfy({ $0.isPage || CognitoAuthProvider.possibleMethods.contains($0) }) else {
      throw .invalid("methods", "names one that Cognito does not have")
    }
    if managedLogin == nil, methods.contains(where: \.isPage) {
      throw .invalid("managedLogin", "is missing, and 'methods' names one of its pages")
    }
    try managedLogin?.validate()
    return try ServiceURL(endpoint ?? host, key: "endpoint")
  }
}

extension UInt8 {
  fileprivate var isSmallLetter: Bool { (0x61...0x7A).contains(self) }
  fileprivate var isLetterOrDigit: Bool { (0x30...0x39).contains(self) || (0x61...0x7A).contains(self | 0x20) }
}

extension AuthProviderConfiguration {
  /// An Amazon Cognito user pool, by its own protocol without a browser, and by its pages (``CognitoManagedLogin``).
  /// Besides Cognito the access token goes to the origins in the root's options.
  ///
  /// | their term | ours |
  /// |---|---|
  /// | `InitiateAuth`, `RespondToAuthChallenge` | `signIn(with:)`, and its answers to challenges |
  /// | `PASSWORD_VERIFIER`, `DEVICE_SRP_AUTH`, `DEVICE_PASSWORD_VERIFIER` | answered by the adapter |
  /// | `SMS_MFA`, `SMS_OTP` / `EMAIL_OTP` / `SOFTWARE_TOKEN_MFA` | `smsCode` / `emailCode` / `oneTimePassword` |
  /// | `SELECT_MFA_TYPE`, `SELECT_CHALLENGE` | `choice` |
  /// | `MFA_SETUP` | `enrolment`, or ``AuthenticationDomain/Challenge/Kind/emailAddress`` |
  /// | `NEW_PASSWORD_REQUIRED` | `newPassword`; required attributes by ``SignInRequest/attributes``, as `userAttributes.NAME` |
  /// | `WEB_AUTHN` | `passkey` |
  /// | `PASSWORD`, `PASSWORD_SRP` | ``AuthenticationDomain/Challenge/Kind/password`` |
  /// | `CUSTOM_CHALLENGE` | ``AuthenticationDomain/Challenge/Kind/custom``, see `cognitoParameters` |
  /// | `UserNotConfirmedException` | `confirmation`, then the sign-in continues |
  /// | `PasswordResetRequiredException` | `confirmation`, then `newPassword`, then the sign-in continues |
  /// | `ClientMetadata` | ``SignInRequest/attributes``, but for `userAttributes.NAME` |
  /// | `sub`, `cognito:…`, `custom:…` | `User.id`, `User.claims` |
  /// | remembered device | kept in secure storage, and used at the next sign-in |
  /// | managed login (hosted UI), `identity_provider` | `.browser`, `.browser(_:)` |
  /// | `RevokeToken` | sign-out |
  /// | verified by | moto with pycognito as the other client, published vectors of SRP, and our own dialect server |
  ///
  /// A configuration that cannot work is refused when the app is composed:
  /// ``AuthenticationError/invalidConfiguration``.
  ///
  /// - Parameters:
  ///   - pool: the pool, and the app client.
  ///   - realm: by default the pool's id and the client's.
  public static func cognito(_ pool: CognitoUserPool, realm: String? = nil) -> Self {
    Self(name: "cognito", realm: realm ?? "cognito \(pool.id) \(pool.clientID)") {
      environment throws(AuthenticationError) in
      let url = try pool.serviceURL()
      let service = CognitoService(pool: pool, url: url, client: environment.httpClient, clock: environment.clock)
      let provider = CognitoAuthProvider(
        service: service, devices: CognitoDevices(environment.storage), randomBytes: environment.randomBytes,
        pages: pool.managedLogin.map { _ in PageFlow(in: environment) })
      let pages = pool.methods.filter(\.isPage).map(SignInProcess.page)
      let known = SignInProcess.forms(for: pool.methods) + SignInProcess.cognitoForms(for: pool.methods) + pages
      return Product(
        provider: provider, allowedOrigins: [url.origin],
        processes: pool.methods.compactMap { method in known.first { $0.method == method } })
    }
  }
}
