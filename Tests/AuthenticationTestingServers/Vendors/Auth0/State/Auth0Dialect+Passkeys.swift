#if Tools && OpenID
import AuthenticationDomain
import Foundation

/// Passkeys without a wrapper: the options as they are, and a separate grant.
extension Auth0Dialect {
  mutating func askForPasskey() throws(VendorRefusal) -> [String: JSONValue] {
    try members(of: passkeys.askForAssertion())
  }

  /// The account is made once its passkey is.
  mutating func registerPasskey(_ request: VendorRequest) throws(VendorRefusal) -> [String: JSONValue] {
    guard case .object(let profile)? = request.json?["user_profile"], let email = profile["email"]?.text else {
      throw .auth0("invalid_request", "Missing required parameter: user_profile", status: 400)
    }
    guard !accounts.values.contains(where: { $0.account.email == email }) else {
      throw .auth0("invalid_signup", "Invalid sign up", status: 400)
    }
    let name = profile["name"]?.text ?? email
    let asked = passkeys.askForRegistration(of: .init(username: email, password: "", email: email, firstName: name))
    registrations[asked.id] = .init(
      subject: nextID("auth0|"), username: email, password: "", name: name, email: email)
    return try members(of: asked)
  }

  /// Whose passkey answers, which may be new.
  mutating func owner(of fields: Fields, _ request: VendorRequest) throws(VendorRefusal) -> Auth0Account {
    guard fields["realm"] == options.connection else { throw .auth0("bad.connection", "Unknown realm", status: 400) }
    guard let session = fields["auth_session"],
      let response = request.json?["authn_response"].flatMap({ try? $0.decoded(RelyingParty.Response.self) })
    else { throw .auth0("invalid_request", "Missing required parameter: authn_response", status: 400) }
    do throws(IdentityRefusal) {
      if let account = registrations.removeValue(forKey: session) {
        try passkeys.verifyRegistration(response, of: account.username, to: session)
        accounts[account.subject] = Auth0Account(account: account)
        return Auth0Account(account: account)
      }
      let email = try passkeys.verifyAssertion(response, to: session)
      guard let known = accounts.values.first(where: { $0.account.email == email }) else { throw .invalidCredentials }
      return known
    } catch {
      throw .auth0("invalid_grant", "Passkey authentication failed.")
    }
  }

  private func members(of request: RelyingParty.Request) throws(VendorRefusal) -> [String: JSONValue] {
    guard let data = try? JSONEncoder().encode(request.options),
      let options = try? JSONDecoder().decode(JSONValue.self, from: data)
    else { throw .auth0("server_error", "The options cannot be written", status: 500) }
    return ["auth_session": .string(request.id), "authn_params_public_key": options]
  }
}

extension JSONValue {
  fileprivate func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try JSONDecoder().decode(type, from: JSONEncoder().encode(self))
  }
}
#endif
