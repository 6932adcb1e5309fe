import AuthenticationData
import AuthenticationDomain

extension SupabaseAuthProvider: FactorProvider {
  static let factorStep = "factor"

  /// A session, or the challenge of a second factor where the project asks for one: a code of the only one, or a choice.
  func complete(_ signedIn: SupabaseSession) async throws(AuthenticationError) -> SignInOutcome {
    guard project.requiresSecondFactor, signedIn.level != "aal2", !signedIn.factors.isEmpty else {
      return .session(signedIn.session)
    }
    let choices = signedIn.factors.filter { $0.kind != .passkey }
      .map { Challenge.Factor(id: $0.id, kind: $0.kind, destination: $0.phone?.masked, label: $0.label) }
    var handle = ChallengeHandle(Self.factorStep, ["user": signedIn.session.user.id])
    handle["token"] = signedIn.session.accessToken.value.reveal()
    switch choices.count {
    case 0:
      throw AuthenticationError(
        .insufficientUserAuthentication, "The person's only second factor is a passkey, which is not used here.")
    case 1: return .challenge(try await ask(choices[0], among: [], handle, signedIn.session.accessToken.value))
    default: return .challenge(Challenge(kind: .choice, handle: handle.secret, choices: choices))
    }
  }

  /// Sends a code to a phone; of an authenticator app nothing is asked before its code is there.
  private func ask(
    _ factor: Challenge.Factor, among choices: [Challenge.Factor], _ handle: ChallengeHandle, _ token: Secret
  ) async throws(AuthenticationError) -> Challenge {
    var handle = handle
    (handle["factor"], handle["challenge"]) = (factor.id, nil)
    guard factor.kind == .smsCode else {
      return Challenge(kind: factor.kind, handle: handle.secret, format: .digits(6), choices: choices)
    }
    handle["challenge"] = try await begin(factor.id, token, handle.errors)
    return Challenge(
      kind: .smsCode, destination: factor.destination, handle: handle.secret, format: project.codeFormat,
      lifetime: .seconds(300), resendDelay: .seconds(60), choices: choices)
  }

  private func begin(
    _ factor: String, _ token: Secret, _ errors: SupabaseErrors
  ) async throws(AuthenticationError) -> String {
    let response = try await client.send(.post, "factors/\(factor)/challenge", as: token, [:], errors: errors)
    return try JSONMembers(response).required("id")
  }

  /// The answer is a whole session, of a higher level.
  func answerFactor(
    _ answer: ChallengeAnswer, _ handle: ChallengeHandle, _ session: AuthSession?
  ) async throws(AuthenticationError) -> AccountStep {
    guard let token = handle["token"].map(Secret.init) ?? session?.accessToken.value else { throw .notSignedIn }
    let choices = answer.challenge.choices
    switch answer.content {
    case .choice(let id):
      guard let factor = choices.first(where: { $0.id == id }) else { throw .challengeReplaced }
      return .challenge(try await ask(factor, among: choices, handle, token))
    case .resend:
      let factor = Challenge.Factor(
        id: try handle.required("factor"), kind: answer.challenge.kind, destination: answer.challenge.destination)
      return .challenge(try await ask(factor, among: choices, handle, token))
    case .code(let code):
      let factor = try handle.required("factor")
      let challenge =
        if let begun = handle["challenge"] { begun } else { try await begin(factor, token, handle.errors) }
      let signedIn = try await client.session(
        "factors/\(factor)/verify", as: token,
        ["challenge_id": .string(challenge), "code": .string(code.reveal())], errors: handle.errors)
      guard signedIn.session.user.id == handle["user"] else { throw .otherSubject }
      guard signedIn.level == "aal2" else { throw .unexpectedAnswer }
      return .session(signedIn.session)
    default: throw .challengeReplaced
    }
  }

  // MARK: Account

  func factors(of session: AuthSession) async throws(AuthenticationError) -> [EnrolledFactor] {
    SupabaseUserResponseMapper.factors(try await userBody(of: session))
      .map { EnrolledFactor(id: $0.id, kind: $0.kind, label: $0.label ?? $0.phone, createdAt: $0.createdAt) }
  }

  /// An authenticator app, or the account's own phone number.
  func enrol(_ kind: Challenge.Kind, for session: AuthSession) async throws(AuthenticationError) -> AccountStep {
    var handle = ChallengeHandle(Self.factorStep, ["user": session.user.id])
    switch kind {
    case .enrolment, .oneTimePassword:
      let body = try await add(["factor_type": "totp"], session)
      guard let totp = body.members("totp"), let secret = totp.secret("secret") else { throw .unexpectedAnswer }
      handle["factor"] = try body.required("id")
      return .challenge(
        Challenge(
          kind: .enrolment, handle: handle.secret, format: .digits(6),
          enrolment: .init(secret: secret, uri: totp.secret("uri"))))
    case .smsCode:
      guard let phone = session.user.phoneNumber else { throw .invalidPhoneNumber }
      let id = try await add(["factor_type": "phone", "phone": .string(phone)], session).required("id")
      let factor = Challenge.Factor(id: id, kind: .smsCode, destination: phone)
      return .challenge(try await ask(factor, among: [], handle, session.accessToken.value))
    default: throw .unsupportedMethod(SignInMethod(id: kind.id, displayName: kind.id))
    }
  }

  private func add(_ body: [String: JSONValue], _ session: AuthSession) async throws(AuthenticationError) -> JSONMembers
  {
    try JSONMembers(
      await client.send(.post, "factors", as: session.accessToken.value, body, errors: .account))
  }

  func remove(
    _ factor: EnrolledFactor, of session: AuthSession
  ) async throws(AuthenticationError) -> AuthSession? {
    _ = try await client.send(.delete, "factors/\(factor.id)", as: session.accessToken.value, errors: .account)
    return nil
  }
}

extension ChallengeHandle {
  /// With the tokens of an attempt nobody is signed in yet.
  fileprivate var errors: SupabaseErrors { self["token"] == nil ? .accountFactor : .factor }
}
