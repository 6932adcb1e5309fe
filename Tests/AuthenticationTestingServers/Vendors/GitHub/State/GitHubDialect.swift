#if Tools && OpenID
import AuthenticationDomain
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
#endif
