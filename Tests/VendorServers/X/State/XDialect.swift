#if Tools && OpenID
import AuthenticationDomain
import AuthenticationTestingServers
import Foundation

/// Everything the service knows.
struct XDialect: VendorDialect {
  var issuer: VendorIssuer

  init(options: LoopbackX.Options) {
    var oauth = LoopbackOpenIDIssuer.Options()
    oauth.clientID = options.clientID
    oauth.accessTokenLifetime = options.accessTokenLifetime
    oauth.refreshScope = "offline.access"
    oauth.paths = [
      .authorization: "/i/oauth2/authorize", .token: "/2/oauth2/token", .revocation: "/2/oauth2/revoke",
    ]
    issuer = VendorIssuer(oauth)
    issuer.state.quirks.redirectParameters["iss"] = .absent
    issuer.state.quirks.tokenAnswer["token_type"] = "bearer"
  }

  mutating func begin(at origin: String) { issuer.state.origin = origin }

  func operation(_ request: VendorRequest) -> String? {
    if request.method == "GET", request.path == ["2", "users", "me"] { return "users/me" }
    switch issuer.state.endpoint(at: request.recorded.path) {
    case .authorization, .token, .revocation: return issuer.operation(request)
    default: return nil
    }
  }

  mutating func process(
    _ request: VendorRequest, _ operation: String, at now: Date
  ) throws(VendorRefusal) -> Answer {
    switch operation {
    case "authorization": return issuer.answer(request, at: now)
    case "revocation":
      guard let form = request.form else { throw refusal("invalid_request") }
      _ = try issuer.post(form, of: request, to: .revocation, at: now)
      return .json(JSONValue.object(["revoked": true]))
    case "users/me":
      guard let account = issuer.owner(of: request, at: now) else {
        throw VendorRefusal(code: "Unauthorized", status: 401)
      }
      let fields: JSONValue = [
        "id": .string(account.subject), "name": .string(account.name), "username": .string(account.username),
      ]
      return .json(JSONValue.object(["data": fields]))
    default:
      guard let form = request.form, form["grant_type"] != "password" else { throw refusal("unsupported_grant_type") }
      return .json(JSONValue.object(try issuer.post(form, of: request, to: .token, at: now)))
    }
  }

  /// The API has the shape of RFC 9457, everything else that of RFC 6749.
  func answer(_ refusal: VendorRefusal, to request: VendorRequest) -> Answer {
    let isAPI = request.path == ["2", "users", "me"]
    let members: [String: JSONValue] =
      isAPI
      ? [
        "title": .string(refusal.code), "type": "about:blank", "status": .number(Double(refusal.status)),
        "detail": "canary words of the service",
      ] : ["error": .string(refusal.code), "error_description": "canary words of the service"]
    return .json(JSONValue.object(members), status: refusal.status)
  }

  func refusal(_ code: String) -> VendorRefusal { VendorRefusal(code: code) }
}
#endif
