import AuthenticationData
import AuthenticationDomain
import AuthenticationOpenID
import AuthenticationTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct KeycloakConformanceTests {
  @Test func `Keycloak is a provider like any other`() async {
    var client = OpenIDClient.keycloak(url: "https://id.example.com", realm: "demo", clientID: "app")
    client.scopes = ["notes"]
    #expect(await ProviderConformance(.openIDConnect(client), .keycloak).violations() == [])
  }
}

extension ProviderScript {
  /// How a realm speaks.
  fileprivate static var keycloak: ProviderScript {
    let userInfo = Exchange(
      """
      GET \(base)/userinfo
      Accept: application/json
      Authorization: Bearer canary-access
      """, .scripted(200, #"{"sub":"u-1","preferred_username":"ada"}"#))
    var script = ProviderScript(
      credentials: .password(userName: "ada", password: Secret("canary-password")), userID: "u-1",
      signIn: [
        form(
          "\(base)/token", "grant_type=password&username=ada&password=canary-password&scope=notes&client_id=app",
          tokens("canary-access", #","refresh_token":"canary-refresh""#)), userInfo,
      ],
      refresh: form(
        "\(base)/token", "grant_type=refresh_token&refresh_token=canary-refresh&client_id=app",
        tokens("canary-access-2", #","refresh_token":"canary-refresh-2""#)))
    script.wrongCredentials = [refusal("invalid_grant", 401, "Invalid user credentials")]
    script.refreshWithoutNewToken = tokens("canary-access-2", "")
    script.sessionEnding =
      [
        "Token is not active", "Session not active", "Offline session not active", "Stale token",
        "Maximum allowed refresh token reuse exceeded", "Invalid refresh token", "User disabled", "canary",
      ].map { refusal("invalid_grant", 400, $0) }
      + [refusal("invalid_scope", 400, "Client no longer has requested consent from user")]
    script.transient = [refusal("temporarily_unavailable", 503), .scripted(429, "canary"), .scripted(500, "canary")]
    script.otherRefusals = [
      refusal("unauthorized_client", 400), refusal("invalid_client", 401), refusal("invalid_scope", 400),
    ]
    script.unknownCode = refusal("never_heard_of", 400)
    script.revocation = [
      form("\(base)/logout", "refresh_token=canary-refresh&client_id=app", .scripted(204))
    ]
    script.revokedTokens = [refusal("invalid_grant", 400, "Invalid refresh token")]
    script.validation = Validation(
      userInfo,
      refusals: [HTTPResponse(status: 401, headers: ["WWW-Authenticate": #"Bearer error="invalid_token""#])])
    let metadata =
      #"{"issuer":"\#(issuer)","authorization_endpoint":"\#(base)/auth","token_endpoint":"\#(base)/token","userinfo_endpoint":"\#(base)/userinfo","jwks_uri":"\#(base)/certs","end_session_endpoint":"\#(base)/logout","revocation_endpoint":"\#(base)/revoke"}"#
    script.documents = [
      document("\(issuer)/.well-known/openid-configuration", .scripted(200, metadata)),
      document("https://id.example.com/.well-known/oauth-authorization-server/realms/demo", .scripted(404)),
    ]
    return script
  }

  private static let issuer = "https://id.example.com/realms/demo"
  private static let base = issuer + "/protocol/openid-connect"

  private static func tokens(_ access: String, _ more: String) -> HTTPResponse {
    .scripted(
      200,
      #"{"access_token":"\#(access)","token_type":"Bearer","expires_in":300,"refresh_expires_in":1800,"not-before-policy":0,"session_state":"s"\#(more)}"#
    )
  }
}
