import AuthenticationData
import AuthenticationDomain
import AuthenticationOpenID
import AuthenticationTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct XConformanceTests {
  @Test func `X is a provider like any other`() async {
    var app = OpenIDClient.x(clientID: "app")
    app.redirect = .address(ScriptedPage.redirect)
    app.presenter = ScriptedPage()
    #expect(await ProviderConformance(.openIDConnect(app), .x).violations() == [])
  }
}

extension ProviderScript {
  /// How X speaks to a public client.
  fileprivate static var x: ProviderScript {
    let userInfo = Exchange(
      """
      GET https://api.x.com/2/users/me
      Accept: application/json
      Authorization: Bearer canary-access
      User-Agent: AuthenticationKit
      """, .scripted(200, #"{"data":{"id":"2244994945","name":"Ada","username":"ada"}}"#))
    var script = ProviderScript(
      credentials: BrowserSignIn(), userID: "2244994945",
      signIn: [
        form(
          "https://api.x.com/2/oauth2/token",
          "grant_type=authorization_code&code=canary-code&redirect_uri=com.example.app%3A%2Fcallback"
            + "&code_verifier=\(ScriptedPage.verifier)&client_id=app",
          tokens("canary-access", "canary-refresh")), userInfo,
      ],
      refresh: form(
        "https://api.x.com/2/oauth2/token", "grant_type=refresh_token&refresh_token=canary-refresh&client_id=app",
        tokens("canary-access-2", "canary-refresh-2")))
    script.wrongCredentials = [refusal("invalid_grant", 400)]
    script.sessionEnding = [refusal("invalid_grant", 400), refusal("invalid_grant", 401)]
    script.transient = [.scripted(429, "canary"), .scripted(503, "canary")]
    script.otherRefusals = [refusal("invalid_request", 400), refusal("invalid_client", 401), .scripted(403)]
    script.unknownCode = refusal("never_heard_of", 400)
    script.revocation = [
      revoke("token=canary-refresh&token_type_hint=refresh_token"),
      revoke("token=canary-access&token_type_hint=access_token"),
    ]
    script.revokedTokens = [refusal("invalid_token", 400)]
    script.validation = Validation(
      userInfo, refusals: [.scripted(401, #"{"title":"Unauthorized","status":401,"detail":"canary"}"#)])
    return script
  }

  private static func revoke(_ fields: String) -> Exchange {
    form("https://api.x.com/2/oauth2/revoke", "\(fields)&client_id=app", .scripted(200, #"{"revoked":true}"#))
  }

  private static func tokens(_ access: String, _ refresh: String) -> HTTPResponse {
    .scripted(
      200,
      #"{"access_token":"\#(access)","token_type":"bearer","expires_in":7200,"refresh_token":"\#(refresh)","scope":"users.read tweet.read offline.access"}"#
    )
  }
}
