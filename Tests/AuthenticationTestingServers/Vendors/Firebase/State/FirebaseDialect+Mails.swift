#if Tools && OpenID
import AuthenticationDomain
import Foundation

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
