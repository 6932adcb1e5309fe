import AuthenticationBrowser
import AuthenticationData
import AuthenticationDomain
import Foundation

/// Signs in at a user pool of Amazon Cognito.
struct CognitoAuthProvider: RemoteAuthProvider {
  static let possibleMethods: [SignInMethod] = [
    .password, .plainPassword, .emailCode, .phoneCode, .passkey, .customChallenge,
  ]

  let service: CognitoService
  let devices: CognitoDevices
  let randomBytes: @Sendable (Int) -> [UInt8]
  let secrets = StepSecrets()
  /// Nil without managed login.
  let pages: PageFlow?

  var methods: [SignInMethod] { service.pool.methods }

  var createsAccounts: Bool { !methods.allSatisfy(\.isPage) }

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    let (credentials, attributes) = (request.credentials, request.attributes)
    if let answer = credentials as? ChallengeAnswer { return try await self.answer(answer, attributes) }
    if request.createsAccount { return try await signUp(credentials, attributes) }
    if let callback = credentials as? BrowserReturn { return try await finish(callback) }
    guard methods.contains(credentials.method) else { throw .unsupportedMethod(credentials.method) }
    switch credentials {
    case let credentials as PasswordCredentials:
      return try await signIn(credentials.userName, credentials.password, attributes)
    case let credentials as CognitoCredentials: return try await signIn(by: credentials, attributes)
    case let credentials as BrowserSignIn: return try await signIn(onPage: credentials, attributes)
    case let credentials as EmailCredentials where credentials.method == .emailCode:
      return try await signIn(credentials.address, by: "EMAIL_OTP", attributes)
    case let credentials as PhoneCredentials:
      return try await signIn(credentials.phoneNumber, by: "SMS_OTP", attributes)
    case let credentials as PasskeyCredentials where credentials.response == nil:
      guard let name = attributes["username"]?.reveal() else { throw .blankUserName }
      return try await signIn(name, by: "WEB_AUTHN", attributes)
    default: throw .unsupportedMethod(credentials.method)
    }
  }

  private func signIn(
    by credentials: CognitoCredentials, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    let name = credentials.userName
    switch credentials.method {
    case .password, .plainPassword:
      return try await signIn(
        name, credentials.password ?? Secret(""), plainly: credentials.method == .plainPassword, attributes)
    case .customChallenge:
      let flow = CognitoFlow(userName: name, attributes: attributes)
      return try await proceed(with: flow, service.initiate("CUSTOM_AUTH", in: flow, ["USERNAME": name]))
    case .passkey: return try await signIn(name, by: "WEB_AUTHN", attributes)
    default: throw .unsupportedMethod(credentials.method)
    }
  }

  /// By a password: with SRP, unless it is to be sent as it is.
  func signIn(
    _ name: String, _ password: Secret, plainly: Bool = false, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    var flow = CognitoFlow(userName: name, attributes: attributes, password: password)
    var parameters: JSONBody = ["USERNAME": name, "DEVICE_KEY": await devices.device(of: name)?.key]
    if plainly {
      parameters["PASSWORD"] = password
    } else {
      let exchange = await newExchange()
      parameters["SRP_A"] = exchange.publicValue
      flow.exchange = exchange
    }
    do throws(AuthenticationError) {
      let flowName = plainly ? "USER_PASSWORD_AUTH" : "USER_SRP_AUTH"
      return try await proceed(with: flow, service.initiate(flowName, in: flow, parameters))
    } catch {
      let error = plainly ? error : error.namingPlainPassword
      return .challenge(try challenge(for: error, of: name, password))
    }
  }

  /// By one of the ways without a password.
  func signIn(
    _ name: String, by challenge: String, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    let flow = CognitoFlow(userName: name, attributes: attributes, preferred: challenge)
    let parameters: JSONBody = ["USERNAME": name, "PREFERRED_CHALLENGE": challenge]
    return try await proceed(with: flow, service.initiate("USER_AUTH", in: flow, parameters))
  }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    guard let token = session.tokens.refresh else { throw .sessionExpired }
    let name = session.user.cognitoName
    let device = await devices.device(of: name)?.key
    let response: VendorResponse
    do throws(AuthenticationError) {
      response = try await service.call(
        "GetTokensFromRefreshToken",
        [
          "ClientId": service.pool.clientID, "RefreshToken": token, "ClientSecret": service.pool.clientSecret,
          "DeviceKey": device,
        ], .refresh)
    } catch {
      // An older pool, or an emulator, has only the operation before it. A gateway (502 and above) may have passed the
      // token on: it is not sent again.
      let isUnknown = error.cause?.code == 500 && error.providerCode == nil
      guard error == .endpointMissing || isUnknown else { throw error }
      do throws(AuthenticationError) {
        response = try await service.initiate(
          "REFRESH_TOKEN_AUTH", in: CognitoFlow(userName: name, attributes: [:]),
          ["REFRESH_TOKEN": token, "DEVICE_KEY": device], .refresh)
      } catch let older where older == .clientRejected && isUnknown {
        // A client with rotation has only the newer operation, whose error is the one to report.
        throw error
      }
    }
    // No response names the scopes, which stay the same.
    let tokens = try CognitoTokenMapper.tokens(response, scopes: session.accessToken.scopes)
    return tokens.with(tokens.identity.flatMap { JSONMembers(unverified: $0) }.map(CognitoTokenMapper.custom) ?? [:])
  }

  /// Ends the session that the refresh token began, and the access tokens that came of it; without one there is nothing
  /// to end.
  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    guard let token = tokens.refresh else { return }
    let pool = service.pool
    do throws(AuthenticationError) {
      try await service.call(
        "RevokeToken", ["ClientId": pool.clientID, "Token": token, "ClientSecret": pool.clientSecret], .refresh)
    } catch {
      guard error == .sessionRejected else { throw error }
    }
  }
}

