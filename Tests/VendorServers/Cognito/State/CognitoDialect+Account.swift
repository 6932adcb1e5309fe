#if Tools && OpenID
import AuthenticationDomain
import Foundation

extension CognitoDialect {
  static func user(_ account: CognitoAccount) -> [String: JSONValue] {
    let attributes = [("sub", account.subject), ("email", account.email), ("phone_number", account.phone)]
    return [
      "Username": .string(account.userName),
      "UserAttributes": .array(
        attributes.compactMap { name, value in value.map { ["Name": .string(name), "Value": .string($0)] } }),
    ]
  }

  mutating func signUp(_ body: VendorMembers) throws(VendorRefusal) -> [String: JSONValue] {
    guard let name = try body.text("Username") else { throw body.refusal }
    if account(named: name) != nil { throw .cognito("UsernameExistsException") }
    var account = CognitoAccount(userName: name, subject: nextID("sub"))
    if let password = try body.text("Password") { account.password = try Self.checked(password) }
    if case .array(let attributes)? = body.values["UserAttributes"] {
      for case .object(let attribute) in attributes {
        if attribute["Name"] == "email" { account.email = attribute["Value"]?.text }
        if attribute["Name"] == "phone_number" { account.phone = attribute["Value"]?.text }
      }
    }
    if account.email == nil, name.contains("@") { account.email = name }
    account.isConfirmed = !options.confirmsSignUps
    accounts[name] = account
    var answer: [String: JSONValue] = [
      "UserConfirmed": .boolean(account.isConfirmed), "UserSub": .string(account.subject),
    ]
    if !account.isConfirmed { answer["CodeDeliveryDetails"] = deliver(account) }
    return answer
  }

  mutating func confirmSignUp(_ body: VendorMembers) throws(VendorRefusal) -> [String: JSONValue] {
    let account = try spendCode(body)
    accounts[account.userName]?.isConfirmed = true
    return [:]
  }

  mutating func forgotPassword(_ body: VendorMembers) throws(VendorRefusal) -> [String: JSONValue] {
    guard let account = try body.text("Username").flatMap({ self.account(named: $0) }) else {
      throw .cognito("UserNotFoundException")
    }
    return ["CodeDeliveryDetails": deliver(account)]
  }

  mutating func confirmForgotPassword(_ body: VendorMembers) throws(VendorRefusal) -> [String: JSONValue]? {
    let password = try Self.checked(body.text("Password"))
    let account = try spendCode(body)
    accounts[account.userName]?.password = password
    return nil
  }

  mutating func changePassword(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue]? {
    let account = try owner(of: body, now)
    let previous = try body.text("PreviousPassword")
    guard account.password == previous else { throw .cognitoCredentials }
    accounts[account.userName]?.password = try Self.checked(body.text("ProposedPassword"))
    return nil
  }

  mutating func deleteUser(_ body: VendorMembers, _ now: Date) throws(VendorRefusal) -> [String: JSONValue]? {
    let name = try owner(of: body, now).userName
    accounts[name] = nil
    accessTokens = accessTokens.filter { $0.value.userName != name }
    return nil
  }

  static func checked(_ password: String?) throws(VendorRefusal) -> String {
    guard let password, password.count >= 8 else {
      throw .cognito("InvalidPasswordException", "Password did not conform with policy.")
    }
    return password
  }

  private mutating func deliver(_ account: CognitoAccount) -> JSONValue {
    let address = account.email ?? account.phone ?? account.userName
    codes[account.userName] = send(to: address)
    return [
      "AttributeName": address.contains("@") ? "email" : "phone_number",
      "DeliveryMedium": address.contains("@") ? "EMAIL" : "SMS", "Destination": .string("\(address.prefix(1))***"),
    ]
  }

  private mutating func spendCode(_ body: VendorMembers) throws(VendorRefusal) -> CognitoAccount {
    guard let account = try body.text("Username").flatMap({ self.account(named: $0) }) else {
      throw .cognito("UserNotFoundException")
    }
    guard let code = codes[account.userName] else { throw .cognito("ExpiredCodeException") }
    guard try body.text("ConfirmationCode") == code else { throw .cognito("CodeMismatchException") }
    codes[account.userName] = nil
    return account
  }
}
#endif
