import AuthenticationData
import AuthenticationDomain

/// Codes by e-mail or text message, and what a person answers to any challenge.
extension Auth0AuthProvider {
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
      [
        "connection": .string(connection), isEmail ? "email" : "phone_number": .string(address), "send": "code",
      ])
    return Challenge(
      kind: isEmail ? .emailCode : .smsCode, destination: address,
      handle: ChallengeHandle(Step.code, ["address": address, "connection": connection]).secret,
      format: CodeFormat(length: 4...12), resendDelay: Self.resendDelay)
  }

  func answer(_ answer: ChallengeAnswer) async throws(AuthenticationError) -> SignInOutcome {
    let handle = try ChallengeHandle(answer.challenge)
    switch (handle.step, answer.content) {
    case (Step.code, .resend):
      return .challenge(try await sendCode(to: try handle.required("address"), by: try handle.required("connection")))
    case (Step.code, .code(let code)):
      return try await grant(
        "http://auth0.com/oauth/grant-type/passwordless/otp",
        FormBody([
          "username": try handle.required("address"), "otp": code.reveal(), "realm": try handle.required("connection"),
        ]), refusals: Auth0Refusals.code)
    case (Step.passkey, .passkey(let response)): return try await finishPasskey(response, handle)
    default: return try await answerFactor(answer, handle)
    }
  }
}
