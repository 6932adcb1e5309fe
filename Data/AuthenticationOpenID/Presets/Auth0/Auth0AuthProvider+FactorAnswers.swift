import AuthenticationData
import AuthenticationDomain

/// What a person answers to a second factor.
extension Auth0AuthProvider {
  func answerFactor(
    _ answer: ChallengeAnswer, _ handle: ChallengeHandle
  ) async throws(AuthenticationError) -> SignInOutcome {
    let choices = answer.challenge.choices
    switch (handle.step, answer.content) {
    case (_, .choice(let id)):
      guard let factor = choices.first(where: { $0.id == id }) else { throw .challengeReplaced }
      return .challenge(try await ask(factor, among: choices, handle))
    case (Step.oneTimePassword, .code(let code)):
      return try await finish("mfa-otp", handle, FormBody(["otp": code.reveal()]))
    case (Step.recoveryCode, .code(let code)):
      return try await finish("mfa-recovery-code", handle, FormBody(["recovery_code": code.reveal()]))
    case (Step.outOfBand, .code(let code)):
      return try await finish(
        "mfa-oob", handle, FormBody(["oob_code": try handle.required("oob"), "binding_code": code.reveal()]))
    case (Step.outOfBand, .approval): return try await poll(answer.challenge, handle)
    case (Step.outOfBand, .resend):
      let id = handle["id"]
      return .challenge(try await ask(choices.first { $0.id == id }, among: choices, handle))
    default: throw .challengeReplaced
    }
  }

  private func finish(
    _ grantType: String, _ handle: ChallengeHandle, _ fields: FormBody,
    refusals: VendorRefusals = Auth0Refusals.code
  ) async throws(AuthenticationError) -> SignInOutcome {
    var form = FormBody(["mfa_token": try handle.required("token")])
    for field in fields.fields { form.add(field.name, field.value) }
    return try await grant("http://auth0.com/oauth/grant-type/\(grantType)", form, begins: false, refusals: refusals)
  }

  /// Asks once whether the person has approved; the same challenge says not yet.
  private func poll(
    _ challenge: Challenge, _ handle: ChallengeHandle
  ) async throws(AuthenticationError) -> SignInOutcome {
    do throws(AuthenticationError) {
      return try await finish(
        "mfa-oob", handle, FormBody(["oob_code": try handle.required("oob")]), refusals: Auth0Refusals.approval)
    } catch {
      switch error.providerCode {
      case "authorization_pending": return .challenge(challenge)
      case "slow_down": return .challenge(challenge.polled(every: (challenge.pollInterval ?? .zero) + .seconds(5)))
      default: throw error
      }
    }
  }
}

extension Challenge {
  fileprivate func polled(every interval: Duration) -> Challenge {
    Challenge(
      kind: kind, destination: destination, handle: handle, lifetime: lifetime, choices: choices, pollInterval: interval
    )
  }
}
