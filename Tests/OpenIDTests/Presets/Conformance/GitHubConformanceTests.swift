import AuthenticationData
import AuthenticationDomain
import AuthenticationOpenID
import AuthenticationTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct GitHubConformanceTests {
  @Test func `GitHub is a provider like any other`() async {
    var app = OpenIDClient.github(clientID: "app", clientSecret: Secret("canary-secret"))
    app.redirect = .address(ScriptedPage.redirect)
    app.presenter = ScriptedPage()
    #expect(await ProviderConformance(.openIDConnect(app), .gitHub).violations() == [])
  }
}

extension ProviderScript {
  /// How GitHub speaks to a GitHub App whose tokens expire.
  fileprivate static var gitHub: ProviderScript {
    let client = "&client_id=app&client_secret=canary-secret"
    let userInfo = Exchange(
      """
      GET https://api.github.com/user
      Accept: application/json
      Authorization: Bearer canary-access
      User-Agent: AuthenticationKit
      """, .scripted(200, #"{"id":583231,"login":"octocat","name":"Octo","email":"ada@example.com"}"#))
    var script = ProviderScript(
      credentials: BrowserSignIn(), userID: "583231",
      signIn: [
        form(
          token,
          "grant_type=authorization_code&code=canary-code&redirect_uri=com.example.app%3A%2Fcallback"
            + "&code_verifier=\(ScriptedPage.verifier)\(client)",
          tokens("canary-access", #","refresh_token":"canary-refresh""#)), userInfo,
      ],
      refresh: form(
        token, "grant_type=refresh_token&refresh_token=canary-refresh\(client)",
        tokens("canary-access-2", #","refresh_token":"canary-refresh-2""#)))
    script.wrongCredentials = [error("bad_verification_code")]
    script.refreshWithoutNewToken = tokens("canary-access-2", "")
    script.sessionEnding = [error("bad_refresh_token"), refusal("bad_refresh_token", 400)]
    script.transient = [error("slow_down"), .scripted(429, "canary"), .scripted(503, "canary")]
    script.otherRefusals = [
      error("incorrect_client_credentials"), error("unverified_user_email"), error("bad_verification_code"),
      .scripted(404),
    ]
    script.unknownCode = error("never_heard_of")
    script.validation = Validation(userInfo, refusals: [.scripted(401, #"{"message":"Bad credentials canary"}"#)])
    return script
  }

  private static let token = "https://github.com/login/oauth/access_token"

  /// Inside HTTP 200.
  private static func error(_ code: String) -> HTTPResponse { refusal(code, 200) }

  private static func tokens(_ access: String, _ more: String) -> HTTPResponse {
    .scripted(
      200, #"{"access_token":"\#(access)","token_type":"bearer","scope":"","expires_in":28800\#(more)}"#)
  }
}