extension CognitoAuthProvider {
  func forgetBegunSignIns() {
    secrets.forgetAll()
    pages?.removeAll()
  }
}

extension AuthenticationError {
  /// The same, with the other way to send a password if this may come from a client or a server without SRP: a client
  /// that does not allow it, an unknown operation, values that are none of an exchange, or an error page.
  fileprivate var namingPlainPassword: Self {
    let codes = ["InvalidParameterException", "UnsupportedOperationException", "UnknownOperationException"]
    let isPage = self.providerCode == nil && (self == .unexpectedResponse || self.cause?.code == 500)
    guard isPage || self.providerCode.map(codes.contains) == true else { return self }
    return Self(
      self, message,
      suggestion:
        "If the app client or the server has no SRP, allow USER_SRP_AUTH there, or sign in by the method 'password-plain'.",
      cause: self.cause
    ).with(\.providerCode, self.providerCode).with(\.retryAfter, self.retryAfter).with(\.reason, .passwordProtocol)
  }
}

extension CognitoAuthProvider: SessionValidatingProvider {
  func isValid(_ session: AuthSession) async throws(AuthenticationError) -> Bool {
    do throws(AuthenticationError) {
      try await service.call("GetUser", in: session)
      return true
    } catch {
      guard error == .accessTokenRefused else { throw error }
      return false
    }
  }
}

/// The data of one call between its steps.
struct CognitoFlow: Sendable {
  /// As typed, then as the service says.
  var userName: String
  /// The values that the app supplied.
  let attributes: Attributes
  /// As typed, where the service has said another name since.
  var typedName: String?
  var password: Secret?
  var exchange: SRPExchange?
  /// The device that is being proved.
  var device: CognitoDevice?
  /// The way without a password that was asked for.
  var preferred: String?
}

extension CognitoAuthProvider {
  /// Answers the challenges that need no user, until there is a session or a question.
  func proceed(with flow: CognitoFlow, _ first: VendorResponse) async throws(AuthenticationError) -> SignInOutcome {
    var flow = flow
    var response = first
    // No pool asks for more steps in a row.
    for _ in 0..<6 {
      guard let name = response.members["ChallengeName"] else {
        return .session(try await session(from: response, flow))
      }
      let parameters = response.parameters
      if let said = parameters["USERNAME"] ?? parameters["USER_ID_FOR_SRP"], said != flow.userName {
        flow.typedName = flow.typedName ?? flow.userName
        flow.userName = said
      }
      let session = response.members["Session"]
      switch name {
      case "PASSWORD_VERIFIER" where flow.exchange != nil && flow.password != nil:
        let identity = SRPExchange.Identity(
          realm: service.pool.name, name: parameters["USER_ID_FOR_SRP"] ?? flow.userName)
        var answers = try await claim(of: identity, flow.password, flow.exchange, response)
        answers["DEVICE_KEY"] = await devices.device(of: flow.userName)?.key
        response = try await service.respond(to: name, in: flow, answers, session: session)
      case "DEVICE_SRP_AUTH":
        flow.device = await devices.device(of: flow.userName)
        guard let device = flow.device else { throw .unknownChallenge(name) }
        let exchange = await newExchange()
        flow.exchange = exchange
        let answers: JSONBody = ["DEVICE_KEY": device.key, "SRP_A": exchange.publicValue]
        response = try await respond(to: name, flow, answers, session)
      case "DEVICE_PASSWORD_VERIFIER":
        guard let device = flow.device else { throw .unknownChallenge(name) }
        var answers = try await claim(of: device.identity, Secret(device.password), flow.exchange, response)
        answers["DEVICE_KEY"] = device.key
        response = try await respond(to: name, flow, answers, session)
      default: return .challenge(try await challenge(name, response, flow))
      }
    }
    throw .unexpectedResponse
  }

