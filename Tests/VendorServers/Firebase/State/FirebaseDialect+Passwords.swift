#if Tools && OpenID
import AuthenticationDomain
import AuthenticationTestingServers
import Foundation

extension FirebaseDialect {
  /// Without an address an anonymous account; with `idToken` an upgrade that keeps the id.
  mutating func signUp(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    try requireTokens(body)
    let isUpgrade = body.values["idToken"] != nil
    var account = isUpgrade ? try owner(of: body, now).account : makeAccount(at: now)
    account.displayName = try body.text("displayName") ?? account.displayName
    let email = try body.text("email")
    let password = try body.text("password")
    if email != nil || password != nil || isUpgrade {
      try setEmail(email, of: &account)
      account.password = try checked(password)
    }
    if isUpgrade { account.epoch += 1 }
    return try signIn(account, by: email == nil ? "anonymous" : "password", now)
  }

  mutating func signInWithPassword(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    try requireTokens(body)
    try checkCaptcha(body)
    guard let email = try body.text("email") else { throw .firebase("MISSING_EMAIL") }
    guard isAddress(email) else { throw .firebase("INVALID_EMAIL") }
    guard let password = try body.text("password") else { throw .firebase("MISSING_PASSWORD") }
    guard let account = self.account(email: email) else {
      throw .firebase(options.hidesAccounts ? "INVALID_LOGIN_CREDENTIALS" : "EMAIL_NOT_FOUND")
    }
    if account.isDisabled { throw .firebase("USER_DISABLED") }
    guard account.password == password else {
      throw .firebase(options.hidesAccounts ? "INVALID_LOGIN_CREDENTIALS" : "INVALID_PASSWORD")
    }
    var answer = try signIn(account, by: "password", now)
    answer["registered"] = true
    return answer
  }

  /// A token of the app's own server: here a JWT with `uid`.
  mutating func signInWithCustomToken(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    try requireTokens(body)
    guard let token = try body.text("token") else { throw .firebase("MISSING_CUSTOM_TOKEN") }
    guard let id = VendorToken.claims(token)?["uid"]?.text else { throw .firebase("INVALID_CUSTOM_TOKEN") }
    let known = accounts[id]
    let account = known ?? FirebaseAccount(id: id, createdAt: now, validSince: now)
    var answer = try signIn(account, by: "custom", isNew: known == nil, now)
    answer["email"] = nil
    return answer
  }

  // MARK: Rules

  /// Without `returnSecureToken` the service gives an ID token without a refresh token: no adapter wants that.
  func requireTokens(_ body: VendorMembers) throws(VendorRefusal) {
    guard try body.flag("returnSecureToken") else { throw .firebaseArgument }
  }

  func checkCaptcha(_ body: VendorMembers) throws(VendorRefusal) {
    guard try body.text("captchaResponse") != nil else { return }
    guard try body.text("clientType") != nil, try body.text("recaptchaVersion") == "RECAPTCHA_ENTERPRISE" else {
      throw .firebaseArgument
    }
  }

  func setEmail(_ email: String?, of account: inout FirebaseAccount) throws(VendorRefusal) {
    guard let email else { throw .firebase("MISSING_EMAIL") }
    guard isAddress(email) else { throw .firebase("INVALID_EMAIL") }
    if let other = self.account(email: email), other.id != account.id { throw .firebase("EMAIL_EXISTS") }
    if account.email != email { account.isEmailVerified = false }
    account.email = email
  }

  func checked(_ password: String?) throws(VendorRefusal) -> String {
    guard let password else { throw .firebase("MISSING_PASSWORD") }
    guard password.count >= 6 else {
      throw .firebase("WEAK_PASSWORD : Password should be at least 6 characters")
    }
    return password
  }

  func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !text.contains(" ")
  }
}

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

