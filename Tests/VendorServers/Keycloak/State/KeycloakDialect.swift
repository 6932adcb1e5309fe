#if Tools && OpenID
import AuthenticationDomain
import AuthenticationTestingServers
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

extension KeycloakDialect {
  mutating func tokens(
    _ form: Fields, of request: VendorRequest, _ now: Date
  ) throws(VendorRefusal) -> [String: JSONValue] {
    if form["grant_type"] == "password" { try check(form, now) }
    if form["grant_type"] == "refresh_token" { try checkRefresh(form, now) }
    do throws(VendorRefusal) {
      let plain = Fields(form.byName.filter { $0.key != "totp" })
      let answer = try issuer.post(plain, of: request, to: .token, at: now)
      return extended(answer, now)
    } catch {
      throw Self.worded(error, form)
    }
  }

  /// `refresh_expires_in` is 0 for an offline session: no limit.
  private mutating func extended(_ answer: [String: JSONValue], _ now: Date) -> [String: JSONValue] {
    var members = answer
    let isOffline = answer["scope"]?.text?.split(separator: " ").contains("offline_access") == true
    let lifetime = options.refreshTokenLifetime / .seconds(1)
    if !isOffline, let token = answer["refresh_token"]?.text { refreshEnds[token] = now.addingTimeInterval(lifetime) }
    members["refresh_expires_in"] = .number(isOffline ? 0 : lifetime)
    members["not-before-policy"] = 0
    members["session_state"] = "00000000-0000-4000-8000-000000000001"
    return members
  }

  // MARK: Refusals

  /// A missing or a wrong one-time code is refused like a wrong password.
  private func check(_ form: Fields, _ now: Date) throws(VendorRefusal) {
    guard options.allowsPasswords else {
      throw .keycloak("unauthorized_client", "Client not allowed for direct access grants")
    }
    let wrong = VendorRefusal.keycloak("invalid_grant", "Invalid user credentials", status: 401)
    let isKnown = options.accounts.contains { $0.username == form["username"] && $0.password == form["password"] }
    guard isKnown, let name = form["username"] else { throw wrong }
    switch obstacles[name] {
    case nil: return
    case .disabled: throw .keycloak("invalid_grant", "Account disabled")
    case .requiredAction: throw .keycloak("invalid_grant", "Account is not fully set up")
    case .authenticator(let secret):
      guard let code = form["totp"], OneTimePassword.step(of: code, secret: secret, at: now) != nil else { throw wrong }
    }
  }

  private func checkRefresh(_ form: Fields, _ now: Date) throws(VendorRefusal) {
    guard let token = form["refresh_token"], let end = refreshEnds[token], now >= end else { return }
    throw .keycloak("invalid_grant", "Token is not active")
  }

  private static func worded(_ refusal: VendorRefusal, _ form: Fields) -> VendorRefusal {
    guard refusal.code == "invalid_grant" else { return .keycloak(refusal.code, status: refusal.status) }
    let words =
      switch form["grant_type"] {
      case "refresh_token": "Session not active"
      case "password": "Invalid user credentials"
      default: "Code not valid"
      }
    return .keycloak("invalid_grant", words)
  }

  /// Ends the session of a refresh token, without a browser.
  mutating func end(_ token: String, _ form: Fields) throws(VendorRefusal) -> Answer {
    guard form["client_id"] == options.clientID else { throw .keycloak("unauthorized_client") }
    guard let signIn = issuer.state.refreshTokens[token]?.signIn else {
      throw .keycloak("invalid_grant", "Invalid refresh token")
    }
    issuer.state.end(signIn)
    return Answer(status: 204)
  }
}
#endif
