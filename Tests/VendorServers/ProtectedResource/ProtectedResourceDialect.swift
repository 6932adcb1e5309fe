#if Tools && OpenID
import AuthenticationDomain
import AuthenticationTestingServers
import Foundation

/// Everything that the resource and its authorization server know.
struct ProtectedResourceDialect: VendorDialect {
  /// A client as it registered.
  struct Client: Sendable {
    let redirects: [String]
    let method: String
    var secret: String?
    var secretExpiresAt: Date?
    let managementToken: String
  }

  var options: LoopbackProtectedResource.Options
  var issuer: VendorIssuer
  var clients: [String: Client] = [:]
  private var registrations = 0

  init(options: LoopbackProtectedResource.Options) {
    self.options = options
    var oauth = LoopbackOpenIDIssuer.Options()
    oauth.accessTokenLifetime = options.accessTokenLifetime
    oauth.refreshScope = nil
    oauth.redirectURIs = ["http://127.0.0.1/callback", "com.example.app:/callback"]
    issuer = VendorIssuer(oauth)
  }

  var origin: String { issuer.state.origin }
  var address: String { origin + options.path }

  mutating func begin(at origin: String) { issuer.state.origin = origin }

  func operation(_ request: VendorRequest) -> String? {
    let path = request.recorded.path
    switch (request.method, path) {
    case (_, _) where path == options.path || path.hasPrefix(options.path + "/"): return "resource"
    case ("GET", "/.well-known/oauth-protected-resource" + options.path): return "resource metadata"
    case ("GET", "/.well-known/oauth-authorization-server"): return "server metadata"
    case ("POST", "/register"): return "register"
    case (_, _) where path.hasPrefix("/register/"): return "registration \(request.method)"
    default:
      guard let operation = issuer.operation(request) else { return nil }
      return operation.hasPrefix("token") || ["authorization", "revocation", "deviceAuthorization"].contains(operation)
        ? operation : nil
    }
  }

  mutating func process(_ request: VendorRequest, _ operation: String, at now: Date) throws(VendorRefusal) -> Answer {
    switch operation {
    case "resource": return resource(request, now)
    case "resource metadata": return try resourceMetadata()
    case "server metadata": return .json(JSONValue.object(serverMetadata()))
    case "register": return try register(request, now)
    case "registration GET", "registration DELETE": return try manage(request, now)
    case "authorization": return try authorize(request, now)
    default: return try post(request, operation, now)
    }
  }

  func answer(_ refusal: VendorRefusal, to request: VendorRequest) -> Answer {
    .json(
      JSONValue.object([
        "error": .string(refusal.code), "error_description": "canary words of the server",
      ]), status: refusal.status)
  }

  func refusal(_ code: String) -> VendorRefusal { VendorRefusal(code: code) }

  // MARK: The resource

  private func resource(_ request: VendorRequest, _ now: Date) -> Answer {
    guard let token = request.recorded.bearerToken.flatMap({ issuer.state.accessTokens[$0] }), now < token.expiresAt,
      let signIn = issuer.state.signIns[token.signIn]
    else {
      let attributes = [
        options.namesMetadata
          ? "resource_metadata=\"\(origin)/.well-known/oauth-protected-resource\(options.path)\"" : nil,
        options.challengedScopes.map { "scope=\"\($0.joined(separator: " "))\"" },
        request.recorded.bearerToken == nil ? nil : "error=\"invalid_token\"",
      ].compactMap(\.self)
      return .bearerChallenge(attributes.joined(separator: ", "), code: "invalid_token", status: 401)
    }
    guard request.method != "POST" || signIn.scopes.contains(options.writingScope) else {
      return .bearerChallenge(
        "error=\"insufficient_scope\", scope=\"\(options.writingScope)\"", code: "insufficient_scope", status: 403)
    }
    return .json(JSONValue.object(["notes": [], "owner": .string(signIn.account.username)]))
  }

