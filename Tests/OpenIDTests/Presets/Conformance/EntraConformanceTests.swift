import AuthenticationData
import AuthenticationDomain
import AuthenticationOpenID
import AuthenticationTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct EntraConformanceTests {
  @Test func `Entra is a provider like any other`() async {
    var client = OpenIDClient.entra(tenant: EntraWire.tenant, clientID: "app")
    client.scopes = ["openid", "offline_access", "api://notes/Notes.Read"]
    client.redirect = .address(ScriptedPage.redirect)
    client.presenter = ScriptedPage()
    let violations = await ProviderConformance(.openIDConnect(client), .entra).violations()
    // It has neither UserInfo for this app nor introspection, by which an OpenID issuer validates a session.
    #expect(
      violations.map(\.description) == ["script: 'validation' is missing, although the adapter validates sessions."])
  }
}

extension ProviderScript {
  /// How one tenant speaks (https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow).
  fileprivate static var entra: ProviderScript {
    let forge = TokenForge()
    var script = ProviderScript(
      credentials: BrowserSignIn(), userID: "ada",
      signIn: [
        form(
          EntraWire.token,
          "grant_type=authorization_code&code=canary-code&redirect_uri=com.example.app%3A%2Fcallback"
            + "&code_verifier=\(ScriptedPage.verifier)&scope=\(EntraWire.scope)&client_id=app",
          EntraWire.tokens(
            "canary-access", #","refresh_token":"canary-refresh","id_token":"\#(EntraWire.identity(forge))""#))
      ],
      refresh: form(
        EntraWire.token, "grant_type=refresh_token&refresh_token=canary-refresh&scope=\(EntraWire.scope)&client_id=app",
        EntraWire.tokens("canary-access-2", #","refresh_token":"canary-refresh-2""#)))
    script.wrongCredentials = [refusal("invalid_grant", 400)]
    script.refreshWithoutNewToken = EntraWire.tokens("canary-access-2", "")
    script.sessionEnding = [
      refusal("invalid_grant", 400), EntraWire.refusal("bad_token"), EntraWire.refusal("user_account_deleted"),
    ]
    script.transient = [refusal("temporarily_unavailable", 503), .scripted(429, "canary"), .scripted(500, "canary")]
    script.otherRefusals =
      ["basic_action", "consent_required", "message_only"].map(EntraWire.refusal)
      + [refusal("interaction_required", 400), refusal("invalid_client", 401), refusal("unauthorized_client", 400)]
    script.unknownCode = refusal("never_heard_of", 400)
    script.documents = [
      document("\(EntraWire.issuer)/.well-known/openid-configuration", .scripted(200, EntraWire.metadata)),
      document(
        "https://login.microsoftonline.com/.well-known/oauth-authorization-server/\(EntraWire.tenant)/v2.0",
        .scripted(404)),
      document(EntraWire.keys, .scripted(200, #"{"keys":[\#(TokenForge.json(forge.jwk))]}"#)),
    ]
    return script
  }
}

private enum EntraWire {
  static let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
  static let base = "https://login.microsoftonline.com/\(tenant)"
  static let issuer = "\(base)/v2.0"
  static let token = "\(base)/oauth2/v2.0/token"
  static let keys = "\(base)/discovery/v2.0/keys"
  static let scope = "openid+offline_access+api%3A%2F%2Fnotes%2FNotes.Read"
  /// Without `end_session_endpoint`: a sign-out posts the ID token there, and the response decides nothing.
  static let metadata =
    #"{"issuer":"\#(issuer)","authorization_endpoint":"\#(base)/oauth2/v2.0/authorize","token_endpoint":"\#(token)","jwks_uri":"\#(keys)"}"#

  static func tokens(_ access: String, _ more: String) -> HTTPResponse {
    .scripted(200, #"{"token_type":"Bearer","expires_in":3600,"access_token":"\#(access)"\#(more)}"#)
  }

  /// `invalid_grant` with the part that says more.
  static func refusal(_ suberror: String) -> HTTPResponse {
    .scripted(400, #"{"error":"invalid_grant","suberror":"\#(suberror)","error_description":"AADSTS: canary"}"#)
  }

  /// An ID token of the time and the nonce of ``ProviderConformance``.
  static func identity(_ forge: TokenForge) -> String {
    let claims = [
      "iss": "\"\(issuer)\"", "sub": #""ada""#, "aud": #""app""#, "tid": "\"\(tenant)\"", "iat": "1767225590",
      "exp": "1767229200", "nonce": "\"\(ScriptedPage.verifier)\"",
    ]
    return forge.token(payload: TokenForge.json(claims))
  }
}
