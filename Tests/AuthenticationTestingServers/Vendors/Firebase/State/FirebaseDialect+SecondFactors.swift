#if Tools && OpenID
import AuthenticationDomain
import Foundation

extension FirebaseDialect {
  func info(_ factor: FirebaseFactor) -> JSONValue {
    var members: [String: JSONValue] = [
      "mfaEnrollmentId": .string(factor.id), "displayName": .optional(factor.name),
      "enrolledAt": .string(factor.enrolledAt.formatted(.iso8601)),
    ]
    switch factor.kind {
    case .totp: members["totpInfo"] = .object([:])
    case .phone(let number):
      members["phoneInfo"] = .string("+" + String(repeating: "*", count: number.count - 5) + number.suffix(4))
    }
    return .object(members.present)
  }

  mutating func startSecondFactor(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let (_, account) = try self.pending(body, now)
    let id = try body.text("mfaEnrollmentId")
    guard case .phone(let number)? = account.factors.first(where: { $0.id == id })?.kind else {
      throw .firebase("MFA_ENROLLMENT_NOT_FOUND")
    }
    guard let proof = try body.object("phoneSignInInfo") else { throw .firebaseArgument }
    let session = try sendCode(Self.verifier(proof), to: number, now)
    return ["phoneResponseInfo": ["sessionInfo": .string(session)]]
  }

  /// Tokens, and nothing else.
  mutating func finishSecondFactor(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let (pending, account) = try self.pending(body, now)
    let factorID: String
    if let phone = try body.object("phoneVerificationInfo") {
      let phone = try VendorMembers(phone, only: ["sessionInfo", "code"], else: .firebaseArgument)
      let number = try self.number(session: phone.text("sessionInfo"), code: phone.text("code"), now)
      guard let factor = account.factors.first(where: { if case .phone(number) = $0.kind { true } else { false } })
      else { throw .firebase("MFA_ENROLLMENT_NOT_FOUND") }
      factorID = factor.id
    } else {
      guard let totp = try body.object("totpVerificationInfo") else { throw .firebaseArgument }
      let code = try VendorMembers(totp, only: ["verificationCode"], else: .firebaseArgument).text("verificationCode")
      guard let id = try body.text("mfaEnrollmentId"), account.factors.contains(where: { $0.id == id }) else {
        throw .firebase("MFA_ENROLLMENT_NOT_FOUND")
      }
      try spend(code, factor: id, of: account.id, now)
      factorID = id
    }
    if let credential = try body.text("mfaPendingCredential") { pendingSignIns[credential] = nil }
    accounts[account.id]?.lastLoginAt = now
    var answer = grant(to: account, by: pending.provider, factor: factorID, authenticatedAt: now, now)
    answer["expiresIn"] = nil
    return answer
  }

  /// A code works once (RFC 6238 §5.2).
  private mutating func spend(
    _ code: String?, factor id: String, of accountID: String, _ now: Date
  ) throws(VendorRefusal) {
    guard let index = accounts[accountID]?.factors.firstIndex(where: { $0.id == id }),
      let factor = accounts[accountID]?.factors[index], case .totp(let secret) = factor.kind, let code,
      let step = OneTimePassword.step(of: code, secret: secret, at: now), factor.lastStep.map({ step > $0 }) ?? true
    else { throw .firebase("INVALID_CODE") }
    accounts[accountID]?.factors[index].lastStep = step
  }

  private func pending(
    _ body: VendorMembers, _ now: Date
  ) throws(VendorRefusal) -> (pending: FirebasePendingSignIn, account: FirebaseAccount) {
    guard let pending = try body.text("mfaPendingCredential").flatMap({ pendingSignIns[$0] }),
      now < pending.expiresAt, let account = accounts[pending.accountID]
    else { throw .firebase("INVALID_MFA_PENDING_CREDENTIAL") }
    return (pending, account)
  }

  static func verifier(_ members: [String: JSONValue]) throws(VendorRefusal) -> VendorMembers {
    let known: Set = [
      "phoneNumber", "recaptchaToken", "iosReceipt", "iosSecret", "captchaResponse", "clientType", "recaptchaVersion",
    ]
    return try VendorMembers(members, only: known, else: .firebaseArgument)
  }
}
#endif