  private func resourceMetadata() throws(VendorRefusal) -> Answer {
    guard options.hasMetadata else { throw VendorRefusal(code: "not_found", status: 404) }
    let members: [String: JSONValue] = [
      "resource": .string(address), "authorization_servers": [.string(origin)],
      "scopes_supported": ["notes.read"], "bearer_methods_supported": ["header"],
    ]
    return .json(JSONValue.object(members.replacing(options.resourceMetadata)))
  }

  // MARK: The authorization server

  private func serverMetadata() -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "issuer": .string(origin), "authorization_endpoint": .string("\(origin)/authorize"),
      "token_endpoint": .string("\(origin)/token"), "revocation_endpoint": .string("\(origin)/revoke"),
      "response_types_supported": ["code"], "grant_types_supported": ["authorization_code", "refresh_token"],
      "code_challenge_methods_supported": ["S256"], "authorization_response_iss_parameter_supported": true,
      "client_id_metadata_document_supported": .boolean(options.takesMetadataDocuments),
    ]
    for endpoint in [LoopbackOpenIDIssuer.Endpoint.authorization, .token, .revocation] {
      let name = [
        "authorization": "authorization_endpoint", "token": "token_endpoint", "revocation": "revocation_endpoint",
      ]
      if let member = name["\(endpoint)"] { members[member] = .string(origin + issuer.state.path(of: endpoint)) }
    }
    if options.offersDevice {
      members["device_authorization_endpoint"] = .string(origin + issuer.state.path(of: .deviceAuthorization))
    }
    if options.registersClients { members["registration_endpoint"] = .string("\(origin)/register") }
    members["token_endpoint_auth_methods_supported"] = options.authenticationMethods.map {
      .array($0.map(JSONValue.string))
    }
    return members.replacing(options.serverMetadata)
  }

  private mutating func register(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> Answer {
    guard options.registersClients, let json = request.json else { throw refusal("invalid_client_metadata") }
    guard case .array(let given)? = json["redirect_uris"], !given.isEmpty else { throw refusal("invalid_redirect_uri") }
    registrations += 1
    let id = "client-\(registrations)"
    let method = json["token_endpoint_auth_method"]?.text ?? "client_secret_basic"
    let client = Client(
      redirects: given.compactMap(\.text), method: method,
      secret: method == "none" ? nil : "canary-secret-\(registrations)",
      secretExpiresAt: options.secretLifetime.map { now.addingTimeInterval($0 / .seconds(1)) },
      managementToken: "canary-management-\(registrations)")
    clients[id] = client
    return .json(JSONValue.object(description(of: client, id).replacing(options.registration)), status: 201)
  }

  private func description(of client: Client, _ id: String) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "client_id": .string(id), "redirect_uris": .array(client.redirects.map(JSONValue.string)),
      "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
      "token_endpoint_auth_method": .string(client.method),
      "registration_client_uri": .string("\(origin)/register/\(id)"),
      "registration_access_token": .string(client.managementToken),
    ]
    if let secret = client.secret {
      members["client_secret"] = .string(secret)
      members["client_secret_expires_at"] = .number(client.secretExpiresAt?.timeIntervalSince1970.rounded() ?? 0)
    }
    return members
  }

  /// RFC 7592 §2.1, §2.3. An expired secret is replaced.
  private mutating func manage(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> Answer {
    let id = request.path.last ?? ""
    guard var client = clients[id], request.recorded.bearerToken == client.managementToken else {
      throw VendorRefusal(code: "invalid_token", status: 401)
    }
    if request.method == "DELETE" {
      clients[id] = nil
      return Answer(status: 204)
    }
    if let end = client.secretExpiresAt, end <= now, let lifetime = options.secretLifetime {
      registrations += 1
      client.secret = "canary-secret-\(registrations)"
      client.secretExpiresAt = now.addingTimeInterval(lifetime / .seconds(1))
      clients[id] = client
    }
    return .json(JSONValue.object(description(of: client, id)))
  }

  mutating func replaceSecrets() {
    for id in clients.keys where clients[id]?.secret != nil {
      registrations += 1
      clients[id]?.secret = "canary-secret-\(registrations)"
    }
  }

  private mutating func authorize(_ request: VendorRequest, _ now: Date) throws(VendorRefusal) -> Answer {
    let fields = request.query
    guard let id = fields["client_id"], isKnown(id) else { throw refusal("invalid_client") }
    if let client = clients[id], !client.redirects.contains(fields["redirect_uri"] ?? "") {
      throw refusal("invalid_redirect_uri")
    }
    // Without a scope the server takes a default one (RFC 6749 §3.3).
    let query = fields.replacing("client_id", with: "app") + (fields["scope"] == nil ? "&scope=notes.read" : "")
    let recorded = VendorTraffic.RecordedRequest(
      method: "GET", path: request.recorded.path, query: query, headers: request.recorded.headers, body: Data())
    return issuer.answer(VendorRequest(recorded), at: now)
  }

  private mutating func post(
    _ request: VendorRequest, _ operation: String, _ now: Date
  ) throws(VendorRefusal) -> Answer {
    guard let form = request.form else { throw refusal("invalid_request") }
    try authenticate(request, form, now)
    let endpoint: VendorIssuer.Endpoint =
      operation == "revocation" ? .revocation : operation == "deviceAuthorization" ? .deviceAuthorization : .token
    let plain = Fields(
      form.byName.filter { $0.key != "client_secret" && $0.key != "resource" }
        .merging(["client_id": "app"]) { $1 })
    var inner = request.recorded
    inner = VendorTraffic.RecordedRequest(
      method: inner.method, path: inner.path, query: "", headers: inner.headers.filter { $0.key != "authorization" },
      body: inner.body)
    var members = try issuer.post(plain, of: VendorRequest(inner), to: endpoint, at: now)
    if let audience = options.audience, let token = members["access_token"]?.text {
      let claims = Data("{\"aud\":\"\(audience)\"}".utf8).base64EncodedString().replacing("=", with: "")
      let signed = "e30.\(claims).\(token.prefix(8))"
      issuer.state.accessTokens[signed] = issuer.state.accessTokens[token]
      members["access_token"] = .string(signed)
    }
    return endpoint == .revocation ? Answer(status: 200) : .json(JSONValue.object(members))
  }

  private func isKnown(_ id: String) -> Bool {
    clients[id] != nil || options.takesMetadataDocuments && id.hasPrefix("https://")
  }

  private func authenticate(_ request: VendorRequest, _ form: Fields, _ now: Date) throws(VendorRefusal) {
    var (id, secret) = (form["client_id"], form["client_secret"])
    if let header = request.recorded.header("Authorization"), header.hasPrefix("Basic "),
      let pair = Data(base64Encoded: String(header.dropFirst(6))).map({ String(decoding: $0, as: UTF8.self) })
    {
      let parts = pair.split(separator: ":", maxSplits: 1).map(String.init)
      (id, secret) = (parts.first, parts.last)
    }
    guard let id, isKnown(id) else { throw VendorRefusal(code: "invalid_client", status: 401) }
    guard let client = clients[id], let expected = client.secret else { return }
    guard secret == expected, client.secretExpiresAt.map({ now < $0 }) ?? true else {
      throw VendorRefusal(code: "invalid_client", status: 401)
    }
  }
}

extension [String: JSONValue] {
  fileprivate func replacing(_ others: [String: JSONValue?]) -> Self {
    others.reduce(into: self) { $0[$1.key] = $1.value }
  }
}

extension Fields {
  /// As a query, with another value of one field.
  fileprivate func replacing(_ name: String, with value: String) -> String {
    pairs.map { "\(Self.encode($0.name))=\(Self.encode($0.name == name ? value : $0.value))" }.joined(separator: "&")
  }
}
#endif
