import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationOpenID

/// X, and other services that speak plain OAuth 2.0.
@Suite struct OAuthProviderTests {
  private static let random = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc"
  private static let me = json(200, #"{"data":{"id":"2244994945","name":"Ada","username":"ada"}}"#)
  private static let tokens = json(
    200,
    #"{"access_token":"a-1","token_type":"bearer","expires_in":7200,"refresh_token":"r-1","scope":"users.read offline.access"}"#
  )

  private func x(_ answers: [String: [HTTPResponse]]) throws -> (bench: PresetBench, presenter: ScriptedPresenter) {
    let presenter = ScriptedPresenter(query: { "code=the-code&state=\($0)" })
    var client = OpenIDClient.x(clientID: "app")
    client.presenter = presenter
    client.redirect = .address("com.example.app:/callback")
    return (try PresetBench(.openIDConnect(client), answers), presenter)
  }

  @Test func `X signs in by its page with PKCE, and names the user inside data`() async throws {
    let (bench, presenter) = try x(["/2/oauth2/token": [Self.tokens], "/2/users/me": [Self.me]])
    let session = try await bench.session(BrowserSignIn())
    #expect(session.user == User(id: "2244994945", name: "Ada", claims: ["username": "ada"]))
    #expect(session.accessToken.lifetime == .seconds(7_200))
    #expect(session.accessToken.scopes == ["users.read", "offline.access"])
    #expect(
      presenter.urls.map(\.absoluteString) == [
        "https://x.com/i/oauth2/authorize?response_type=code&client_id=app"
          + "&redirect_uri=com.example.app%3A%2Fcallback&scope=users.read+tweet.read+offline.access"
          + "&state=\(Self.random)&code_challenge=3Ev4DHdHPRMPoN6GukAY_pi7IUAF5qWJHRK6kURvnoE"
          + "&code_challenge_method=S256"
      ])
    #expect(
      bench.sent("/2/oauth2/token") == [
        ["POST", "https://api.x.com/2/oauth2/token"] + Form.headers + [
          "grant_type=authorization_code&code=the-code&redirect_uri=com.example.app%3A%2Fcallback"
            + "&code_verifier=\(Self.random)&client_id=app"
        ]
      ])
    #expect(bench.provider.methods == [.browser])
  }

  @Test func `X's refresh token serves once: the new one counts`() async throws {
    let (bench, _) = try x(["/2/oauth2/token": [Self.tokens]])
    let tokens = try await bench.provider.refresh(.sample(receivedAt: bench.clock.now))
    #expect(tokens.refresh == Secret("r-1"))
    #expect(bench.bodies("/2/oauth2/token") == ["grant_type=refresh_token&refresh_token=refresh-1&client_id=app"])
  }

  @Test func `X revokes tokens at sign-out`() async throws {
    let (bench, _) = try x(["/2/oauth2/revoke": [json(200, #"{"revoked":true}"#)]])
    try await bench.provider.revoke(.sample(receivedAt: bench.clock.now))
    #expect(
      bench.bodies("/2/oauth2/revoke") == [
        "token=refresh-1&token_type_hint=refresh_token&client_id=app",
        "token=access-1&token_type_hint=access_token&client_id=app",
      ])
  }

  @Test(arguments: [(401, AuthenticationError.accessTokenRefused), (429, .rateLimited), (503, .serverFailed)])
  func `an outage of the user's endpoint makes no known user a new one`(
    status: Int, code: AuthenticationError
  ) async throws {
    let (bench, _) = try x([
      "/2/oauth2/token": [Self.tokens], "/2/oauth2/revoke": [json(200, "{}")], "/2/users/me": [json(status, "{}")],
    ])
    #expect(await bench.signInFailure(BrowserSignIn()) == code)
    #expect(bench.bodies("/2/oauth2/revoke").count == 2)
  }

  @Test(arguments: [
    (#"{"id":7,"name":"Ada","email":"a@b.example"}"#, User(id: "7", name: "Ada", email: "a@b.example")),
    (#"{"sub":"s","picture":"https://p.example"}"#, User(id: "s", picture: "https://p.example")),
  ])
  func `of another service the usual members are read`(answer: String, user: User) async throws {
    let forge = OpenIDClient.oauth(
      name: "forge", clientID: "app", tokenEndpoint: "https://forge.example/token",
      userEndpoint: "https://forge.example/me", deviceAuthorizationEndpoint: "https://forge.example/device")
    let bench = try PresetBench(
      .openIDConnect(forge),
      [
        "/device": [
          json(
            200, #"{"device_code":"d","user_code":"C","verification_uri":"https://forge.example/d","expires_in":900}"#)
        ],
        "/token": [Self.tokens], "/me": [json(200, answer)],
      ], clock: SleepRecorder())
    #expect(try await bench.session(DeviceSignIn { _ in }).user == user)
  }

  @Test func `an endpoint that cannot work is refused by its key`() {
    let refusal = { (token: String, user: String, authorization: String?) in
      OpenIDTests.refusal(
        of: .openIDConnect(
          .oauth(
            name: "forge", clientID: "app", tokenEndpoint: token, userEndpoint: user,
            authorizationEndpoint: authorization)))?.message
    }
    let (token, user) = ("https://forge.example/token", "https://forge.example/me")
    let authorization = "https://forge.example/authorize"
    #expect(refusal(token, user, nil)?.contains("'authorizationEndpoint'") == true)
    #expect(refusal(token, user, authorization + "?x=1")?.contains("'authorizationEndpoint'") == true)
    #expect(refusal(token, user, authorization) == nil)
    #expect(refusal(token, "http://forge.example/me", authorization)?.contains("'userEndpoint'") == true)
    #expect(refusal("https://a:b@forge.example/token", user, authorization)?.contains("'tokenEndpoint'") == true)
  }
}
