#if Tools && OpenID
import AuthenticationDomain
import Foundation

/// Everything the realm knows.
struct KeycloakDialect: VendorDialect {
  let options: LoopbackKeycloak.Options
  var issuer: VendorIssuer
  /// By user name.
  var obstacles: [String: LoopbackKeycloak.Obstacle] = [:]
  /// Until when a refresh token is good; an offline one is not here.
  var refreshEnds: [String: Date] = [:]

  init(options: LoopbackKeycloak.Options) {
    self.options = options
    var realm = LoopbackOpenIDIssuer.Options()
    realm.path = "/realms/\(options.realm)"
    realm.clientID = options.clientID
    realm.accounts = options.accounts
    realm.accessTokenLifetime = options.accessTokenLifetime
    realm.rotatesRefreshTokens = options.revokesRefreshTokens
    realm.refreshScope = nil
    let base = "/protocol/openid-connect"
    realm.paths = [
      .authorization: "\(base)/auth", .token: "\(base)/token", .deviceAuthorization: "\(base)/auth/device",
      .keys: "\(base)/certs", .userInfo: "\(base)/userinfo", .introspection: "\(base)/token/introspect",
      .revocation: "\(base)/revoke", .endSession: "\(base)/logout", .pushedAuthorization: "\(base)/ext/par/request",
    ]
    issuer = VendorIssuer(realm)
  }

  mutating func begin(at origin: String) { issuer.state.origin = origin }

  func operation(_ request: VendorRequest) -> String? { issuer.operation(request) }

  mutating func process(
    _ request: VendorRequest, _ operation: String, at now: Date
  ) throws(VendorRefusal) -> Answer {
    if operation == "endSession", let form = request.form, let token = form["refresh_token"] {
      return try end(token, form)
    }
    guard operation.hasPrefix("token ") else { return issuer.answer(request, at: now) }
    guard let form = request.form else { throw .keycloak("invalid_request") }
    guard form["client_id"] == options.clientID else {
      throw .keycloak("invalid_client", "Invalid client or Invalid client credentials", status: 401)
    }
    return .json(JSONValue.object(try tokens(form, of: request, now)))
  }

  func answer(_ refusal: VendorRefusal, to request: VendorRequest) -> Answer {
    let members: [String: JSONValue] = ["error": .string(refusal.code)]
    return .json(JSONValue.object(members.merging(refusal.members) { $1 }), status: refusal.status)
  }

  func refusal(_ code: String) -> VendorRefusal {
    .keycloak(code, "canary words of the realm", status: code == "invalid_client" ? 401 : 400)
  }
}

extension VendorRefusal {
  static func keycloak(_ code: String, _ words: String? = nil, status: Int = 400) -> Self {
    Self(code: code, status: status, members: words.map { ["error_description": .string($0)] } ?? [:])
  }
}
#endif