extension FirebaseDialect {
  mutating func sendMail(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    try checkCaptcha(body)
    let expiresAt = now.addingTimeInterval(options.mailCodeLifetime / .seconds(1))
    let type = try body.text("requestType")
    var code: FirebaseMailCode
    switch type {
    case "EMAIL_SIGNIN", "PASSWORD_RESET":
      guard let email = try body.text("email") else { throw .firebase("MISSING_EMAIL") }
      guard isAddress(email) else { throw .firebase("INVALID_EMAIL") }
      code = FirebaseMailCode(requestType: type ?? "", address: email, expiresAt: expiresAt)
      if type == "EMAIL_SIGNIN" {
        guard try body.flag("canHandleCodeInApp"), try body.text("continueUrl") != nil else {
          throw .firebase("MISSING_CONTINUE_URI")
        }
      } else if let account = self.account(email: email) {
        code.accountID = account.id
      } else {
        if !options.hidesAccounts { throw .firebase("EMAIL_NOT_FOUND") }
        return ["kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": .string(email)]
      }
    case "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL":
      let owner = try self.owner(of: body, now, recent: type == "VERIFY_AND_CHANGE_EMAIL").account
      let newAddress = try body.text("newEmail")
      if type == "VERIFY_AND_CHANGE_EMAIL" {
        var changed = owner
        try setEmail(newAddress, of: &changed)
      }
      guard let address = newAddress ?? owner.email else { throw .firebase("MISSING_EMAIL") }
      code = FirebaseMailCode(
        requestType: type ?? "", address: address, newAddress: newAddress, accountID: owner.id, expiresAt: expiresAt)
    default: throw .firebase("INVALID_REQ_TYPE")
    }
    try post(code, body)
    return ["kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": .string(code.address)]
  }

  /// The link leads through the vendor's page; with `linkDomain` it is wrapped once more.
  private mutating func post(_ code: FirebaseMailCode, _ body: VendorMembers) throws(VendorRefusal) {
    let oobCode = "oob-" + OpaqueToken.make()
    mailCodes[oobCode] = code
    let modes = [
      "EMAIL_SIGNIN": "signIn", "PASSWORD_RESET": "resetPassword", "VERIFY_EMAIL": "verifyEmail",
      "VERIFY_AND_CHANGE_EMAIL": "verifyAndChangeEmail",
    ]
    let fields = [
      ("apiKey", options.apiKey), ("mode", modes[code.requestType] ?? ""), ("oobCode", oobCode),
      ("continueUrl", try body.text("continueUrl") ?? ""), ("lang", "en"),
    ]
    let query = fields.map { "\($0)=\(Fields.encode($1))" }.joined(separator: "&")
    var link = "https://\(options.projectID).firebaseapp.com/__/auth/action?\(query)"
    if let domain = try body.text("linkDomain") {
      link = "https://\(domain)/__/auth/links?link=\(Fields.encode(link))"
    }
    guard let url = URL(string: link) else { throw .firebaseArgument }
    mails.append(.init(requestType: code.requestType, address: code.address, oobCode: oobCode, link: url))
  }

  /// The purpose of a code from a mail; `spends` also uses it up.
  mutating func mailCode(
    _ oobCode: String?, _ types: Set<String>, spends: Bool = true, _ now: Date
  ) throws(VendorRefusal) -> FirebaseMailCode {
    guard let oobCode else { throw .firebase("MISSING_OOB_CODE") }
    guard let code = mailCodes[oobCode], types.contains(code.requestType) else { throw .firebase("INVALID_OOB_CODE") }
    guard now < code.expiresAt else { throw .firebase("EXPIRED_OOB_CODE") }
    if spends { mailCodes[oobCode] = nil }
    return code
  }

  mutating func signInWithEmailLink(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    guard let email = try body.text("email") else { throw .firebase("MISSING_EMAIL") }
    let oobCode = try body.text("oobCode")
    let code = try mailCode(oobCode, ["EMAIL_SIGNIN"], spends: false, now)
    guard code.address.lowercased() == email.lowercased() else {
      throw .firebase("INVALID_EMAIL : The email provided does not match the sign-in email address.")
    }
    if let oobCode { mailCodes[oobCode] = nil }
    let known = self.account(email: email)
    var account = known ?? makeAccount(at: now)
    let isUpgrade = body.values["idToken"] != nil
    if isUpgrade {
      account = try self.owner(of: body, now).account
      try setEmail(email, of: &account)
    }
    (account.email, account.isEmailVerified) = (email, true)
    return try signIn(account, by: "password", isNew: known == nil && !isUpgrade, now)
  }

  /// Without a new password it only checks the code.
  mutating func resetPassword(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let newPassword = try body.text("newPassword")
    let oobCode = try body.text("oobCode")
    let types: Set = ["PASSWORD_RESET", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL", "EMAIL_SIGNIN"]
    let code = try mailCode(oobCode, types, spends: false, now)
    if newPassword != nil {
      guard code.requestType == "PASSWORD_RESET", let id = code.accountID, accounts[id] != nil else {
        throw .firebase("INVALID_OOB_CODE")
      }
      let password = try checked(newPassword)
      accounts[id]?.password = password
      accounts[id]?.isEmailVerified = true
      endTokens(ofAccount: id, now)
      if let oobCode { mailCodes[oobCode] = nil }
    }
    return [
      "kind": "identitytoolkit#ResetPasswordResponse", "email": .string(code.address),
      "requestType": .string(code.requestType),
    ]
  }
}
#endif
