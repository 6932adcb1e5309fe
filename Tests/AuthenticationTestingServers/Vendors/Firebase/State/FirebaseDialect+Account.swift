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
#endif
