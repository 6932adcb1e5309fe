import AuthenticationAccount
import AuthenticationData
import AuthenticationDomain
import Foundation

/// Signs in at Auth0: on its page as at any OpenID issuer, and by its own grants.
struct Auth0AuthProvider: ResumingAuthProvider, ResourceAuthProvider, AccountProvider {
  let openID: OpenIDConnectProvider
  let service: ServiceURL
  let connection: String
  let organization: String?
  let showRecoveryCodes: @Sendable (_ codes: [Secret]) async -> Void

  var methods: [SignInMethod] { openID.methods }

  var createsAccounts: Bool { true }

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    let (credentials, attributes) = (request.credentials, request.attributes)
    if request.createsAccount { return try await signUp(credentials, attributes) }
    if let answer = credentials as? ChallengeAnswer { return try await self.answer(answer, attributes) }
    guard methods.contains(credentials.method) else { throw .unsupportedMethod(credentials.method) }
    switch credentials {
    case let credentials as PasswordCredentials: return try await signIn(credentials, attributes)
    case let credentials as EmailCredentials:
      return .challenge(try await sendCode(to: credentials.address, by: "email"))
    case let credentials as PhoneCredentials:
      return .challenge(try await sendCode(to: credentials.phoneNumber, by: "sms"))
    case let credentials as PasskeyCredentials where credentials.response == nil:
      return .challenge(try await askForPasskey())
    case let credentials as NativeCredentials: return try await exchange(credentials, attributes)
    default: return try await openID.signIn(request)
    }
  }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    try await openID.refresh(session)
  }

  func refresh(
    _ session: AuthSession, for resource: ProtectedResource
  ) async throws(AuthenticationError) -> ResourceTokens {
    try await openID.refresh(session, for: resource)
  }

  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    try await openID.revoke(tokens, keepingOtherSessions: keepingOtherSessions)
  }

  func forgetBegunSignIns() { openID.forgetBegunSignIns() }

  private func signIn(
    _ credentials: PasswordCredentials, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    try await grant(
      "http://auth0.com/oauth/grant-type/password-realm",
      FormBody(["username": credentials.userName, "password": credentials.password.reveal(), "realm": connection]),
      refusals: Auth0Refusals.password, attributes)
  }

  /// Apple's authorization code, or Facebook's session info token.
  private func exchange(
    _ credentials: NativeCredentials, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    let isApple = credentials.method == .apple
    guard let token = isApple ? credentials.authorizationCode : credentials.accessToken else {
      throw .refused(by: .idToken, "The vendor's sheet did not return the code or token that Auth0 verifies.")
    }
    let name = ["firstName": credentials.name?.given, "lastName": credentials.name?.family].compactMapValues(\.self)
    let profile = name.isEmpty && isApple ? nil : try? JSONEncoder.stable.encode(["name": name])
    let type = isApple ? "apple-authz-code" : "facebook-info-session-access-token"
    return try await grant(
      "urn:ietf:params:oauth:grant-type:token-exchange",
      FormBody([
        "subject_token": token.reveal(), "subject_token_type": "http://auth0.com/oauth/token-type/\(type)",
        "user_profile": profile.map { String(decoding: $0, as: UTF8.self) },
      ]), refusals: Auth0Refusals.common, attributes)
  }

  // MARK: The token endpoint

  /// - Parameter begins: whether it begins a sign-in; a later step has the scopes of its beginning.
  func grant(
    _ type: String, _ fields: FormBody, begins: Bool = true, refusals: VendorRefusals, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    let endpoint = try await openID.tokenEndpoint()
    var form = FormBody(["grant_type": type])
    for field in fields.fields { form.add(field.name, field.value) }
    if begins { form.add(requestOf: endpoint.client) }
    let request = try HTTPRequest(
      posting: form, to: endpoint.url, by: endpoint.client, in: endpoint.environment)
    return try await outcome(of: request, endpoint, refusals, attributes)
  }

  /// A session, or the challenge of a second factor.
  func outcome(
    of request: HTTPRequest, _ endpoint: TokenEndpoint, _ refusals: VendorRefusals, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    let key = openID.client.newProofKey
    let response = try await endpoint.send(request, provenBy: key)
    guard response.isGranted else {
      let body = try? JSONMembers(response)
      if ["mfa_required", "a0.mfa_required"].contains(body?["error"]), let token = body?.secret("mfa_token") {
        return .challenge(try await secondFactor(token, attributes))
      }
      throw refusal(response, refusals)
    }
    // It is shown once, and has replaced the one that was used.
    if let code = (try? JSONMembers(response))?.secret("recovery_code") { await showRecoveryCodes([code]) }
    let scopes = endpoint.client.askedScopes
    let tokens = try endpoint.tokens(of: response, askedFor: scopes, boundTo: key)
    return .session(try await openID.session(with: tokens, from: response, askedFor: scopes, mayLackIDToken: true))
  }

  // MARK: The rest of its interface

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    let response = try await openID.environment.httpClient.send(request)
    guard response.isSuccess else { throw refusal(response, Auth0Refusals.common) }
    return response
  }

  func post(_ path: String, _ body: JSONBody) async throws(AuthenticationError) -> HTTPResponse {
    try await send(try service.request(.post, path, body.adding(["client_id": openID.client.clientID])))
  }

  func refusal(_ response: HTTPResponse, _ refusals: VendorRefusals) -> AuthenticationError {
    var error = OAuthErrorResponseMapper.map(response, vendor: refusals, now: openID.environment.clock.now)
    error.providerCode =
      error.providerCode ?? (try? JSONMembers(response))?["code"].flatMap(response.plainToken)
    return error
  }

  /// Creates an account in the database, and signs in to it: the response to a sign-up has no tokens.
  private func signUp(
    _ credentials: any Credentials, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    if credentials is PasskeyCredentials, methods.contains(.passkey) {
      return .challenge(try await registerPasskey(attributes))
    }
    guard let credentials = credentials as? PasswordCredentials, methods.contains(.password) else {
      throw .unsupportedMethod(credentials.method)
    }
    _ = try await post(
      "dbconnections/signup",
      ["email": credentials.userName, "password": credentials.password, "connection": connection])
    return try await signIn(credentials, attributes)
  }

  var accountAbilities: Set<AccountAbility> { [.resetPassword, .profile] }

  /// Sends a link to Auth0's own page, which does the rest; the response is the same whether there is such an account.
  func perform(
    _ request: AccountRequest, for session: AuthSession?
  ) async throws(AuthenticationError) -> AccountOutcome {
    switch request.change {
    case .resetPassword(let account):
      _ = try await post("dbconnections/change_password", ["email": account, "connection": connection])
      return .done
    // No account service of Auth0 asks for a step.
    case .answer: throw .challengeReplaced
    default: throw .unsupportedChange(request.change)
    }
  }

  func user(of session: AuthSession) async throws(AuthenticationError) -> User { try await openID.user(of: session) }

  // MARK: Codes by e-mail or text message, and the answers of a user to any challenge.

  enum Step {
    static let code = "passwordless"
    static let choice = "mfa"
    static let oneTimePassword = "mfa-otp"
    static let outOfBand = "mfa-oob"
    static let recoveryCode = "mfa-recovery-code"
    static let passkey = "passkey"
  }

  /// How long to wait before another code is asked for: a tenant allows 50 an hour and address on the internet.
  static let resendDelay: Duration = .seconds(30)

  /// Without `send` it would be a link.
  func sendCode(to address: String, by connection: String) async throws(AuthenticationError) -> Challenge {
    let isEmail = connection == "email"
    _ = try await post(
      "passwordless/start",
      ["connection": connection, isEmail ? "email" : "phone_number": address, "send": "code"])
    return Challenge(
      kind: isEmail ? .emailCode : .smsCode, destination: address,
      handle: ChallengeHandle(Step.code, ["address": address, "connection": connection]).secret,
      format: CodeFormat(length: 4...12), resendDelay: Self.resendDelay)
  }

  private func answer(
    _ answer: ChallengeAnswer, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    let handle = try ChallengeHandle(answer.challenge)
    switch (handle.step, answer.content) {
    case (Step.code, .resend):
      return .challenge(try await sendCode(to: try handle.required("address"), by: try handle.required("connection")))
    case (Step.code, .code(let code)):
      return try await grant(
        "http://auth0.com/oauth/grant-type/passwordless/otp",
        FormBody([
          "username": try handle.required("address"), "otp": code.reveal(), "realm": try handle.required("connection"),
        ]), refusals: Auth0Refusals.code, attributes)
    case (Step.passkey, .passkey(let response)): return try await finishPasskey(response, handle, attributes)
    default: return try await answerFactor(answer, handle, attributes)
    }
  }

  // Passkeys, which need a custom domain.

  func askForPasskey() async throws(AuthenticationError) -> Challenge {
    try passkey(.passkey, try await post("passkey/challenge", realm))
  }

  /// Creates an account whose key is a passkey. The recipient comes as attributes: `email`, `phone_number`, `username`,
  /// `name`.
  private func registerPasskey(_ attributes: Attributes) async throws(AuthenticationError) -> Challenge {
    let names = ["email", "phone_number", "username", "name"]
    let profile = attributes.filter { names.contains($0.key) }
    return try passkey(
      .passkeyRegistration, try await post("passkey/register", realm.adding(["user_profile": profile])))
  }

  private func finishPasskey(
    _ answer: Secret, _ handle: ChallengeHandle, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    let response = try JSONValue(of: answer)
    let endpoint = try await openID.tokenEndpoint()
    let scopes = endpoint.client.askedScopes.joined(separator: " ")
    let body: JSONBody = [
      "grant_type": "urn:okta:params:oauth:grant-type:webauthn", "client_id": openID.client.clientID,
      "auth_session": try handle.required("session"), "authn_response": response, "scope": scopes,
      "audience": openID.client.audience,
    ]
    var request = try service.request(.post, "oauth/token", body.adding(realm))
    request.url = endpoint.url
    return try await outcome(of: request, endpoint, Auth0Refusals.passkey, attributes)
  }

  private var realm: JSONBody { ["realm": connection, "organization": organization] }

  private func passkey(_ kind: Challenge.Kind, _ response: HTTPResponse) throws(AuthenticationError) -> Challenge {
    let body = try JSONMembers(response)
    guard let options = body.values["authn_params_public_key"], let json = try? JSONEncoder().encode(options) else {
      throw .unexpectedResponse
    }
    return Challenge(
      kind: kind, handle: ChallengeHandle(Step.passkey, ["session": try body.required("auth_session")]).secret,
      passkeyRequest: Secret(String(decoding: json, as: UTF8.self)))
  }
}
