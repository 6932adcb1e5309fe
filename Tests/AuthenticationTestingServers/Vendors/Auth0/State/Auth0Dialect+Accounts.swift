#if Tools && OpenID
import AuthenticationDomain
import Foundation

extension Auth0Dialect {
  /// Without `send` Auth0 sends a link, which this server has not.
  mutating func startPasswordless(_ fields: Fields, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    let name = fields["connection"] == "email" ? "email" : "phone_number"
    guard fields["connection"] == "email" || fields["connection"] == "sms" else {
      throw .auth0("bad.connection", "Connection does not exist", status: 400)
    }
    guard let address = fields[name], name != "email" || address.contains("@") else {
      throw .auth0(name == "email" ? "bad.email" : "bad.phone_number", "Wrong address", status: 400)
    }
    guard fields["send"] == "code" else { throw .auth0("unauthorized", "Links are not served here") }
    codes[address] = Auth0Code(text: send(to: address), expiresAt: now.addingTimeInterval(180))
    return ["_id": .string(nextID("passwordless")), name: .string(address)]
  }

  /// The response has no tokens.
  mutating func signUp(_ fields: Fields) throws(VendorRefusal) -> [String: JSONValue] {
    guard fields["connection"] == options.connection else {
      throw .auth0("bad.connection", "Connection does not exist", status: 400)
    }
    guard let email = fields["email"], let password = fields["password"] else {
      throw .auth0("invalid_request", "Missing required parameter", status: 400)
    }
    guard !accounts.values.contains(where: { $0.account.email == email }) else {
      throw .auth0("invalid_signup", "Invalid sign up", status: 400)
    }
    guard password.count >= 8 else {
      var refusal = VendorRefusal.auth0("invalid_password", "", status: 400)
      refusal.members = ["name": "PasswordStrengthError", "words": ["rules": ["length"], "verified": false]]
      throw refusal
    }
    let subject = nextID("auth0|")
    accounts[subject] = Auth0Account(
      account: .init(subject: subject, username: email, password: password, name: email, email: email))
    return ["_id": .string(subject), "email": .string(email), "email_verified": false]
  }
}
#endif
