public import AuthenticationData
import AuthenticationDomain

extension AuthProviderConfiguration {
  /// An Amazon Cognito user pool, by its own protocol, without a browser. Besides Cognito the access token goes to
  /// the origins in the root's options.
  ///
  /// | their term | ours |
  /// |---|---|
  /// | `InitiateAuth`, `RespondToAuthChallenge` | `signIn(with:)`, and its answers to challenges |
  /// | `PASSWORD_VERIFIER`, `DEVICE_SRP_AUTH`, `DEVICE_PASSWORD_VERIFIER` | answered by the adapter |
  /// | `SMS_MFA`, `SMS_OTP` / `EMAIL_OTP` / `SOFTWARE_TOKEN_MFA` | `smsCode` / `emailCode` / `oneTimePassword` |
  /// | `SELECT_MFA_TYPE`, `SELECT_CHALLENGE` | `choice` |
  /// | `MFA_SETUP` | `enrolment`, or ``AuthenticationDomain/Challenge/Kind/emailAddress`` |
  /// | `NEW_PASSWORD_REQUIRED` | `newPassword`; required attributes by `SignInAttributes`, as `userAttributes.NAME` |
  /// | `WEB_AUTHN` | `passkey` |
  /// | `PASSWORD`, `PASSWORD_SRP` | ``AuthenticationDomain/Challenge/Kind/password`` |
  /// | `CUSTOM_CHALLENGE` | ``AuthenticationDomain/Challenge/Kind/custom``, see `cognitoParameters` |
  /// | `UserNotConfirmedException` | `confirmation`, then the sign-in goes on |
  /// | `PasswordResetRequiredException` | `confirmation`, then `newPassword`, then the sign-in goes on |
  /// | `ClientMetadata` | `SignInAttributes`, but for `userAttributes.NAME` |
  /// | `sub`, `cognito:…`, `custom:…` | `User.id`, `User.claims` |
  /// | remembered device | kept in secure storage, and used at the next sign-in |
  /// | `RevokeToken` | sign-out |
  /// | judged by | moto with pycognito as the other client, published vectors of SRP, and our own dialect server |
  ///
  /// A configuration that cannot work is refused when the app is composed:
  /// ``AuthenticationError/Code/invalidConfiguration``.
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
        service: service, devices: CognitoDevices(environment.storage), randomBytes: environment.randomBytes)
      return Product(
        provider: provider, allowedOrigins: [url.origin],
        processes: SignInProcess.forms(for: pool.methods) + SignInProcess.cognitoForms(for: pool.methods))
    }
  }
}
