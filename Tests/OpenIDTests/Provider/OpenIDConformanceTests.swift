import AuthenticationData
import AuthenticationDomain
import AuthenticationOpenID
import AuthenticationTesting
import Testing

/// By the one grant that needs no browser and no second device; the others are tested at the loopback issuer.
@Suite(.timeLimit(.minutes(10))) struct OpenIDConformanceTests {
  @Test func `an issuer is a provider like any other`() async {
    var client = OpenIDClient(issuer: "https://id.example.com", clientID: "app")
    client.scopes = ["notes"]
    client.allowsDiscouragedPasswordGrant = true
    let violations = await ProviderConformance(.openIDConnect(client), .openID).violations()
    #expect(violations == [])
  }
}

extension ProviderScript {
  /// How an authorization server speaks (RFC 6749, RFC 7009, OpenID Connect Discovery).
  fileprivate static var openID: ProviderScript {
    let userInfo = Exchange(
      """
      GET https://id.example.com/userinfo
      Accept: application/json
      Authorization: Bearer canary-access
      """, .scripted(200, #"{"sub":"ada","name":"Ada","groups":["editors"]}"#))
    var script = ProviderScript(
      credentials: .password(userName: "ada", password: Secret("canary-password")), userID: "ada",
      signIn: [
        post(
          "token",
          "grant_type=password&username=ada&password=canary-password&scope=notes"
            + "&resource=https%3A%2F%2Forders.example.com&client_id=app",
          .scripted(
            200,
            #"{"access_token":"canary-access","token_type":"Bearer","expires_in":3600,"refresh_token":"canary-refresh"}"#
          )),
        userInfo,
      ],
      refresh: post(
        "token", "grant_type=refresh_token&refresh_token=canary-refresh&client_id=app",
        .scripted(
          200, #"{"access_token":"canary-access-2","token_type":"Bearer","refresh_token":"canary-refresh-2"}"#)))
    script.claims = ["groups": ["editors"]]
    script.resource = .init(
      .resource("https://orders.example.com"),
      post(
        "token",
        "grant_type=refresh_token&refresh_token=canary-refresh&resource=https%3A%2F%2Forders.example.com&client_id=app",
        .scripted(
          200, #"{"access_token":"canary-access-3","token_type":"Bearer","refresh_token":"canary-refresh-3"}"#)),
      refusals: [refusal("invalid_target", 400), refusal("invalid_scope", 400), refusal("access_denied", 403)],
      // {"aud":"https://bills.example.com"}
      others: [
        .scripted(
          200,
          #"{"access_token":"e30.eyJhdWQiOiJodHRwczovL2JpbGxzLmV4YW1wbGUuY29tIn0.canary","token_type":"Bearer","refresh_token":"canary-refresh-3"}"#
        )
      ])
    script.wrongCredentials = [refusal("invalid_grant", 400), refusal("invalid_grant", 401)]
    script.refreshWithoutNewToken = .scripted(200, #"{"access_token":"canary-access-2","token_type":"bearer"}"#)
    script.sessionEnding = [
      refusal("invalid_grant", 400), refusal("invalid_grant", 401), refusal("invalid_grant", 403),
      HTTPResponse(status: 400, headers: ["Content-Type": "application/json", "Cache-Control": "no-store"]),
    ]
    script.transient = [
      refusal("temporarily_unavailable", 400), refusal("slow_down", 400), .scripted(429, "canary"),
      .scripted(503, "canary"),
    ]
    script.otherRefusals = [
      refusal("invalid_client", 401), refusal("unauthorized_client", 400), refusal("invalid_scope", 400),
      refusal("unsupported_grant_type", 400), refusal("login_required", 400), .scripted(404),
    ]
    script.unknownCode = refusal("never_heard_of", 400)
    script.revocation = [
      post("revoke", "token=canary-refresh&token_type_hint=refresh_token&client_id=app", .scripted(200)),
      post("revoke", "token=canary-access&token_type_hint=access_token&client_id=app", .scripted(200)),
    ]
    script.revokedTokens = [refusal("invalid_token", 400), refusal("invalid_grant", 400)]
    script.validation = Validation(
      userInfo,
      refusals: [
        HTTPResponse(status: 401, headers: ["WWW-Authenticate": #"Bearer error="invalid_token""#])
      ])
    script.documents = [
      Exchange(
        """
        GET https://id.example.com/.well-known/openid-configuration
        Accept: application/json
        """,
        .scripted(
          200,
          #"{"issuer":"https://id.example.com","authorization_endpoint":"https://id.example.com/authorize","token_endpoint":"https://id.example.com/token","userinfo_endpoint":"https://id.example.com/userinfo","revocation_endpoint":"https://id.example.com/revoke","jwks_uri":"https://id.example.com/keys"}"#
        )),
      // It could name an introspection endpoint.
      Exchange(
        """
        GET https://id.example.com/.well-known/oauth-authorization-server
        Accept: application/json
        """, .scripted(404)),
    ]
    return script
  }

  private static func post(_ path: String, _ body: String, _ answer: HTTPResponse) -> Exchange {
    Exchange(
      """
      POST https://id.example.com/\(path)
      Content-Type: application/x-www-form-urlencoded
      Accept: application/json

      \(body)
      """, answer)
  }

  private static func refusal(_ code: String, _ status: Int) -> HTTPResponse {
    .scripted(status, #"{"error":"\#(code)","error_description":"canary"}"#)
  }
}
