import AuthenticationData
import AuthenticationDomain

/// Signs in at a user pool of Amazon Cognito.
struct CognitoAuthProvider: RemoteAuthProvider {
  static let possibleMethods: [SignInMethod] = [
    .password, .plainPassword, .emailCode, .phoneCode, .passkey, .customChallenge,
  ]

  let service: CognitoService
  let devices: CognitoDevices
  let randomBytes: @Sendable (Int) -> [UInt8]
  let secrets = StepSecrets()

  var methods: [SignInMethod] { service.pool.methods }

  func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    if let answer = credentials as? ChallengeAnswer { return try await self.answer(answer) }
    guard methods.contains(credentials.method) else { throw .unsupportedMethod(credentials.method) }
    switch credentials {
    case let credentials as PasswordCredentials:
      return try await signIn(credentials.userName, credentials.password)
    case let credentials as CognitoCredentials:
      return try await signIn(with: credentials)
    case let credentials as EmailCredentials where credentials.method == .emailCode:
      return try await signIn(credentials.address, by: "EMAIL_OTP")
    case let credentials as PhoneCredentials:
      return try await signIn(credentials.phoneNumber, by: "SMS_OTP")
    case let credentials as PasskeyCredentials where credentials.response == nil:
      guard let name = SignInAttributes.current["username"]?.reveal() else { throw .blankUserName }
      return try await signIn(name, by: "WEB_AUTHN")
    default: throw .unsupportedMethod(credentials.method)
    }
  }

  private func signIn(with credentials: CognitoCredentials) async throws(AuthenticationError) -> SignInOutcome {
    let name = credentials.userName
    switch credentials.method {
    case .password: return try await signIn(name, credentials.password ?? Secret(""))
    case .plainPassword: return try await signIn(name, credentials.password ?? Secret(""), plainly: true)
    case .customChallenge:
      return try await proceed(
        with: CognitoFlow(userName: name), service.initiate("CUSTOM_AUTH", for: name, ["USERNAME": name]))
    case .passkey: return try await signIn(name, by: "WEB_AUTHN")
    default: throw .unsupportedMethod(credentials.method)
    }
  }

  /// By a password: with SRP, unless it is to be sent as it is.
  func signIn(
    _ name: String, _ password: Secret, plainly: Bool = false
  ) async throws(AuthenticationError) -> SignInOutcome {
    var flow = CognitoFlow(userName: name, password: password)
    var parameters = ["USERNAME": name, "DEVICE_KEY": await devices.device(of: name)?.key].compactMapValues(\.self)
    if plainly {
      parameters["PASSWORD"] = password.reveal()
    } else {
      let exchange = await newExchange()
      parameters["SRP_A"] = exchange.publicValue
      flow.exchange = exchange
    }
    do throws(AuthenticationError) {
      let flowName = plainly ? "USER_PASSWORD_AUTH" : "USER_SRP_AUTH"
      return try await proceed(with: flow, service.initiate(flowName, for: name, parameters))
    } catch {
      let error = plainly ? error : error.namingPlainPassword
      return .challenge(try challenge(for: error, of: name, password))
    }
  }

  /// By one of the ways without a password.
  func signIn(_ name: String, by challenge: String) async throws(AuthenticationError) -> SignInOutcome {
    let response = try await service.initiate(
      "USER_AUTH", for: name, ["USERNAME": name, "PREFERRED_CHALLENGE": challenge])
    return try await proceed(with: CognitoFlow(userName: name, preferred: challenge), response)
  }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    guard let token = session.tokens.refresh?.value.reveal() else { throw .sessionExpired }
    let name = session.user.cognitoName
    let device = await devices.device(of: name)?.key
    let response: CognitoResponse
    do throws(AuthenticationError) {
      var body: [String: JSONValue] = ["ClientId": .string(service.pool.clientID), "RefreshToken": .string(token)]
      body["ClientSecret"] = service.pool.clientSecret.map { .string($0.reveal()) }
      body["DeviceKey"] = device.map(JSONValue.string)
      response = try await service.call("GetTokensFromRefreshToken", body, .refresh)
    } catch {
      // An older pool, or an emulator, has only the operation before it. A gateway (502 and above) may have passed the
      // token on: it is not sent again.
      let isUnknown = error.cause?.code == 500 && error.providerCode == nil
      guard error.code == .endpointMissing || isUnknown else { throw error }
      let parameters = ["REFRESH_TOKEN": token, "DEVICE_KEY": device].compactMapValues(\.self)
      do throws(AuthenticationError) {
        response = try await service.initiate("REFRESH_TOKEN_AUTH", for: name, parameters, .refresh)
      } catch let older where older.code == .clientRejected && isUnknown {
        // A client with rotation has only the newer operation: what that failed of is the truth.
        throw error
      }
    }
    return try CognitoTokenMapper.tokens(response)
  }

  /// Ends the session that the refresh token began, and the access tokens that came of it; without one there is nothing
  /// to end.
  func revoke(_ tokens: SessionTokens) async throws(AuthenticationError) {
    guard let token = tokens.refresh?.value.reveal() else { return }
    var body: [String: JSONValue] = ["ClientId": .string(service.pool.clientID), "Token": .string(token)]
    body["ClientSecret"] = service.pool.clientSecret.map { .string($0.reveal()) }
    do throws(AuthenticationError) {
      try await service.call("RevokeToken", body, .refresh)
    } catch {
      guard error.code == .sessionRejected else { throw error }
    }
  }
}

extension AuthenticationError {
  /// The same, with the other way to send a password if this may come from a client or a server without SRP: a client
  /// that does not allow it, an unknown operation, values that are none of an exchange, or an error page.
  fileprivate var namingPlainPassword: Self {
    let codes = ["InvalidParameterException", "UnsupportedOperationException", "UnknownOperationException"]
    let isPage = providerCode == nil && (code == .unexpectedAnswer || cause?.code == 500)
    guard isPage || providerCode.map(codes.contains) == true else { return self }
    var error = Self(
      code, message,
      suggestion:
        "If the app client or the server has no SRP, allow USER_SRP_AUTH there, or sign in by the method 'password-plain'.",
      cause: cause)
    error.providerCode = providerCode
    error.retryAfter = retryAfter
    return error
  }
}

extension CognitoAuthProvider: SessionValidatingProvider {
  func isValid(_ session: AuthSession) async throws(AuthenticationError) -> Bool {
    do throws(AuthenticationError) {
      try await service.call("GetUser", in: session)
      return true
    } catch {
      guard error.code == .accessTokenRefused else { throw error }
      return false
    }
  }
}

extension CognitoAuthProvider: ResumingAuthProvider {
  func forgetBegunSignIns() { secrets.forgetAll() }
}