  /// A new exchange, computed outside of the caller's actor: it takes some milliseconds.
  @concurrent func newExchange() async -> SRPExchange { SRPExchange(random: randomBytes(32)) }

  /// Proves a password to the server, with the server's own time: a wrong clock would look like a wrong password.
  @concurrent private func claim(
    of identity: SRPExchange.Identity, _ password: Secret?, _ exchange: SRPExchange?, _ response: VendorResponse
  ) async throws(AuthenticationError) -> JSONBody {
    let parameters = response.parameters
    let block = try parameters.required("SECRET_BLOCK")
    guard let exchange, let password, let secretBlock = Data(base64Encoded: block),
      let salt = SRPNumber.bytes(hexadecimal: try parameters.required("SALT")),
      let server = SRPNumber.bytes(hexadecimal: try parameters.required("SRP_B")),
      let key = exchange.sessionKey(of: identity, password: password.reveal(), salt: salt, server: server)
    else { throw .unexpectedResponse }
    let offset = (response.clockOffset ?? .zero) / .seconds(1)
    let timestamp = CognitoTimestamp.text(service.clock.now.addingTimeInterval(offset))
    return [
      "PASSWORD_CLAIM_SECRET_BLOCK": block, "TIMESTAMP": timestamp,
      "PASSWORD_CLAIM_SIGNATURE": SRPExchange.signature(
        of: identity, secretBlock: Array(secretBlock), timestamp: timestamp, key: key),
    ]
  }

  private func challenge(
    _ name: String, _ response: VendorResponse, _ flow: CognitoFlow
  ) async throws(AuthenticationError) -> Challenge {
    let lifetime = service.pool.challengeLifetime
    let session = response.members["Session"]
    var handle = ChallengeHandle(name, of: flow.userName, session: session)
    let canEnrol = CognitoChallengeMapper.texts(in: response.parameters, "MFAS_CAN_SETUP")
    if name == "MFA_SETUP", canEnrol.contains("SOFTWARE_TOKEN_MFA") || canEnrol.isEmpty {
      let enrolment = try await service.call("AssociateSoftwareToken", ["Session": session], .signIn)
      handle = ChallengeHandle(name, of: flow.userName, session: enrolment.members["Session"] ?? session)
      handle["choice"] = "SOFTWARE_TOKEN_MFA"
      handle["typed"] = flow.typedName
      return CognitoChallengeMapper.enrolment(
        try enrolment.members.required("SecretCode"), handle, issuer: service.pool.name, lifetime: lifetime)
    }
    handle["typed"] = flow.typedName
    // Only a challenge that was asked for by name can be asked for again.
    handle["preferred"] = name == flow.preferred && name != "WEB_AUTHN" ? name : nil
    return try CognitoChallengeMapper.map(name, response, handle, lifetime: lifetime)
  }

  /// The session of a response; if anything is wrong with it, its tokens are revoked.
  private func session(
    from response: VendorResponse, _ flow: CognitoFlow
  ) async throws(AuthenticationError) -> AuthSession {
    let tokens = try CognitoTokenMapper.tokens(response)
    let session = try await unlessFaulty(tokens) { () throws(AuthenticationError) in
      AuthSession(user: try CognitoTokenMapper.user(tokens), tokens: tokens)
    }
    let names = [session.user.cognitoName, flow.userName, flow.typedName].compactMap(\.self)
    if let device = response.members.members("AuthenticationResult")?.members("NewDeviceMetadata") {
      await confirm(device, in: session, of: names)
    } else if let device = await devices.device(of: names[0]) {
      await devices.remember(device, of: names)
    }
    return session
  }

  /// The session of tokens; if anything is wrong with them, they are revoked.
  func unlessFaulty(
    _ tokens: SessionTokens, _ make: () throws(AuthenticationError) -> AuthSession
  ) async throws(AuthenticationError) -> AuthSession {
    do throws(AuthenticationError) { return try make() } catch {
      await discard(tokens, by: service.clock)
      throw error
    }
  }

