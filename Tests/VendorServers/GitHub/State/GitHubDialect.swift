#if Tools && OpenID
import AuthenticationDomain
import AuthenticationTestingServers
import Foundation

/// Everything the service knows.
struct GitHubDialect: VendorDialect {
  let options: LoopbackGitHub.Options
  var issuer: VendorIssuer

  init(options: LoopbackGitHub.Options) {
    self.options = options
    var oauth = LoopbackOpenIDIssuer.Options()
    oauth.clientID = options.clientID
    oauth.accessTokenLifetime = options.tokenLifetime ?? .seconds(3_650 * 86_400)
    oauth.refreshScope = nil
    oauth.paths = [
      .authorization: "/login/oauth/authorize", .token: "/login/oauth/access_token",
      .deviceAuthorization: "/login/device/code",
    ]
    issuer = VendorIssuer(oauth)
    issuer.state.quirks.redirectParameters["iss"] = .absent
  }

  mutating func begin(at origin: String) { issuer.state.origin = origin }

  func operation(_ request: VendorRequest) -> String? {
    switch (request.method, request.path) {
    case ("GET", ["user"]), ("GET", ["user", "emails"]): request.path.joined(separator: "/")
    default:
      switch issuer.state.endpoint(at: request.recorded.path) {
      case .authorization, .token, .deviceAuthorization: issuer.operation(request)
      default: nil
      }
    }
  }

  mutating func process(
    _ request: VendorRequest, _ operation: String, at now: Date
  ) throws(VendorRefusal) -> Answer {
    switch operation {
    case "authorization": return issuer.answer(request, at: now)
    case "user", "user/emails": return try userResource(of: request, operation, now)
    case "deviceAuthorization":
      guard options.hasDeviceFlow else { throw refusal("device_flow_disabled") }
      guard let form = request.fields else { throw refusal("invalid_request") }
      // A secret is not asked for, and not refused.
      let plain = Fields(form.byName.filter { $0.key != "client_secret" })
      var members = try issuer.post(plain, of: request, to: .deviceAuthorization, at: now)
      members["verification_uri"] = .string(issuer.state.origin + "/login/device")
      members["verification_uri_complete"] = nil
      return Self.written(members, for: request)
    default: return Self.written(try tokens(request, now), for: request)
    }
  }

  /// With the status of success. The API has another shape, and the true status.
  func answer(_ refusal: VendorRefusal, to request: VendorRequest) -> Answer {
    if request.path.first == "user" {
      let members = JSONValue.object([
        "message": .string(refusal.code), "documentation_url": "https://docs.example.com",
      ])
      return .json(members, status: refusal.status)
    }
    let members: [String: JSONValue] = [
      "error": .string(refusal.code), "error_description": "canary words of the service",
      "error_uri": .string("https://docs.example.com/\(refusal.code)"),
    ]
    return Self.written(members.merging(refusal.members) { $1 }, for: request)
  }

  func refusal(_ code: String) -> VendorRefusal {
    VendorRefusal(code: code, members: code == "slow_down" ? ["interval": 10] : [:])
  }

  /// A form unless JSON is asked for.
  private static func written(_ members: [String: JSONValue], for request: VendorRequest) -> Answer {
    if request.recorded.header("Accept")?.contains("application/json") == true {
      return .json(JSONValue.object(members))
    }
    let pairs = members.sorted { $0.key < $1.key }.map { name, value in
      "\(name)=\(Fields.encode(value.text ?? value.number.map { String(Int($0)) } ?? ""))"
    }
    return Answer(
      status: 200, headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"],
      body: Data(pairs.joined(separator: "&").utf8))
  }
}

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
