import AuthenticationData
import AuthenticationDomain
import Foundation

/// The second factor, by the token of `mfa_required`, which is a secret and lives for ten minutes.
extension Auth0AuthProvider {
  private static let lifetime = 600.0

  /// Asks for the one factor, lets choose among several, or enrols the first. A recovery code is never asked for
  /// first.
  func secondFactor(_ token: Secret, _ attributes: Attributes) async throws(AuthenticationError) -> Challenge {
    let response = try await send(
      try service.request(.get, "mfa/authenticators", headers: ["Authorization": "Bearer \(token.reveal())"]))
    let factors = try Auth0FactorsResponseMapper.map(response)
    let end = openID.environment.clock.now.timeIntervalSince1970 + Self.lifetime
    let handle = ChallengeHandle(Step.choice, ["token": token.reveal(), "end": String(Int(end))])
    let usual = factors.filter { $0.kind != .recoveryCode }
    switch (factors.count, usual.count) {
    case (0, _): return try await enrol(handle, attributes)
    case (_, 1): return try await ask(usual[0], among: factors, handle, attributes)
    default: return Challenge(kind: .choice, handle: handle.secret, lifetime: timeLeft(handle), choices: factors)
    }
  }

  /// Begins a factor; for some of them a message is sent.
  ///
  /// - Parameter factor: nil for whichever Auth0 chooses.
  private func ask(
    _ factor: Challenge.Factor?, among choices: [Challenge.Factor], _ handle: ChallengeHandle, _ attributes: Attributes
  ) async throws(AuthenticationError) -> Challenge {
    let kind = factor?.kind ?? .choice
    if [.oneTimePassword, .recoveryCode].contains(kind) { return shown(kind, choices, handle) }
    do throws(AuthenticationError) {
      let body = try JSONMembers(
        await post(
          "mfa/challenge",
          [
            "mfa_token": try handle.required("token"), "challenge_type": factor == nil ? "otp oob" : "oob",
            "authenticator_id": factor?.id,
          ]))
      guard body["challenge_type"] == "oob" else { return shown(.oneTimePassword, choices, handle) }
      return try outOfBand(body, factor, choices, handle)
    } catch {
      let codes = ["unsupported_challenge_type", "a0.mfa_registration_required", "association_required"]
      guard factor != nil, let code = error.providerCode, codes.contains(code) else { throw error }
      return try await enrol(handle, attributes)
    }
  }

  /// For factors that the user has already.
  private func shown(_ kind: Challenge.Kind, _ choices: [Challenge.Factor], _ handle: ChallengeHandle) -> Challenge {
    let isCode = kind == .recoveryCode
    return Challenge(
      kind: kind, handle: handle.at(isCode ? Step.recoveryCode : Step.oneTimePassword).secret,
      format: isCode ? nil : .digits(6), lifetime: timeLeft(handle), choices: choices)
  }

  /// Without a `binding_method` the user approves on another device.
  private func outOfBand(
    _ body: JSONMembers, _ factor: Challenge.Factor?, _ choices: [Challenge.Factor], _ handle: ChallengeHandle
  ) throws(AuthenticationError) -> Challenge {
    var handle = handle.at(Step.outOfBand)
    (handle["oob"], handle["id"]) = (try body.required("oob_code"), factor?.id)
    let isPrompt = body["binding_method"] == "prompt"
    let channel = Auth0FactorsResponseMapper.kind(type: "oob", channel: body["oob_channel"])
    let kind = factor?.kind ?? channel ?? .smsCode
    return Challenge(
      kind: isPrompt ? kind : .approval, destination: factor?.destination,
      handle: handle.secret, format: isPrompt ? CodeFormat(length: 4...12) : nil, lifetime: timeLeft(handle),
      resendDelay: isPrompt ? Self.resendDelay : nil, choices: choices, pollInterval: isPrompt ? nil : .seconds(5))
  }

  private func timeLeft(_ handle: ChallengeHandle) -> Duration? {
    handle["end"].flatMap { Double($0) }.flatMap {
      let left = $0 - openID.environment.clock.now.timeIntervalSince1970.rounded()
      return Duration(seconds: max(left, 0), atMost: .seconds(Self.lifetime))
    }
  }

  // MARK: The answers of a user to a second factor.

  func answerFactor(
    _ answer: ChallengeAnswer, _ handle: ChallengeHandle, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    let choices = answer.challenge.choices
    switch (handle.step, answer.content) {
    case (_, .choice(let id)):
      guard let factor = choices.first(where: { $0.id == id }) else { throw .challengeReplaced }
      return .challenge(try await ask(factor, among: choices, handle, attributes))
    case (Step.oneTimePassword, .code(let code)):
      return try await finish("mfa-otp", handle, FormBody(["otp": code.reveal()]), attributes)
    case (Step.recoveryCode, .code(let code)):
      return try await finish("mfa-recovery-code", handle, FormBody(["recovery_code": code.reveal()]), attributes)
    case (Step.outOfBand, .code(let code)):
      return try await finish(
        "mfa-oob", handle, FormBody(["oob_code": try handle.required("oob"), "binding_code": code.reveal()]),
        attributes)
    case (Step.outOfBand, .approval): return try await poll(answer.challenge, handle, attributes)
    case (Step.outOfBand, .resend):
      let id = handle["id"]
      return .challenge(try await ask(choices.first { $0.id == id }, among: choices, handle, attributes))
    default: throw .challengeReplaced
    }
  }

