#if Tools && OpenID
import AuthenticationDomain
import Foundation

extension GitHubDialect {
  mutating func tokens(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> [String: JSONValue] {
    guard let form = request.fields else { throw refusal("invalid_request") }
    let grant = form["grant_type"] ?? "authorization_code"
    let needsSecret = grant == "authorization_code" || grant == "refresh_token"
    guard !needsSecret || form["client_secret"] == options.clientSecret else {
      throw refusal("incorrect_client_credentials")
    }
    do throws(VendorRefusal) {
      let plain = Fields(form.byName.filter { $0.key != "client_secret" }.merging(["grant_type": grant]) { $1 })
      let answer = try issuer.post(plain, of: request, to: .token, at: now)
      return written(answer)
    } catch {
      throw refusal(Self.code(error.code, grant))
    }
  }

  private func written(_ answer: [String: JSONValue]) -> [String: JSONValue] {
    let scopes = answer["scope"]?.text?.replacing(" ", with: ",") ?? ""
    var members: [String: JSONValue] = [
      "access_token": answer["access_token"] ?? .null, "token_type": "bearer", "scope": .string(scopes),
    ]
    guard let lifetime = options.tokenLifetime else { return members }
    members["refresh_token"] = answer["refresh_token"]
    members["expires_in"] = number(lifetime / .seconds(1))
    members["refresh_token_expires_in"] = number(15_811_200)
    return members
  }

  private func number(_ value: Double) -> JSONValue {
    options.sendsLifetimesAsText ? .string(String(Int(value))) : .number(value)
  }

  /// GitHub has distinct codes for most cases of `invalid_grant` of RFC 6749.
  private static func code(_ code: String, _ grant: String) -> String {
    switch (code, grant) {
    case ("invalid_grant", "authorization_code"): "bad_verification_code"
    case ("invalid_grant", "refresh_token"): "bad_refresh_token"
    case ("invalid_grant", _): "incorrect_device_code"
    case ("invalid_client", _): "incorrect_client_credentials"
    default: code
    }
  }

  // MARK: The API

  /// `/user` tells no address; `/user/emails` does.
  func userResource(of request: VendorRequest, _ operation: String, _ now: Date) throws(VendorRefusal) -> Answer {
    guard request.recorded.header("User-Agent") != nil else {
      throw VendorRefusal(code: "Request forbidden by administrative rules.", status: 403)
    }
    guard let account = issuer.owner(of: request, at: now) else {
      throw VendorRefusal(code: "Bad credentials", status: 401)
    }
    let email: JSONValue = [
      "email": .string(account.email), "primary": true, "verified": true, "visibility": "private",
    ]
    if operation == "user/emails" { return .json([email]) }
    let members: [String: JSONValue] = [
      "id": Int(account.subject).map { .number(Double($0)) } ?? .null, "login": .string(account.username),
      "name": .string(account.name), "email": .null,
      "avatar_url": .string("https://avatars.example.com/\(account.username)"),
    ]
    return .json(JSONValue.object(members))
  }
}
#endif
