import AuthenticationData
import AuthenticationDomain

/// A second factor, by the credential of the sign-in that waits for it.
extension FirebaseAuthProvider {
  func secondFactor(
    _ pending: Secret, _ choices: [Challenge.Factor]
  ) async throws(AuthenticationError) -> Challenge {
    guard let only = choices.first else { throw .unexpectedAnswer }
    if choices.count == 1 { return try await ask(only.id, choices, pending) }
    return Challenge(
      kind: .choice, handle: ChallengeHandle(Step.choice, ["pending": pending.reveal()]).secret, choices: choices)
  }

  /// Asks for one of the factors; a text message is sent for it.
  func ask(
    _ id: String, _ choices: [Challenge.Factor], _ pending: Secret
  ) async throws(AuthenticationError) -> Challenge {
    guard let factor = choices.first(where: { $0.id == id }) else { throw .challengeReplaced }
    let fields = ["pending": pending.reveal(), "id": id]
    guard factor.kind == .smsCode else {
      return Challenge(
        kind: .oneTimePassword, handle: ChallengeHandle(Step.totp, fields).secret, format: .digits(6),
        choices: choices)
    }
    let (body, _) = try await service.call(
      "v2/accounts/mfaSignIn:start",
      [
        "mfaPendingCredential": .string(pending.reveal()), "mfaEnrollmentId": .string(id),
        "phoneSignInInfo": .object(Self.proofOfApp.compactMapValues(\.self)),
      ], errors: FirebaseErrors.signIn)
    guard let session = body.members("phoneResponseInfo")?["sessionInfo"] else { throw .unexpectedAnswer }
    return Challenge(
      kind: .smsCode, destination: factor.destination,
      handle: ChallengeHandle(Step.sms, fields.merging(["session": session]) { $1 }).secret, format: .digits(6),
      resendDelay: .seconds(30), choices: choices)
  }

  func finish(
    _ handle: ChallengeHandle, _ verification: [String: JSONValue?]
  ) async throws(AuthenticationError) -> SignInOutcome {
    var body = verification
    body["mfaPendingCredential"] = .string(try handle.required("pending"))
    return try await begin("v2/accounts/mfaSignIn:finalize", body, linkingTo: nil)
  }
}
