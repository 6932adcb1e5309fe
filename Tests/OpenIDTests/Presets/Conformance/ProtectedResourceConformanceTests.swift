import AuthenticationBrowser
import AuthenticationData
import AuthenticationDomain
import AuthenticationOpenID
import AuthenticationResources
import AuthenticationTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct ProtectedResourceConformanceTests {
  @Test func `a protected resource has a provider like any other`() async {
    var client = ProtectedResourceClient(name: "Notes")
    client.clientID = "app"
    client.redirect = .address(ScriptedPage.redirect)
    client.presenter = ScriptedPage()
    let violations = await ProviderConformance(
      .protectedResource("https://notes.example.com/mcp", client), .protectedResource
    ).violations()
    #expect(violations == [])
  }
}

extension ProviderScript {
  /// How a resource and its authorization server speak (RFC 9728, RFC 8414, RFC 8707).
  fileprivate static var protectedResource: ProviderScript {
    let (token, resource) = ("https://id.example.com/token", "resource=https%3A%2F%2Fnotes.example.com%2Fmcp")
    var script = ProviderScript(
      // Nothing names the user: the id is random, BASE64URL of 16 bytes 0x5A.
      credentials: BrowserSignIn(), userID: "WlpaWlpaWlpaWlpaWlpaWg",
      signIn: [
        form(
          token,
          "grant_type=authorization_code&code=canary-code&redirect_uri=com.example.app%3A%2Fcallback"
            + "&code_verifier=\(ScriptedPage.verifier)&\(resource)&client_id=app",
          tokens("canary-access", #","refresh_token":"canary-refresh""#))
      ],
      refresh: form(
        token, "grant_type=refresh_token&refresh_token=canary-refresh&\(resource)&client_id=app",
        tokens("canary-access-2", #","refresh_token":"canary-refresh-2""#)))
    script.wrongCredentials = [refusal("invalid_grant", 400), refusal("invalid_grant", 401)]
    script.refreshWithoutNewToken = tokens("canary-access-2", "")
    script.sessionEnding = [
      refusal("invalid_grant", 400), refusal("invalid_grant", 401), refusal("invalid_grant", 403),
    ]
    script.transient = [refusal("temporarily_unavailable", 503), .scripted(429, "canary"), .scripted(500, "canary")]
    script.otherRefusals = [
      refusal("invalid_client", 401), refusal("unauthorized_client", 400), refusal("invalid_scope", 400),
    ]
    script.unknownCode = refusal("never_heard_of", 400)
    let revoke = "https://id.example.com/revoke"
    script.revocation = [
      form(revoke, "token=canary-refresh&token_type_hint=refresh_token&client_id=app", .scripted(200)),
      form(revoke, "token=canary-access&token_type_hint=access_token&client_id=app", .scripted(200)),
    ]
    script.revokedTokens = [refusal("invalid_token", 400), refusal("invalid_grant", 400)]
    let metadata = "https://notes.example.com/.well-known/oauth-protected-resource/mcp"
    script.documents = [
      Exchange(
        "GET https://notes.example.com/mcp",
        HTTPResponse(status: 401, headers: ["WWW-Authenticate": #"Bearer resource_metadata="\#(metadata)""#])),
      document(
        metadata,
        .scripted(
          200, #"{"resource":"https://notes.example.com/mcp","authorization_servers":["https://id.example.com"]}"#)),
      document(
        "https://id.example.com/.well-known/oauth-authorization-server",
        .scripted(
          200,
          #"{"issuer":"https://id.example.com","authorization_endpoint":"https://id.example.com/authorize","token_endpoint":"\#(token)","revocation_endpoint":"\#(revoke)","code_challenge_methods_supported":["S256"]}"#
        )),
    ]
    return script
  }

  private static func tokens(_ access: String, _ more: String) -> HTTPResponse {
    .scripted(200, #"{"token_type":"Bearer","expires_in":3600,"access_token":"\#(access)"\#(more)}"#)
  }
}
