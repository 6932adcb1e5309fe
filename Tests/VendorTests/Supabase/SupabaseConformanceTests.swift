import AuthenticationData
import AuthenticationDomain
import AuthenticationSupabase
import AuthenticationTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct SupabaseConformanceTests {
  @Test func `Supabase is a provider like any other`() async throws {
    var project = SupabaseProject(url: "https://ref.supabase.co", anonKey: "anon")
    project.redirectURL = "https://app.example.org/sign-in"
    let violations = try await ProviderConformance(.supabase(project), .supabase).violations()
    #expect(violations == [])
  }

  @Test func `a page of Supabase signs in as any other method does`() async throws {
    let project = SupabaseProject(
      url: "https://ref.supabase.co", anonKey: "anon", methods: [.password, .passkey, .browser(.google)])
    let provider = AuthProviderConfiguration.supabase(
      project, presenter: AgreedPage(), redirect: .address(ScriptedBrowser.redirect))
    #expect(try await ProviderConformance(provider, .supabasePage).violations() == [])
  }
}

/// A browser in which the page is never shown: the user has agreed, and the redirect carries the code of the script.
private struct AgreedPage: AuthorizationPresenter {
  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    _ = try await makeURL(ScriptedBrowser.redirect)
    guard let url = URL(string: "\(ScriptedBrowser.redirect)?code=canary-auth&state=\(state)") else { throw .cancelled }
    return url
  }
}

