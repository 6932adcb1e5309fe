import AuthenticationAccount
import AuthenticationData
import AuthenticationDomain
import AuthenticationPasskeys
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

@testable import AuthenticationOpenID

/// Requests to Auth0, byte for byte.
@Suite struct Auth0RequestTests {
  private static let grants = "http%3A%2F%2Fauth0.com%2Foauth%2Fgrant-type%2F"
  private static let scopes = "scope=openid+profile+email+offline_access"

  @Test func `a password goes to the realm of the connection, with the audience`() async throws {
    var client = OpenIDClient.auth0(domain: Auth0.domain, clientID: "app")
    client.audience = "https://api.example.com"
    let bench = try Auth0.bench(["/oauth/token": [Auth0.tokens]], client: client)
    let session = try await bench.session(Auth0.password)
    #expect(session.user == User(id: "auth0|1", name: "Ada", email: "ada@example.com", isEmailVerified: true))
    #expect(session.tokens.refresh == Secret("r-1"))
    #expect(
      bench.sent("/oauth/token") == [
        ["POST", "https://tenant.eu.auth0.com/oauth/token"] + Form.headers + [
          "grant_type=\(Self.grants)password-realm&username=ada%40example.com&password=pw"
            + "&realm=Username-Password-Authentication&\(Self.scopes)&audience=https%3A%2F%2Fapi.example.com&client_id=app"
        ]
      ])
  }

  @Test func `a code by e-mail is asked for as a code, since omitted it would be a link`() async throws {
    let bench = try Auth0.bench([
      "/passwordless/start": [json(200, #"{"_id":"x","email":"ada@example.com"}"#)], "/oauth/token": [Auth0.tokens],
    ])
    let challenge = try await bench.challenge(EmailCredentials(address: "ada@example.com"))
    #expect(challenge.kind == .emailCode)
    #expect(challenge.destination == "ada@example.com")
    #expect(
      bench.sent("/passwordless/start") == [
        [
          "POST", "https://tenant.eu.auth0.com/passwordless/start", "Accept: application/json",
          "Content-Type: application/json",
          #"{"client_id":"app","connection":"email","email":"ada@example.com","send":"code"}"#,
        ]
      ])
    _ = try await bench.session(ChallengeAnswer(to: challenge, code: Secret("123 456")))
    #expect(
      bench.bodies("/oauth/token") == [
        "grant_type=\(Self.grants)passwordless%2Fotp&username=ada%40example.com&otp=123456&realm=email"
          + "&\(Self.scopes)&client_id=app"
      ])
  }

  @Test func `a code by text message has its own connection, and is sent again when asked`() async throws {
    let bench = try Auth0.bench(["/passwordless/start": [json(200, "{}")], "/oauth/token": [Auth0.tokens]])
    let challenge = try await bench.challenge(PhoneCredentials(phoneNumber: "+491701234567"))
    #expect(challenge.kind == .smsCode)
    let again = try await bench.challenge(ChallengeAnswer(to: challenge, .resend))
    let body = #"{"client_id":"app","connection":"sms","phone_number":"+491701234567","send":"code"}"#
    #expect(bench.bodies("/passwordless/start") == [body, body])
    _ = try await bench.session(ChallengeAnswer(to: again, code: Secret("1234")))
    #expect(
      bench.bodies("/oauth/token").last?.contains("username=%2B491701234567&otp=1234&realm=sms&") == true)
  }

  @Test func `Apple's authorization code is exchanged, not its ID token`() async throws {
    let bench = try Auth0.bench(
      ["/oauth/token": [Auth0.tokens]], client: .auth0(domain: Auth0.domain, clientID: "app", methods: [.apple]))
    _ = try await bench.session(
      NativeCredentials(
        method: .apple, identityToken: Secret("id"), authorizationCode: Secret("code"),
        name: UserName(given: "Ada", family: "Lovelace")))
    #expect(
      bench.bodies("/oauth/token") == [
        "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange&subject_token=code"
          + "&subject_token_type=http%3A%2F%2Fauth0.com%2Foauth%2Ftoken-type%2Fapple-authz-code"
          + "&user_profile=%7B%22name%22%3A%7B%22firstName%22%3A%22Ada%22%2C%22lastName%22%3A%22Lovelace%22%7D%7D"
          + "&\(Self.scopes)&client_id=app"
      ])
  }

  @Test func `Facebook's session info token always comes with a profile`() async throws {
    let bench = try Auth0.bench(
      ["/oauth/token": [Auth0.tokens]], client: .auth0(domain: Auth0.domain, clientID: "app", methods: [.facebook]))
    _ = try await bench.session(
      NativeCredentials(method: .facebook, identityToken: nil, accessToken: Secret("info")))
    #expect(
      bench.bodies("/oauth/token").first?.contains(
        "subject_token=info&subject_token_type=http%3A%2F%2Fauth0.com%2Foauth%2Ftoken-type%2F"
          + "facebook-info-session-access-token&user_profile=%7B%22name%22%3A%7B%7D%7D&") == true)
  }

  @Test func `a sign-up has no tokens, so that the user is signed in next`() async throws {
    let bench = try Auth0.bench([
      "/dbconnections/signup": [json(200, #"{"_id":"1","email":"ada@example.com","email_verified":false}"#)],
      "/oauth/token": [Auth0.tokens],
    ])
    let provider = bench.provider
    #expect(try await provider.signUp(with: Auth0.password).session?.user.id == "auth0|1")
    #expect(
      bench.bodies("/dbconnections/signup") == [
        #"{"client_id":"app","connection":"Username-Password-Authentication","email":"ada@example.com","password":"pw"}"#
      ])
  }

  @Test func `a reset is answered by plain text, whether there is such an account or not`() async throws {
    let bench = try Auth0.bench([
      "/dbconnections/change_password": [HTTPResponse(status: 200, body: Data("We've just sent you an email".utf8))]
    ])
    let provider = try #require(bench.provider as? any AccountProvider)
    #expect(try await provider.resetPassword(of: "ada@example.com") == .done)
    #expect(
      bench.bodies("/dbconnections/change_password") == [
        #"{"client_id":"app","connection":"Username-Password-Authentication","email":"ada@example.com"}"#
      ])
  }

  @Test func `signing out revokes the refresh token alone: access tokens cannot be`() async throws {
    let bench = try Auth0.bench(["/oauth/revoke": [HTTPResponse(status: 200)]])
    try await bench.provider.revoke(.sample(receivedAt: bench.clock.now))
    #expect(bench.bodies("/oauth/revoke") == ["token=refresh-1&token_type_hint=refresh_token&client_id=app"])
    try await bench.provider.revoke(.sample(receivedAt: bench.clock.now), keepingOtherSessions: true)
    #expect(bench.bodies("/oauth/revoke").count == 1)
  }

  @Test func `universal login takes a connection and a screen as attributes of the attempt`() async throws {
    let presenter = ScriptedPresenter { _ in .failure(.cancelled) }
    var client = OpenIDClient.auth0(
      domain: Auth0.domain, clientID: "app", organization: "org_1", methods: [.browser])
    client.presenter = presenter
    client.redirect = .address("com.example.app:/callback")
    client.scopes = ["openid"]
    let bench = try Auth0.bench(client: client)
    let attributes = ["connection": Secret("google-oauth2"), "screen_hint": Secret("signup"), "other": Secret("x")]
    _ = await bench.signInFailure(BrowserSignIn(), attributes: attributes)
    let random = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc"
    #expect(
      presenter.urls.map(\.absoluteString) == [
        "https://tenant.eu.auth0.com/authorize?response_type=code&client_id=app"
          + "&redirect_uri=com.example.app%3A%2Fcallback&scope=openid&state=\(random)&nonce=\(random)"
          + "&code_challenge=3Ev4DHdHPRMPoN6GukAY_pi7IUAF5qWJHRK6kURvnoE&code_challenge_method=S256"
          + "&connection=google-oauth2&organization=org_1&screen_hint=signup"
      ])
  }

  @Test func `a passkey is asked for and answered without a wrapper`() async throws {
    let options = #"{"challenge":"AQIDBAUGBwgJCgsMDQ4PEA","rpId":"id.example.com"}"#
    let bench = try Auth0.bench(
      [
        "/passkey/challenge": [json(200, #"{"auth_session":"s-1","authn_params_public_key":\#(options)}"#)],
        "/oauth/token": [Auth0.tokens],
      ], client: .auth0(domain: Auth0.domain, clientID: "app", methods: [.passkey]))
    let challenge = try await bench.challenge(PasskeyCredentials())
    #expect(challenge.kind == .passkey)
    #expect(bench.bodies("/passkey/challenge") == [#"{"client_id":"app","realm":"Username-Password-Authentication"}"#])
    let request = Data(try #require(challenge.passkeyRequest).reveal().utf8)
    #expect(try PasskeyRequestOptions(json: request).relyingPartyID == "id.example.com")
    _ = try await bench.session(ChallengeAnswer(to: challenge, .passkey(Secret(#"{"id":"k","type":"public-key"}"#))))
    #expect(
      bench.bodies("/oauth/token") == [
        #"{"auth_session":"s-1","authn_response":{"id":"k","type":"public-key"},"client_id":"app","#
          + #""grant_type":"urn:okta:params:oauth:grant-type:webauthn","realm":"Username-Password-Authentication","#
          + #""scope":"openid profile email offline_access"}"#
      ])
  }

  @Test func `an account with a passkey is for whom the app's attributes name`() async throws {
    let bench = try Auth0.bench(
      [
        "/passkey/register": [json(200, #"{"auth_session":"s-1","authn_params_public_key":{"challenge":"AQ"}}"#)]
      ], client: .auth0(domain: Auth0.domain, clientID: "app", methods: [.passkey]))
    let attributes = ["email": Secret("ada@example.com")]
    let challenge = try await bench.provider.signUp(with: PasskeyCredentials(), attributes: attributes).challenge
    #expect(challenge?.kind == .passkeyRegistration)
    #expect(
      bench.bodies("/passkey/register") == [
        #"{"client_id":"app","realm":"Username-Password-Authentication","user_profile":{"email":"ada@example.com"}}"#
      ])
  }
}
