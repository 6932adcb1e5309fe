#if Tools && OpenID
import AuthenticationDomain
import Foundation

extension FirebaseDialect {
  func lookup(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let account = try self.owner(of: body, now).account
    let milliseconds = { (date: Date) in JSONValue.string("\(Int(date.timeIntervalSince1970) * 1_000)") }
    let user: [String: JSONValue] = [
      "localId": .string(account.id), "email": .optional(account.email),
      "emailVerified": .boolean(account.isEmailVerified), "displayName": .optional(account.displayName),
      "photoUrl": .optional(account.photoURL), "phoneNumber": .optional(account.phoneNumber),
      "providerUserInfo": .array(providers(account)), "mfaInfo": .array(account.factors.map(info)),
      "disabled": .boolean(account.isDisabled),
      "validSince": .string("\(Int(account.validSince.timeIntervalSince1970))"),
      "lastLoginAt": account.lastLoginAt.map(milliseconds) ?? .null, "createdAt": milliseconds(account.createdAt),
    ]
    return ["kind": "identitytoolkit#GetAccountInfoResponse", "users": [.object(user.present)]]
  }

  private func providers(_ account: FirebaseAccount) -> [JSONValue] {
    var providers = account.identities.map { identity in
      JSONValue.object(
        [
          "providerId": .string(identity.providerID), "rawId": .string(identity.subject),
          "federatedId": .string(identity.subject), "email": .optional(identity.email),
          "displayName": .optional(identity.name),
        ].present)
    }
    if let email = account.email, account.password != nil || account.identities.isEmpty {
      providers.append(["providerId": "password", "rawId": .string(email), "email": .string(email)])
    }
    if let number = account.phoneNumber {
      providers.append(["providerId": "phone", "rawId": .string(number), "phoneNumber": .string(number)])
    }
    return providers
  }

  /// A new password or address ends the tokens from before; the response has new ones.
  mutating func update(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    if let oobCode = try body.text("oobCode") { return try apply(oobCode, now) }
    let email = try body.text("email")
    let password = try body.text("password")
    let endsTokens = email != nil || password != nil
    let (owner, grant) = try self.owner(of: body, now, recent: endsTokens)
    var account = owner
    account.displayName = try body.text("displayName") ?? account.displayName
    account.photoURL = try body.text("photoUrl") ?? account.photoURL
    if email != nil { try setEmail(email, of: &account) }
    if password != nil { account.password = try checked(password) }
    for attribute in try body.texts("deleteAttribute") {
      switch attribute {
      case "DISPLAY_NAME": account.displayName = nil
      case "PHOTO_URL": account.photoURL = nil
      default: throw .firebaseArgument
      }
    }
    for provider in try body.texts("deleteProvider") {
      switch provider {
      case "phone": account.phoneNumber = nil
      case "password": account.password = nil
      default: account.identities.removeAll { $0.providerID == provider }
      }
    }
    accounts[account.id] = account
    var answer = base(account)
    answer["emailVerified"] = .boolean(account.isEmailVerified)
    answer["providerUserInfo"] = .array(providers(account))
    if endsTokens {
      endTokens(ofAccount: account.id, now)
      if try body.flag("returnSecureToken") { answer.merge(refreshed(grant, now)) { $1 } }
    }
    return answer
  }

  /// The address that a mail verified.
  private mutating func apply(_ oobCode: String, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let code = try mailCode(oobCode, ["VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"], now)
    guard let id = code.accountID, var account = accounts[id] else { throw .firebase("USER_NOT_FOUND") }
    if code.newAddress != nil { try setEmail(code.newAddress, of: &account) }
    account.isEmailVerified = true
    accounts[id] = account
    if code.newAddress != nil { endTokens(ofAccount: id, now) }
    return base(account).merging(["emailVerified": true]) { $1 }
  }

  mutating func delete(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    accounts[try owner(of: body, now, recent: true).account.id] = nil
    return ["kind": "identitytoolkit#DeleteAccountResponse"]
  }

  mutating func revokeAppleCode(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    _ = try self.owner(of: body, now)
    guard try body.text("providerId") == "apple.com", try body.text("tokenType") == "3",
      let code = try body.text("token")
    else { throw .firebaseArgument }
    revokedAppleCodes.append(code)
    return [:]
  }
}

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
