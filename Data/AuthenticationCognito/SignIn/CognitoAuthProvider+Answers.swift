import AuthenticationData
import AuthenticationDomain

extension CognitoAuthProvider {
  /// Goes on with a sign-in that asked for a step.
  func answer(_ answer: ChallengeAnswer) async throws(AuthenticationError) -> SignInOutcome {
    let handle = try CognitoHandle(answer.challenge)
    switch (handle.step, answer.content) {
    case (CognitoHandle.confirmation, _): return try await confirm(answer, handle)
    case (CognitoHandle.reset, _):
      switch try await reset(answer, handle) {
      case .challenge(let challenge): return .challenge(challenge)
      case .password(let password): return try await signIn(handle.userName, password)
      }
    case (CognitoHandle.signIn, .newPassword(let password)), (CognitoHandle.signIn, .code(let password)):
      return try await signIn(handle.userName, password)
    case (_, .resend):
      guard let preferred = handle.preferred else { throw .unanswerable }
      return try await signIn(handle.userName, by: preferred)
    case ("SELECT_CHALLENGE", .choice(let choice)) where ["PASSWORD", "PASSWORD_SRP"].contains(choice):
      var chosen = handle
      chosen.choice = choice
      return .challenge(Challenge(kind: .password, handle: chosen.secret, lifetime: answer.challenge.lifetime))
    case ("MFA_SETUP", .code(let code)) where handle.choice != nil:
      return try await enrol(code, handle)
    default:
      do throws(AuthenticationError) {
        return try await respond(answer.content, handle)
      } catch {
        // A passkey has no code that could be sent again.
        throw error.code == .codeExpired && handle.step == "WEB_AUTHN" ? .signInExpired : error
      }
    }
  }

  private func respond(
    _ content: ChallengeAnswer.Content, _ handle: CognitoHandle
  ) async throws(AuthenticationError) -> SignInOutcome {
    var flow = CognitoFlow(userName: handle.userName)
    var answers: [String: String] = [:]
    let asked = CognitoChallengeMapper.texts[handle.choice ?? handle.step]
    switch (content, asked?.kind) {
    case (.choice(let choice), nil): answers["ANSWER"] = choice
    case (.code(let secret), .password?), (.newPassword(let secret), .password?):
      answers["ANSWER"] = handle.choice
      if asked?.answer == "SRP_A" {
        flow.password = secret
        let exchange = await newExchange()
        flow.exchange = exchange
        answers["SRP_A"] = exchange.publicValue
      } else {
        answers["PASSWORD"] = secret.reveal()
      }
    case (.newPassword(let secret), .newPassword?):
      answers = service.attributes
      answers["NEW_PASSWORD"] = secret.reveal()
    case (.passkey(let secret), .passkey?): answers["CREDENTIAL"] = secret.reveal()
    case (.code(let secret), let kind?) where kind != .passkey && kind != .newPassword:
      if let name = asked?.answer { answers[name] = secret.reveal() }
    default: throw .unanswerable
    }
    return try await proceed(
      with: flow, service.respond(to: handle.step, for: handle.userName, answers, session: handle.session))
  }

  /// The first code of an authenticator app, then the step that asked for it.
  private func enrol(
    _ code: Secret, _ handle: CognitoHandle
  ) async throws(AuthenticationError) -> SignInOutcome {
    var body: [String: JSONValue] = ["UserCode": .string(code.reveal())]
    body["Session"] = handle.session.map(JSONValue.string)
    let verified = try await service.call("VerifySoftwareToken", body, .signIn)
    guard verified.members["Status"] == "SUCCESS" else { throw .wrongCode }
    return try await proceed(
      with: CognitoFlow(userName: handle.userName),
      service.respond(
        to: handle.step, for: handle.userName, [:], session: verified.members["Session"] ?? handle.session))
  }

  /// The step that an error asks for, if it does.
  func challenge(
    for error: AuthenticationError, of name: String, _ password: Secret
  ) throws(AuthenticationError) -> Challenge {
    switch error.providerCode {
    case "UserNotConfirmedException":
      var handle = CognitoHandle(CognitoHandle.confirmation, of: name)
      handle.memory = secrets.keep(password, for: CognitoHandle.confirmation)
      return CognitoChallengeMapper.delivery(nil, handle)
    case "PasswordResetRequiredException":
      return CognitoChallengeMapper.delivery(nil, CognitoHandle(CognitoHandle.reset, of: name))
    default: throw error
    }
  }
}
