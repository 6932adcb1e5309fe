#if Tools && OpenID
import AuthenticationDomain
import Foundation

extension FirebaseDialect {
  mutating func sendVerificationCode(
    _ body: VendorMembers, _ now: Date
  ) throws(VendorRefusal) -> [String: JSONValue] {
    ["sessionInfo": .string(try sendCode(body, now))]
  }

  /// Sends a code to `phoneNumber`, or to the phone of a factor; the app must have proved its identity.
  mutating func sendCode(
    _ body: VendorMembers, to known: String? = nil, _ now: Date
  ) throws(VendorRefusal) -> String {
    try checkCaptcha(body)
    let receipt = try body.text("iosReceipt")
    let secret = try body.text("iosSecret")
    if (receipt == nil) != (secret == nil) { throw .firebase("INVALID_APP_CREDENTIAL") }
    let token = try body.text("recaptchaToken")
    let captcha = try body.text("captchaResponse")
    let asked = try body.text("phoneNumber")
    let isFictional = (known ?? asked).map(options.fictionalNumbers.contains) == true
    guard isFictional || [receipt, token, captcha].contains(where: { $0 != nil }) else {
      throw .firebase("MISSING_CLIENT_IDENTIFIER")
    }
    if token == "wrong" || captcha == "wrong" { throw .firebase("CAPTCHA_CHECK_FAILED") }
    guard let number = known ?? asked else { throw .firebase("MISSING_PHONE_NUMBER") }
    guard number.hasPrefix("+"), (7...15).contains(number.count - 1), number.dropFirst().allSatisfy(\.isNumber) else {
      throw .firebase("INVALID_PHONE_NUMBER : TOO_SHORT")
    }
    let session = nextID("session-info")
    let code = FirebasePhoneCode(
      phoneNumber: number, code: Digits.code(lastID),
      expiresAt: now.addingTimeInterval(options.phoneCodeLifetime / .seconds(1)))
    phoneCodes[session] = code
    messages.append(.init(phoneNumber: number, code: code.code))
    return session
  }

  /// The number that a code proves; the code is spent with it.
  mutating func number(
    session: String?, code: String?, _ now: Date
  ) throws(VendorRefusal) -> String {
    guard let session else { throw .firebase("MISSING_SESSION_INFO") }
    guard let code else { throw .firebase("MISSING_CODE") }
    guard let sent = phoneCodes[session] else { throw .firebase("INVALID_SESSION_INFO") }
    guard now < sent.expiresAt else { throw .firebase("SESSION_EXPIRED") }
    guard sent.code == code else { throw .firebase("INVALID_CODE") }
    phoneCodes[session] = nil
    return sent.phoneNumber
  }

  mutating func signInWithPhoneNumber(
    _ body: VendorMembers, _ now: Date
  ) throws(VendorRefusal) -> [String: JSONValue] {
    let operation = try body.text("operation") ?? "SIGN_UP_OR_IN"
    guard ["SIGN_UP_OR_IN", "LINK", "UPDATE", "REAUTH"].contains(operation) else { throw .firebaseArgument }
    let number = try provenNumber(body, now)
    let known = accounts.values.first { $0.phoneNumber == number }
    guard body.values["idToken"] != nil else {
      if known?.factors.isEmpty == false { throw .firebase("UNSUPPORTED_FIRST_FACTOR") }
      if known == nil, operation == "REAUTH" { throw .firebase("USER_NOT_FOUND") }
      var account = known ?? makeAccount(at: now)
      account.phoneNumber = number
      return try phoneAnswer(account, isNew: known == nil, now)
    }
    var owner = try self.owner(of: body, now).account
    if let known, known.id != owner.id {
      let proof = "proof-" + OpaqueToken.make()
      temporaryProofs[proof] = number
      return [
        "temporaryProof": .string(proof), "temporaryProofExpiresIn": "3600", "phoneNumber": .string(number),
      ]
    }
    owner.phoneNumber = number
    return try phoneAnswer(owner, isNew: false, now)
  }

  private mutating func phoneAnswer(
    _ account: FirebaseAccount, isNew: Bool, _ now: Date
  ) throws(VendorRefusal) -> [String: JSONValue] {
    var answer = try signIn(account, by: "phone", isNew: isNew, now)
    answer["phoneNumber"] = .optional(account.phoneNumber)
    return answer
  }

  private mutating func provenNumber(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> String {
    guard let proof = try body.text("temporaryProof") else {
      return try number(session: body.text("sessionInfo"), code: body.text("code"), now)
    }
    guard let number = temporaryProofs.removeValue(forKey: proof), try body.text("phoneNumber") == number else {
      throw .firebase("INVALID_TEMPORARY_PROOF")
    }
    return number
  }
}
#endif
