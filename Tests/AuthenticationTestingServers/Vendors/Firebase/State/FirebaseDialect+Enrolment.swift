#if Tools && OpenID
import AuthenticationDomain
import Foundation

extension FirebaseDialect {
  mutating func startEnrolment(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let account = try self.owner(of: body, now, recent: true).account
    guard account.isEmailVerified else { throw .firebase("UNVERIFIED_EMAIL : Need to verify email first.") }
    guard account.factors.count < 5 else { throw .firebase("SECOND_FACTOR_LIMIT_EXCEEDED") }
    if let phone = try body.object("phoneEnrollmentInfo") {
      let number = phone["phoneNumber"]?.text ?? ""
      let isKnown = account.factors.contains { if case .phone(number) = $0.kind { true } else { false } }
      if isKnown { throw .firebase("SECOND_FACTOR_EXISTS") }
      let session = try sendCode(Self.verifier(phone), now)
      enrolments[session] = .init(accountID: account.id, kind: .phone(number), code: phoneCodes[session])
      return ["phoneSessionInfo": ["sessionInfo": .string(session)]]
    }
    guard try body.object("totpEnrollmentInfo") == [:] else { throw .firebaseArgument }
    let secret = OneTimePassword.makeSecret()
    let session = nextID("totp-session")
    enrolments[session] = .init(accountID: account.id, kind: .totp(secret: secret))
    return [
      "totpSessionInfo": [
        "sharedSecretKey": .string(secret), "verificationCodeLength": 6, "hashingAlgorithm": "SHA1", "periodSec": 30,
        "sessionInfo": .string(session),
        "finalizeEnrollmentTime": .string(now.addingTimeInterval(300).formatted(.iso8601)),
      ]
    ]
  }

  /// The tokens from before are revoked, as after a new password.
  mutating func finishEnrolment(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let (account, grant) = try self.owner(of: body, now, recent: true)
    let isPhone = body.values["phoneVerificationInfo"] != nil
    guard let info = try body.object(isPhone ? "phoneVerificationInfo" : "totpVerificationInfo") else {
      throw .firebaseArgument
    }
    let name = isPhone ? "code" : "verificationCode"
    let fields = try VendorMembers(info, only: ["sessionInfo", name], else: .firebaseArgument)
    let code = try fields.text(name)
    guard let session = try fields.text("sessionInfo"), let enrolment = enrolments[session],
      enrolment.accountID == account.id
    else { throw .firebase("INVALID_SESSION_INFO") }
    var factor = FirebaseFactor(id: nextID("factor"), kind: enrolment.kind, name: try body.text("displayName"))
    factor.enrolledAt = now
    switch enrolment.kind {
    case .phone: _ = try self.number(session: session, code: code, now)
    case .totp(let secret):
      guard let step = OneTimePassword.step(of: code ?? "", secret: secret, at: now) else {
        throw .firebase("INVALID_CODE")
      }
      factor.lastStep = step
    }
    enrolments[session] = nil
    accounts[account.id]?.factors.append(factor)
    endTokens(ofAccount: account.id, now)
    return tokens(refreshed(grant, now))
  }

  mutating func withdrawFactor(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let (account, grant) = try self.owner(of: body, now, recent: true)
    guard let id = try body.text("mfaEnrollmentId"), account.factors.contains(where: { $0.id == id }) else {
      throw .firebase("MFA_ENROLLMENT_NOT_FOUND")
    }
    accounts[account.id]?.factors.removeAll { $0.id == id }
    endTokens(ofAccount: account.id, now)
    return tokens(refreshed(grant, now))
  }

  private func tokens(_ answer: [String: JSONValue]) -> [String: JSONValue] {
    answer.filter { $0.key != "expiresIn" }
  }
}
#endif