  /// Continues a sign-in that asked for a step.
  func answer(_ answer: ChallengeAnswer, _ attributes: Attributes) async throws(AuthenticationError) -> SignInOutcome {
    let handle = try ChallengeHandle(answer.challenge)
    switch (handle.step, answer.content) {
    case (CognitoStep.confirmation, _): return try await confirm(answer, handle, attributes)
    case (CognitoStep.reset, _):
      if let challenge = try await reset(answer, handle, attributes) { return .challenge(challenge) }
      guard case .newPassword(let password) = answer.content else { throw .unanswerable }
      return try await signIn(handle.userName, password, attributes)
    case (CognitoStep.signIn, .newPassword(let password)), (CognitoStep.signIn, .code(let password)):
      return try await signIn(handle.userName, password, attributes)
    case (_, .resend):
      guard let preferred = handle["preferred"] else { throw .unanswerable }
      return try await signIn(handle.userName, by: preferred, attributes)
    case ("SELECT_CHALLENGE", .choice(let choice)) where ["PASSWORD", "PASSWORD_SRP"].contains(choice):
      var chosen = handle
      chosen["choice"] = choice
      return .challenge(Challenge(kind: .password, handle: chosen.secret, lifetime: answer.challenge.lifetime))
    case ("MFA_SETUP", .code(let code)) where handle["choice"] != nil: return try await enrol(code, handle, attributes)
    default:
      do throws(AuthenticationError) {
        return try await respond(answer.content, handle, attributes)
      } catch {
        // A passkey has no code that could be sent again.
        throw error == .codeExpired && handle.step == "WEB_AUTHN" ? .signInExpired : error
      }
    }
  }

  private func respond(
    _ content: ChallengeAnswer.Content, _ handle: ChallengeHandle, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    var flow = CognitoFlow(userName: handle.userName, attributes: attributes, typedName: handle["typed"])
    var answers: JSONBody = [:]
    let asked = CognitoChallengeMapper.texts[handle["choice"] ?? handle.step]
    switch (content, asked?.kind) {
    case (.choice(let choice), nil): answers["ANSWER"] = choice
    case (.code(let secret), .password?), (.newPassword(let secret), .password?):
      answers["ANSWER"] = handle["choice"]
      if asked?.answer == "SRP_A" {
        flow.password = secret
        let exchange = await newExchange()
        flow.exchange = exchange
        answers["SRP_A"] = exchange.publicValue
      } else {
        answers["PASSWORD"] = secret
      }
    case (.newPassword(let secret), .newPassword?):
      for (name, value) in attributes.ofAccount { answers[name] = value }
      answers["NEW_PASSWORD"] = secret
    case (.passkey(let secret), .passkey?): answers["CREDENTIAL"] = secret
    case (.code(let secret), let kind?) where kind != .passkey && kind != .newPassword:
      if let name = asked?.answer { answers[name] = secret }
    default: throw .unanswerable
    }
    return try await proceed(
      with: flow, service.respond(to: handle.step, in: flow, answers, session: handle["session"]))
  }

  /// The first code of an authenticator app, then the step that asked for it.
  private func enrol(
    _ code: Secret, _ handle: ChallengeHandle, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    let verified = try await service.call(
      "VerifySoftwareToken", ["UserCode": code, "Session": handle["session"]], .signIn)
    guard verified.members["Status"] == "SUCCESS" else { throw .wrongCode }
    let flow = CognitoFlow(userName: handle.userName, attributes: attributes, typedName: handle["typed"])
    let session = verified.members["Session"] ?? handle["session"]
    return try await proceed(with: flow, service.respond(to: handle.step, in: flow, [:], session: session))
  }

  /// The step that an error asks for, if it does.
  func challenge(
    for error: AuthenticationError, of name: String, _ password: Secret
  ) throws(AuthenticationError) -> Challenge {
    switch error.providerCode {
    case "UserNotConfirmedException":
      var handle = ChallengeHandle(CognitoStep.confirmation, of: name)
      handle["memory"] = secrets.keep(password, for: CognitoStep.confirmation)
      return CognitoChallengeMapper.delivery(nil, handle)
    case "PasswordResetRequiredException":
      return CognitoChallengeMapper.delivery(nil, ChallengeHandle(CognitoStep.reset, of: name))
    default: throw error
    }
  }
}