  private func finish(
    _ grantType: String, _ handle: ChallengeHandle, _ fields: FormBody,
    refusals: VendorRefusals = Auth0Refusals.code, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    var form = FormBody(["mfa_token": try handle.required("token")])
    for field in fields.fields { form.add(field.name, field.value) }
    return try await grant(
      "http://auth0.com/oauth/grant-type/\(grantType)", form, begins: false, refusals: refusals, attributes)
  }

  /// Asks once whether the user has approved; the same challenge says not yet.
  private func poll(
    _ challenge: Challenge, _ handle: ChallengeHandle, _ attributes: Attributes
  ) async throws(AuthenticationError) -> SignInOutcome {
    do throws(AuthenticationError) {
      return try await finish(
        "mfa-oob", handle, FormBody(["oob_code": try handle.required("oob")]), refusals: Auth0Refusals.approval,
        attributes)
    } catch {
      switch error.providerCode {
      case "authorization_pending": return .challenge(challenge)
      case "slow_down": return .challenge(challenge.polled(every: (challenge.pollInterval ?? .zero) + .seconds(5)))
      default: throw error
      }
    }
  }

  // MARK: The first second factor of an account that has none.

  /// Adds the first factor: an authenticator app, or the phone or address that the app gave as an attribute.
  private func enrol(
    _ handle: ChallengeHandle, _ attributes: Attributes
  ) async throws(AuthenticationError) -> Challenge {
    let token = try handle.required("token")
    let (phone, email) = (attributes["phone_number"], attributes["email"])
    var body: JSONBody = ["authenticator_types": ["otp"]]
    if let phone {
      body = ["authenticator_types": ["oob"], "oob_channels": ["sms"], "phone_number": phone]
    } else if let email {
      body = ["authenticator_types": ["oob"], "oob_channels": ["email"], "email": email]
    }
    let members: JSONMembers
    do throws(AuthenticationError) {
      members = try JSONMembers(
        await send(try service.request(.post, "mfa/associate", headers: ["Authorization": "Bearer \(token)"], body)))
    } catch {
      guard error == .alreadyLinked else { throw error }
      return try await ask(nil, among: [], handle, attributes)
    }
    let codes = members.texts("recovery_codes").map(Secret.init)
    if !codes.isEmpty { await showRecoveryCodes(codes) }
    guard members["authenticator_type"] == "otp" else { return try outOfBand(members, nil, [], handle) }
    return Challenge(
      kind: .enrolment, handle: handle.at(Step.oneTimePassword).secret, format: .digits(6), lifetime: timeLeft(handle),
      enrolment: Challenge.Enrolment(
        secret: Secret(try members.required("secret")), uri: members.secret("barcode_uri")))
  }
}

extension ChallengeHandle {
  /// The same at another step.
  func at(_ step: String) -> Self {
    var handle = self
    handle["step"] = step
    return handle
  }
}

extension Challenge {
  fileprivate func polled(every interval: Duration) -> Challenge {
    Challenge(
      kind: kind, destination: destination, handle: handle, lifetime: lifetime, choices: choices, pollInterval: interval
    )
  }
}

/// Maps the response of `GET /mfa/authenticators`: the factors that are active, and of a kind that is known here.
enum Auth0FactorsResponseMapper {
  static func map(_ response: HTTPResponse) throws(AuthenticationError) -> [Challenge.Factor] {
    guard response.isJSON, let list = try? BoundedJSON.decode([[String: JSONValue]].self, from: response.body) else {
      throw .unexpectedResponse
    }
    return list.map { JSONMembers($0) }.compactMap { authenticator in
      guard authenticator.flag("active") == true, let id = authenticator["id"],
        let kind = kind(type: authenticator["authenticator_type"], channel: authenticator["oob_channel"])
      else { return nil }
      return Challenge.Factor(id: id, kind: kind, destination: authenticator["name"])
    }
  }

  static func kind(type: String?, channel: String?) -> Challenge.Kind? {
    switch (type, channel) {
    case ("otp", _): .oneTimePassword
    case ("recovery-code", _): .recoveryCode
    case ("oob", "sms"), ("oob", "voice"): .smsCode
    case ("oob", "email"): .emailCode
    case ("oob", "auth0"): .approval
    default: nil
    }
  }
}
