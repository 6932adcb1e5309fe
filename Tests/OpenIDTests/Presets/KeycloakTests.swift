import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

@Suite(.timeLimit(.minutes(10))) struct KeycloakTests {
  private static let password = PasswordCredentials(userName: "ada", password: Secret("pw"))
  private static let base = "/realms/demo/protocol/openid-connect"

  private func bench(
    token: HTTPResponse = json(200, "{}"), _ answers: [String: [HTTPResponse]] = [:],
    change: (inout OpenIDClient) -> Void = { _ in }
  ) throws -> PresetBench {
    var client = OpenIDClient.keycloak(url: "https://id.example.com", realm: "demo", clientID: "app")
    change(&client)
    let issuer = "https://id.example.com/realms/demo"
    let connect = "\(issuer)/protocol/openid-connect"
    let discovery = """
      {"issuer":"\(issuer)","authorization_endpoint":"\(connect)/auth","token_endpoint":"\(connect)/token",
      "userinfo_endpoint":"\(connect)/userinfo","jwks_uri":"\(connect)/certs","end_session_endpoint":"\(connect)/logout",
      "revocation_endpoint":"\(connect)/revoke","scopes_supported":["openid","offline_access"]}
      """
    let standard = [
      "/realms/demo/.well-known/openid-configuration": [json(200, discovery)], "\(Self.base)/token": [token],
      "\(Self.base)/userinfo": [json(200, #"{"sub":"u-1","preferred_username":"ada"}"#)],
    ]
    return try PresetBench(.openIDConnect(client), standard.merging(answers) { $1 })
  }

  private func refused(_ code: String, _ description: String, status: Int = 400) -> HTTPResponse {
    json(status, #"{"error":"\#(code)","error_description":"\#(description)"}"#)
  }

  // MARK: By discovery

  @Test func `a realm is known by its address alone`() async throws {
    var bench = try await ProviderBench { $0.path = "/realms/demo" }
    bench.client = .keycloak(url: String(bench.client.issuer.dropLast(12)), realm: "demo", clientID: "app")
    bench.client.presenter = bench.browser
    bench.client.redirect = .address("com.example.app:/callback")
    let session = try await bench.signedIn()
    #expect(session.user.name == "Ada Lovelace")
    #expect(session.accessToken.scopes == ["openid", "profile", "email", "offline_access"])
    let refreshed = session.refreshed(with: try await bench.provider().refresh(session))
    #expect(refreshed.accessToken.value != session.accessToken.value)
  }

  @Test func `an older server's path is part of its address`() throws {
    let client = OpenIDClient.keycloak(url: "https://id.example.com/auth/", realm: "demo", clientID: "app")
    #expect(client.issuer == "https://id.example.com/auth/realms/demo")
  }

  // MARK: Passwords

  @Test func `a one-time code goes with the password, in the same request`() async throws {
    let bench = try bench(
      token: json(200, #"{"access_token":"a","token_type":"Bearer","expires_in":300,"refresh_expires_in":0}"#))
    let session = try await bench.session(Self.password, attributes: ["totp": Secret("123456")])
    #expect(session.user.id == "u-1")
    #expect(
      bench.bodies("\(Self.base)/token") == [
        "grant_type=password&username=ada&password=pw&scope=openid+offline_access&totp=123456&client_id=app"
      ])
  }

  @Test(arguments: [
    ("Invalid user credentials", 401, AuthenticationError.invalidCredentials),
    ("Account is not fully set up", 400, .insufficientUserAuthentication),
    ("Account disabled", 400, .userDisabled), ("User disabled", 400, .userDisabled),
    ("canary", 400, .invalidCredentials),
  ])
  func `invalid_grant is told apart by its description`(
    description: String, status: Int, code: AuthenticationError
  ) async throws {
    let bench = try bench(token: refused("invalid_grant", description, status: status))
    let error = try #require(await bench.signInFailure(Self.password))
    #expect(error == code)
    #expect(error.providerCode == "invalid_grant")
    #expect(!texts(of: error).contains("canary"))
  }

  // MARK: Refreshing

  @Test(arguments: [
    "Token is not active", "Session not active", "Offline session not active", "Stale token",
    "Session doesn't have required client", "Maximum allowed refresh token reuse exceeded", "Invalid refresh token",
    "refresh token issued before the client session started", "User disabled", "Unmatching clients",
    "Offline user session not found",
  ])
  func `every text of an ended session ends it`(description: String) async throws {
    let bench = try bench(token: refused("invalid_grant", description))
    #expect(await bench.refreshFailure() == .sessionRejected)
  }

  @Test func `a consent that was taken back ends it, though it is no invalid_grant`() async throws {
    let bench = try bench(
      token: refused("invalid_scope", "Client no longer has requested consent from user"))
    #expect(await bench.refreshFailure() == .sessionRejected)
  }

  @Test(arguments: [
    ("invalid_scope", 400), ("unauthorized_client", 400), ("invalid_client", 401), ("never_heard_of", 400),
    ("invalid_grant", 503),
  ])
  func `nothing else does`(code: String, status: Int) async throws {
    let bench = try bench(token: refused(code, "Token is not active", status: status))
    #expect(try #require(await bench.refreshFailure()).disposition != .endsSession)
  }

  // MARK: Signing out

  @Test(arguments: [HTTPResponse(status: 204), json(400, #"{"error":"invalid_grant"}"#)])
  func `signing out sends the refresh token with the client's id, and an invalid one is done`(
    answer: HTTPResponse
  ) async throws {
    let bench = try bench(["\(Self.base)/logout": [answer]])
    try await bench.provider.revoke(.sample(receivedAt: bench.clock.now))
    #expect(bench.bodies("\(Self.base)/logout") == ["refresh_token=refresh-1&client_id=app"])
    #expect(bench.sent("\(Self.base)/revoke").isEmpty)
  }

  @Test(arguments: [503, 400]) func `a sign-out that was not done is reported`(status: Int) async throws {
    let bench = try bench(["\(Self.base)/logout": [json(status, #"{"error":"unauthorized_client"}"#)]])
    let error = await failure { try await bench.provider.revoke(.sample(receivedAt: bench.clock.now)) }
    #expect(error == (status == 503 ? .serverFailed : .clientRejected))
  }

  // MARK: Actions

  @Test(
    arguments: [
      ("success", nil), ("cancelled", .declined), ("error", .unexpectedResponse),
    ] as [(String, AuthenticationError?)])
  func `an action that the user or the realm did not finish is no sign-in`(
    status: String, code: AuthenticationError?
  ) async throws {
    let presenter = ScriptedPresenter { state in
      .success("com.example.app:/callback?code=the-code&state=\(state)&kc_action_status=\(status)")
    }
    let bench = try bench(token: refused("invalid_grant", "Code not valid")) {
      $0.presenter = presenter
      $0.redirect = .address("com.example.app:/callback")
    }
    let error = await bench.signInFailure(BrowserSignIn(), attributes: ["kc_action": Secret("UPDATE_PASSWORD")])
    #expect(presenter.query.hasSuffix("&kc_action=UPDATE_PASSWORD"))
    // With success the code is sent, which this realm refuses.
    #expect(error == code ?? .invalidCredentials)
    #expect(bench.sent("\(Self.base)/token").count == (code == nil ? 1 : 0))
  }

  // MARK: Configuration

  @Test(arguments: [
    ("http://id.example.com", "demo", "'url'"), ("https://a:b@id.example.com", "demo", "'url'"),
    ("https://id.example.com?x=1", "demo", "'url'"), ("id.example.com", "demo", "'url'"),
    ("https://id.example.com/realms/demo", "demo", "'url'"), ("https://id.example.com", "", "'realm'"),
    ("https://id.example.com", "a/b", "'realm'"), ("https://id.example.com", "a?b", "'realm'"),
    ("https://id.example.com", ".", "'realm'"), ("https://id.example.com", "..", "'realm'"),
  ])
  func `an invalid address or realm is refused by its key`(url: String, name: String, key: String) {
    let error = refusal(of: .openIDConnect(.keycloak(url: url, realm: name, clientID: "app")))
    #expect(error == .invalidConfiguration)
    #expect(error?.message.contains(key) == true)
  }

  @Test func `an endpoint stands in place of the realm`() throws {
    let realm = { (endpoint: String) in
      AuthProviderConfiguration.openIDConnect(
        .keycloak(url: "https://id.example.com", realm: "demo", clientID: "app", endpoint: endpoint))
    }
    #expect(refusal(of: realm("http://a.example"))?.message.contains("'endpoint'") == true)
    let bench = try PresetBench(realm("http://127.0.0.1:4711"))
    #expect((bench.provider as? OpenIDConnectProvider)?.discoveredIssuer == "http://127.0.0.1:4711")
    #expect(bench.provider.methods == [.browser, .device, .password])
  }
}
