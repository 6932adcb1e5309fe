import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The steps of a sign-in: a code by text message, a link by e-mail, and the answers to all of them.
extension FirebaseAuthProvider {
  enum Step {
    static let phone = "phone"
    static let link = "link"
    static let choice = "factors"
    static let sms = "mfa-sms"
    static let totp = "mfa-totp"
  }

  func continueSignIn(
    _ answer: ChallengeAnswer, linkingTo token: Secret?
  ) async throws(AuthenticationError) -> SignInOutcome {
    let handle = try ChallengeHandle(answer.challenge)
    switch (handle.step, answer.content) {
    case (Step.phone, .resend): return .challenge(try await sendCode(to: try handle.required("phone")))
    case (Step.phone, .code(let code)):
      return try await begin(
        "v1/accounts:signInWithPhoneNumber",
        ["sessionInfo": .string(try handle.required("session")), "code": .string(code.reveal())], linkingTo: token)
    case (Step.link, .resend): return .challenge(try await sendLink(to: try handle.required("email")))
    case (Step.link, .link(let url)): return try await open(url, for: try handle.required("email"), linkingTo: token)
    case (Step.choice, .choice(let id)), (Step.sms, .choice(let id)), (Step.totp, .choice(let id)):
      return .challenge(try await ask(id, answer.challenge.choices, Secret(try handle.required("pending"))))
    case (Step.sms, .resend):
      let pending = Secret(try handle.required("pending"))
      return .challenge(try await ask(try handle.required("id"), answer.challenge.choices, pending))
    case (Step.sms, .code(let code)):
      let verification: [String: JSONValue] = [
        "sessionInfo": .string(try handle.required("session")), "code": .string(code.reveal()),
      ]
      return try await finish(handle, ["phoneVerificationInfo": .object(verification)])
    case (Step.totp, .code(let code)):
      return try await finish(
        handle,
        [
          "mfaEnrollmentId": .string(try handle.required("id")),
          "totpVerificationInfo": ["verificationCode": .string(code.reveal())],
        ])
    default: throw .challengeReplaced
    }
  }

  func sendCode(to number: String, _ step: String = Step.phone) async throws(AuthenticationError) -> Challenge {
    let (body, _) = try await service.call(
      "v1/accounts:sendVerificationCode", Self.proofOfApp.merging(["phoneNumber": .string(number)]) { $1 },
      errors: FirebaseErrors.signIn)
    return Challenge(
      kind: .smsCode, destination: number.masked,
      handle: ChallengeHandle(step, ["phone": number, "session": try body.required("sessionInfo")]).secret,
      format: .digits(6), resendDelay: .seconds(30))
  }

  func sendLink(to address: String) async throws(AuthenticationError) -> Challenge {
    guard let url = service.project.continueURL else { throw .unsupportedMethod(.emailLink) }
    try await sendMail("EMAIL_SIGNIN", ["email": .string(address)], returningTo: url, errors: FirebaseErrors.signIn)
    return Challenge(
      kind: .link, destination: address.masked, handle: ChallengeHandle(Step.link, ["email": address]).secret,
      resendDelay: .seconds(30))
  }

  func sendMail(
    _ purpose: JSONValue, _ body: [String: JSONValue?], returningTo url: String?,
    errors: [String: AuthenticationError]
  ) async throws(AuthenticationError) {
    var body = body
    body["requestType"] = purpose
    if let url {
      body["continueUrl"] = .string(url)
      body["canHandleCodeInApp"] = true
      body["iOSBundleId"] = service.project.bundleID.map { .string($0) }
    }
    _ = try await service.call("v1/accounts:sendOobCode", body, errors: errors)
  }

  func open(
    _ url: URL, for address: String, linkingTo token: Secret?
  ) async throws(AuthenticationError) -> SignInOutcome {
    let link = try FirebaseLink(url, apiKey: service.project.apiKey)
    guard link.mode == "signIn" else { throw .invalidLink }
    return try await begin(
      "v1/accounts:signInWithEmailLink", ["email": .string(address), "oobCode": .string(link.code.reveal())],
      linkingTo: token)
  }

  /// By which the app proves itself before a text message is sent, as the app supplied it for this attempt. Without one
  /// the project decides: fictional numbers and the emulator need none, any other answers that a captcha is required.
  static var proofOfApp: [String: JSONValue?] {
    let names = [
      "recaptchaToken", "iosReceipt", "iosSecret", "captchaResponse", "clientType", "recaptchaVersion",
    ]
    return Dictionary(uniqueKeysWithValues: names.compactMap { name in attribute(name).map { (name, $0) } })
  }
}
