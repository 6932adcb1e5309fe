import AuthenticationData
import AuthenticationDomain
import AuthenticationOpenID
import AuthenticationTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct Auth0ConformanceTests {
  @Test func `Auth0 is a provider like any other`() async {
    let provider = AuthProviderConfiguration.openIDConnect(.auth0(domain: "tenant.eu.auth0.com", clientID: "app"))
    #expect(await ProviderConformance(provider, .auth0).violations() == [])
  }
}

extension ProviderScript {
  /// How a tenant speaks.
  static var auth0: ProviderScript {
    var script = ProviderScript(
      credentials: Auth0Wire.password, userID: "auth0|1",
      signIn: [
        Auth0Wire.begin(Auth0Wire.tokens("canary-access", #","refresh_token":"canary-refresh""#)), Auth0Wire.userInfo,
      ],
      refresh: form(
        Auth0Wire.token, "grant_type=refresh_token&refresh_token=canary-refresh&client_id=app",
        Auth0Wire.tokens("canary-access-2", #","refresh_token":"canary-refresh-2""#)))
    script.wrongCredentials = [
      refusal("invalid_grant", 403, "Wrong email or password."), refusal("invalid_user_password", 401),
    ]
    script.challenges = [auth0OneTimePassword, auth0Message, auth0Mail]
    script.refreshWithoutNewToken = Auth0Wire.tokens("canary-access-2", "")
    script.sessionEnding = [
      refusal("invalid_grant", 403, "Unknown or invalid refresh token."), refusal("invalid_grant", 401),
      refusal("invalid_grant", 403, "The refresh_token was generated for a user who doesn't exist anymore."),
    ]
    script.transient = [
      refusal("too_many_attempts", 429), refusal("too_many_requests", 403), .scripted(503, "canary"),
    ]
    script.otherRefusals = [
      .scripted(403, #"{"error":"mfa_required","error_description":"canary","mfa_token":"canary-mfa"}"#),
      refusal("unauthorized", 401), refusal("access_denied", 403), refusal("invalid_client", 401),
      refusal("unauthorized_client", 403), refusal("login_required", 403), refusal("requires_verification", 401),
    ]
    script.unknownCode = refusal("never_heard_of", 403)
    script.revocation = [
      form(
        "\(Auth0Wire.tenant)/oauth/revoke", "token=canary-refresh&token_type_hint=refresh_token&client_id=app",
        .scripted(200))
    ]
    script.revokedTokens = [refusal("invalid_grant", 400)]
    let metadata =
      #"{"issuer":"\#(Auth0Wire.tenant)/","authorization_endpoint":"\#(Auth0Wire.tenant)/authorize","token_endpoint":"\#(Auth0Wire.token)","userinfo_endpoint":"\#(Auth0Wire.tenant)/userinfo","jwks_uri":"\#(Auth0Wire.tenant)/.well-known/jwks.json","revocation_endpoint":"\#(Auth0Wire.tenant)/oauth/revoke"}"#
    script.documents = [
      document("\(Auth0Wire.tenant)/.well-known/openid-configuration", .scripted(200, metadata)),
      document("\(Auth0Wire.tenant)/.well-known/oauth-authorization-server", .scripted(404)),
    ]
    return script
  }
}
