import AuthenticationAccount
import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationOpenID

/// Plain OAuth as GitHub has it: errors inside HTTP 200, no ID token, tokens that do not expire.
@Suite struct GitHubTests {
  private static let token = "/login/oauth/access_token"
  private static let device = json(
    200,
    #"{"device_code":"d-1","user_code":"WDJB-MJHT","verification_uri":"https://github.com/login/device","#
      + #""expires_in":900,"interval":5}"#)
  private static let tokens = json(
    200, #"{"access_token":"gho_1","token_type":"bearer","scope":"read:user,user:email"}"#)
  private static let octocat = json(
    200, #"{"id":583231,"login":"octocat","name":null,"email":null,"avatar_url":"https://a.example/1"}"#)
  private static let emails = json(
    200, #"[{"email":"b@example.com","primary":false},{"email":"ada@example.com","primary":true,"verified":true}]"#)
  private static let signIn = DeviceSignIn { _ in }

  private func bench(
    _ token: HTTPResponse..., user: HTTPResponse = Self.octocat, device: HTTPResponse = Self.device,
    clock: any AuthenticationClock = SleepRecorder(), change: (inout OpenIDClient) -> Void = { _ in }
  ) throws -> PresetBench {
    var client = OpenIDClient.github(clientID: "app")
    change(&client)
    return try PresetBench(
      .openIDConnect(client),
      [
        "/login/device/code": [device], Self.token: token, "/user": [user], "/user/emails": [Self.emails],
        "/github/token": token,
      ], clock: clock)
  }

  @Test func `a code for another device signs in without a secret, though each answer comes with 200`() async throws {
    let clock = SleepRecorder()
    let bench = try bench(
      json(200, #"{"error":"authorization_pending"}"#), json(200, #"{"error":"slow_down","interval":10}"#), Self.tokens,
      clock: clock)
    let session = try await bench.session(Self.signIn)
    #expect(session.user.id == "583231")
    #expect(session.user.name == "octocat")
    #expect(session.user.email == "ada@example.com")
    #expect(session.user.isEmailVerified == true)
    #expect(session.user.claims == ["login": "octocat"])
    #expect(session.accessToken.scopes == ["read:user", "user:email"])
    #expect(session.accessToken.lifetime == nil && session.tokens.refresh == nil)
    #expect(clock.sleeps == [.seconds(5), .seconds(5), .seconds(10)])
    #expect(
      bench.http.requests.map(\.url.absoluteString) == [
        "https://github.com/login/device/code", "https://github.com/login/oauth/access_token",
        "https://github.com/login/oauth/access_token", "https://github.com/login/oauth/access_token",
        "https://api.github.com/user", "https://api.github.com/user/emails",
      ])
    #expect(
      bench.sent("/login/device/code") == [
        ["POST", "https://github.com/login/device/code"] + Form.headers + [
          "scope=read%3Auser+user%3Aemail&client_id=app"
        ]
      ])
    #expect(
      bench.bodies(Self.token).last
        == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=d-1&client_id=app")
    #expect(
      bench.sent("/user") == [
        [
          "GET", "https://api.github.com/user", "Accept: application/json", "Authorization: Bearer gho_1",
          "User-Agent: AuthenticationKit", "no body",
        ]
      ])
  }

  @Test(arguments: [
    ("expired_token", AuthenticationError.signInExpired), ("incorrect_device_code", .signInExpired),
    ("access_denied", .declined), ("device_flow_disabled", .unsupportedMethod),
    ("incorrect_client_credentials", .clientRejected), ("bad_verification_code", .invalidCredentials),
    ("redirect_uri_mismatch", .clientRejected), ("unverified_user_email", .notVerified),
    ("never_heard_of", .unexpectedResponse),
  ])
  func `an error inside HTTP 200 is told by its code, and none of its text`(
    error: String, code: AuthenticationError
  ) async throws {
    let answer = json(200, #"{"error":"\#(error)","error_description":"canary","error_uri":"https://canary.example"}"#)
    let bench = try bench(answer)
    let failure = try #require(await bench.signInFailure(Self.signIn))
    #expect(failure == code)
    #expect(failure.providerCode == error)
    #expect(!texts(of: failure).contains("canary"))
  }

  @Test func `a device flow that is switched off is told at its beginning, too`() async throws {
    let bench = try bench(device: json(200, #"{"error":"device_flow_disabled"}"#))
    #expect(await bench.signInFailure(Self.signIn) == .unsupportedMethod)
  }

  @Test(arguments: [#"{"login":"octocat"}"#, #"{"id":null}"#, #"{"id":1.5}"#, "[]", "7"])
  func `a user without an id does not sign in: two users could get the same account`(user: String) async throws {
    let bench = try bench(Self.tokens, user: json(200, user))
    #expect(await bench.signInFailure(Self.signIn) == .unexpectedResponse)
  }

  @Test func `an id that has changed is another user`() async throws {
    let bench = try bench(Self.tokens)
    let session = try await bench.session(Self.signIn)
    let provider = try #require(bench.provider as? any AccountProvider)
    #expect(try await provider.user(of: session).id == "583231")
    let other = AuthSession(user: User(id: "1"), tokens: session.tokens)
    #expect(await failure { try await provider.user(of: other) }?.reason == .subject)
  }

  @Test func `without a secret there is no browser, which GitHub would refuse at its end`() throws {
    #expect(try bench().provider.methods == [.device])
    #expect(
      try bench { $0 = .github(clientID: "app", clientSecret: Secret("s")) }.provider.methods == [.browser, .device])
    #expect(
      try bench { $0 = .github(clientID: "app", exchange: "https://api.example.com/t") }.provider.methods.count == 2)
  }

  @Test func `a backend adds the secret: the code goes there, with its verifier`() async throws {
    let presenter = ScriptedPresenter(query: { "code=the-code&state=\($0)" })
    let bench = try bench(Self.tokens) {
      $0 = .github(clientID: "app", exchange: "https://api.example.com/github/token")
      $0.presenter = presenter
      $0.redirect = .address("com.example.app:/callback")
    }
    #expect(try await bench.session(BrowserSignIn()).user.id == "583231")
    let random = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc"
    #expect(
      presenter.urls.map(\.absoluteString) == [
        "https://github.com/login/oauth/authorize?response_type=code&client_id=app"
          + "&redirect_uri=com.example.app%3A%2Fcallback&scope=read%3Auser+user%3Aemail&state=\(random)"
          + "&code_challenge=3Ev4DHdHPRMPoN6GukAY_pi7IUAF5qWJHRK6kURvnoE&code_challenge_method=S256"
      ])
    #expect(
      bench.sent("/github/token") == [
        ["POST", "https://api.example.com/github/token"] + Form.headers + [
          "grant_type=authorization_code&code=the-code&redirect_uri=com.example.app%3A%2Fcallback"
            + "&code_verifier=\(random)&client_id=app"
        ]
      ])
  }

  @Test(arguments: ["28800", #""28800""#])
  func `a GitHub App's token expires, by a number or a text`(lifetime: String) async throws {
    let answer = json(
      200,
      #"{"access_token":"ghu_1","token_type":"bearer","expires_in":\#(lifetime),"refresh_token":"ghr_1","scope":""}"#)
    let bench = try bench(answer)
    let session = try await bench.session(Self.signIn)
    #expect(session.accessToken.lifetime == .seconds(28_800))
    #expect(session.tokens.refresh == Secret("ghr_1"))
    #expect(session.accessToken.scopes.isEmpty)
  }

  @Test func `a refresh is sent with the secret, and ends only by its own code`() async throws {
    let bench = try bench(
      json(200, #"{"error":"bad_refresh_token"}"#), json(200, #"{"error":"incorrect_client_credentials"}"#),
      json(200, #"{"error":"never_heard_of"}"#), json(500, #"{"error":"bad_refresh_token"}"#), json(200, "<html>")
    ) { $0 = .github(clientID: "app", clientSecret: Secret("s")) }
    #expect(await bench.refreshFailure() == .sessionRejected)
    #expect(
      bench.bodies(Self.token).first
        == "grant_type=refresh_token&refresh_token=refresh-1&client_id=app&client_secret=s")
    #expect(await bench.refreshFailure() == .clientRejected)
    for _ in 1...3 { #expect(try #require(await bench.refreshFailure()).disposition != .endsSession) }
  }

  @Test func `an app cannot revoke its tokens, and looks for no document that would say so`() async throws {
    let bench = try bench()
    let error = await failure { try await bench.provider.revoke(.sample(receivedAt: bench.clock.now)) }
    #expect(error == .unsupportedMethod)
    #expect(bench.http.requests.isEmpty)
  }

  @Test func `an endpoint takes the place of both hosts`() async throws {
    let bench = try bench(Self.tokens) { $0 = .github(clientID: "app", endpoint: "http://127.0.0.1:4711") }
    _ = try await bench.session(Self.signIn)
    #expect(bench.http.requests.allSatisfy { $0.url.absoluteString.hasPrefix("http://127.0.0.1:4711/") })
    for endpoint in ["http://forge.example", "https://forge.example/path", "https://a:b@forge.example", "x"] {
      let error = refusal(of: .openIDConnect(.github(clientID: "app", endpoint: endpoint)))
      #expect(error == .invalidConfiguration)
      #expect(error?.message.contains("'endpoint'") == true)
    }
  }
}