extension ProviderScript {
  /// How GoTrue speaks.
  fileprivate static var supabase: ProviderScript {
    get throws {
      let password = #"{"email":"ada@example.org","password":"canary-password"}"#
      var script = ProviderScript(
        credentials: .password(userName: "ada@example.org", password: Secret("canary-password")), userID: "uid-1",
        signIn: [post("token?grant_type=password", password, session())],
        refresh: post(
          "token?grant_type=refresh_token", #"{"refresh_token":"canary-refresh"}"#,
          .scripted(
            200,
            #"{"access_token":"\#(aal1)-2","refresh_token":"canary-refresh-2","expires_in":3600,"user":{"id":"uid-1","app_metadata":{"roles":["editor"]}}}"#
          )))
      script.claims = ["user_metadata": [:], "app_metadata": [:]]
      script.refreshedClaims = ["user_metadata": [:], "app_metadata": ["roles": ["editor"]]]
      script.wrongCredentials = [
        refusal("invalid_credentials", 400),
        .scripted(400, #"{"code":400,"error_code":"invalid_credentials","msg":"canary"}"#),
      ]
      script.challenges = try [code, text, link, app(password)]
      script.refreshWithoutNewToken = .scripted(200, #"{"access_token":"\#(aal1)-2"}"#)
      script.sessionEnding =
        [
          "refresh_token_not_found", "refresh_token_already_used", "session_not_found", "session_expired",
          "user_not_found", "user_banned", "validation_failed",
        ].map { refusal($0, 400) } + [
          .scripted(403, #"{"code":403,"error_code":"user_not_found","msg":"canary"}"#),
          .scripted(400, #"{"error":"session_not_found","error_description":"canary"}"#),
        ]
      script.transient = [
        refusal("over_request_rate_limit", 429), refusal("conflict", 409), refusal("unexpected_failure", 500),
        refusal("request_timeout", 504), .scripted(503),
      ]
      script.otherRefusals = [
        .scripted(401, #"{"message":"canary","hint":"canary"}"#), refusal("bad_jwt", 403),
        refusal("no_authorization", 401), refusal("insufficient_aal", 401),
      ]
      script.unknownCode = refusal("never_heard_of", 400)
      script.revocation = [
        Exchange(
          """
          POST https://ref.supabase.co/auth/v1/logout?scope=local
          Accept: application/json
          apikey: anon
          Authorization: Bearer \(aal1)
          X-Supabase-Api-Version: 2024-01-01
          """, .scripted(204))
      ]
      script.revokedTokens = [
        refusal("session_not_found", 403), refusal("user_not_found", 403), refusal("no_authorization", 401),
        refusal("bad_jwt", 403),
      ]
      return script
    }
  }

  /// The same after a page, and a passkey.
  fileprivate static var supabasePage: ProviderScript {
    get throws {
      var script = try supabase
      script.credentials = .browser(.google)
      script.signIn = [
        post(
          "token?grant_type=pkce",
          #"{"auth_code":"canary-auth","code_verifier":"WlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlo"}"#, session())
      ]
      script.challenges = [passkey]
      return script
    }
  }

  private static var passkey: ChallengeScript {
    let options = #"{"challenge_id":"canary-id","options":{"publicKey":{"challenge":"canary"}},"expires_at":1}"#
    let answer = #"{"challenge_id":"canary-id","credential":{"id":"canary-key"}}"#
    return ChallengeScript(
      "a passkey", credentials: .passkey,
      begin: [post("passkeys/authentication/options", "{}", .scripted(200, options))],
      steps: [
        Step(
          .passkey, answer: .passkey(Secret(#"{"id":"canary-key"}"#)),
          [post("passkeys/authentication/verify", answer, session())])
      ])
  }

  private static var code: ChallengeScript {
    let answer = #"{"email":"ada@example.org","token":"canary-code","type":"email"}"#
    return ChallengeScript(
      "a code by e-mail", credentials: .emailCode("ada@example.org"),
      begin: [post("otp", #"{"create_user":true,"email":"ada@example.org"}"#, .scripted(200, "{}"))],
      steps: [
        Step(
          .emailCode, answer: .code(Secret("canary-code")), [post("verify", answer, session())],
          wrong: [post("verify", answer, refusal("otp_expired", 403))])
      ])
  }

  private static var text: ChallengeScript {
    ChallengeScript(
      "a code by text message", credentials: .phone("+491701234567"),
      begin: [
        post("otp", #"{"create_user":true,"phone":"+491701234567"}"#, .scripted(200, #"{"message_id":"canary"}"#))
      ],
      steps: [
        Step(
          .smsCode, answer: .code(Secret("canary-code")),
          [post("verify", #"{"phone":"+491701234567","token":"canary-code","type":"sms"}"#, session())])
      ])
  }

  /// The verifier is 32 bytes of 0x5A in base64url; its challenge is the SHA-256 of that text (RFC 7636 §4.2).
  private static var link: ChallengeScript {
    get throws {
      let verifier = "WlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlo"
      let url = try #require(URL(string: "https://app.example.org/sign-in?code=canary-auth"))
      return ChallengeScript(
        "a link by e-mail", credentials: .emailLink("ada@example.org"),
        begin: [
          post(
            "otp?redirect_to=https://app.example.org/sign-in",
            #"{"code_challenge":"vsC21rUDXpkBYxBRE9D-8wa2cqfiPLd0sDvQNlNjtT0","code_challenge_method":"s256","create_user":true,"email":"ada@example.org"}"#,
            .scripted(200, "{}"))
        ],
        steps: [
          Step(
            .link, answer: .link(url),
            [
              post(
                "token?grant_type=pkce", #"{"auth_code":"canary-auth","code_verifier":"\#(verifier)"}"#, session())
            ])
        ])
    }
  }

  /// A password, then an authenticator app: the session is of the level that the project asks for.
  private static func app(_ password: String) -> ChallengeScript {
    let begun = HTTPResponse.scripted(200, #"{"id":"canary-challenge","type":"totp","expires_at":1}"#)
    let answer = #"{"challenge_id":"canary-challenge","code":"canary-code"}"#
    let begin = post("factors/f-1/challenge", "{}", begun, as: aal1)
    return ChallengeScript(
      "an authenticator app",
      credentials: .password(userName: "ada@example.org", password: Secret("canary-password")),
      begin: [
        post(
          "token?grant_type=password", password,
          session(#""factors":[{"id":"f-1","factor_type":"totp","status":"verified","friendly_name":"App"}],"#))
      ],
      steps: [
        Step(
          .oneTimePassword, answer: .code(Secret("canary-code")),
          [begin, post("factors/f-1/verify", answer, session(token: aal2), as: aal1)],
          wrong: [begin, post("factors/f-1/verify", answer, refusal("mfa_verification_failed", 422), as: aal1)])
      ])
  }

  private static let aal1 = "e30.eyJzdWIiOiJ1aWQtMSIsImFhbCI6ImFhbDEifQ.canary"  // {"sub":"uid-1","aal":"aal1"}
  private static let aal2 = "e30.eyJzdWIiOiJ1aWQtMSIsImFhbCI6ImFhbDIifQ.canary"  // {"sub":"uid-1","aal":"aal2"}

  private static func session(_ factors: String = "", token: String = aal1) -> HTTPResponse {
    .scripted(
      200,
      #"{"access_token":"\#(token)","token_type":"bearer","expires_in":3600,"refresh_token":"canary-refresh","user":{"id":"uid-1","email":"ada@example.org","email_confirmed_at":"2026-01-01T00:00:00Z","phone":"",\#(factors)"user_metadata":{},"app_metadata":{}}}"#
    )
  }

  private static func refusal(_ code: String, _ status: Int) -> HTTPResponse {
    .scripted(status, #"{"code":"\#(code)","message":"canary"}"#)
  }

  private static func post(
    _ path: String, _ body: String, _ answer: HTTPResponse, as token: String = "anon"
  ) -> Exchange {
    Exchange(
      """
      POST https://ref.supabase.co/auth/v1/\(path)
      Accept: application/json
      Content-Type: application/json
      apikey: anon
      Authorization: Bearer \(token)
      X-Supabase-Api-Version: 2024-01-01

      \(body)
      """, answer)
  }
}
