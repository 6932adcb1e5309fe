import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct APIConformanceTests {
  @Test func `a backend of one's own, by the standard contract, is a provider like any other`() async {
    let violations = await ProviderConformance(.api(baseURL: "https://api.example.com"), .api).violations()
    #expect(violations == [])
  }

  @Test func `a backend without a refresh is a provider, too`() async {
    var contract = APIContract.standard
    contract.refreshing = .never
    var script = ProviderScript.api
    script.refresh = nil
    script.refreshWithoutNewToken = nil
    script.revocation = [
      .init(
        """
        POST https://api.example.com/auth/sign-out
        Content-Type: application/json
        Accept: application/json
        Authorization: Bearer canary-access

        {}
        """, .scripted(204))
    ]
    let violations = await ProviderConformance(.api(baseURL: "https://api.example.com", contract: contract), script)
      .violations()
    #expect(violations == [])
  }

  @Test func `an adapter that has a refresh, and one that has none, do not pass for each other`() async {
    var script = ProviderScript.api
    script.refresh = nil
    var violations = await ProviderConformance(.api(baseURL: "https://api.example.com"), script).violations()
    #expect(violations.map(\.rule).contains(.refresh))
    var contract = APIContract.standard
    contract.refreshing = .never
    violations = await ProviderConformance(.api(baseURL: "https://api.example.com", contract: contract), .api)
      .violations()
    #expect(violations.map(\.rule).contains(.refresh))
  }

  @Test func `a contract that writes the password into a handle is found`() async {
    var contract = APIContract.standard
    contract.mapSignInStep = { response, credentials throws(AuthenticationError) in
      guard response.value(at: "challenge") != nil, let typed = credentials as? PasswordCredentials else { return nil }
      let fields = ["id": "canary-step", "passwordConfirm": typed.password.reveal()]
      return Challenge(kind: .oneTimePassword, handle: ChallengeHandle("otp", fields).secret, format: .digits(6))
    }
    let violations = await ProviderConformance(.api(baseURL: "https://api.example.com", contract: contract), .api)
      .violations()
    #expect(violations.map(\.rule).contains(.handles))
  }

  // MARK: A server that runs

  /// A backend that keeps the standard contract, with one account.
  private func backend(
    refusing: String = "invalid_grant", user: @escaping @Sendable () -> String = { "ada" }
  ) -> ScriptedHTTPClient {
    ScriptedHTTPClient { request in
      let body = String(decoding: request.body ?? Data(), as: UTF8.self)
      let tokens = #"{"accessToken":"canary-access","refreshToken":"canary-refresh","expiresIn":60}"#
      let answer: HTTPResponse =
        switch request.url.lastPathComponent {
        case "auth" where body.contains("canary-password"): .scripted(200, tokens)
        case "auth": .scripted(401)
        case "refresh" where body.contains("canary-refresh"): .scripted(200, tokens)
        case "refresh": .scripted(400, #"{"error":"\#(refusing)"}"#)
        case "user":
          .scripted(
            200,
            #"{"email":"a@b.c","username":"\#(user())","name":{"firstName":"","lastName":""},"lastAuthenticated":""}"#)
        default: .scripted(204)
        }
      return .success(answer)
    }
  }

  private func violations(over client: ScriptedHTTPClient) async -> [ProviderConformance.Violation] {
    let account = LiveAccount(
      .password(userName: "ada", password: Secret("canary-password")),
      wrong: .password(userName: "ada", password: Secret("wrong")), secrets: ["canary"])
    return await ProviderConformance.violations(
      of: .api(baseURL: "https://api.example.com"), at: account, over: client)
  }

  @Test func `a server that runs shows no violation`() async {
    #expect(await violations(over: backend()) == [])
  }

  @Test func `a check against a running server finds the rules that its adapter violates`() async {
    #expect(await violations(over: backend(refusing: "gone")).map(\.rule) == [.sessionEnding])
    let number = Mutex(0)
    let changing = backend {
      number.withLock { number in
        number += 1
        return "user-\(number)"
      }
    }
    #expect(await violations(over: changing).map(\.rule).contains(.signIn))
  }
}

extension ProviderScript {
  /// How a backend speaks that keeps the standard contract.
  fileprivate static var api: ProviderScript {
    let tokens = #"{"accessToken":"canary-access","refreshToken":"canary-refresh","expiresIn":3600}"#
    let user = Exchange(
      """
      GET https://api.example.com/user
      Accept: application/json
      Authorization: Bearer canary-access
      """,
      .scripted(
        200,
        #"{"email":"ada@example.com","username":"ada","name":{"firstName":"Ada","lastName":"L"},"lastAuthenticated":null}"#
      ))
    let password = #"{"password":"canary-password","username":"ada"}"#
    var script = ProviderScript(
      credentials: .password(userName: "ada", password: Secret("canary-password")), userID: "ada",
      signIn: [post("auth", password, .scripted(200, tokens)), user],
      refresh: post(
        "auth/refresh", #"{"refreshToken":"canary-refresh"}"#,
        .scripted(200, #"{"accessToken":"canary-access-2","refreshToken":"canary-refresh-2","expiresIn":"3600"}"#)))
    script.wrongCredentials = [
      .scripted(401), .scripted(401, "canary", type: "text/plain"), refusal("invalid_credentials", 400),
      refusal("invalid_credentials", 403),
    ]
    let ask = post("auth", password, .scripted(401, #"{"challenge":{"id":"canary-step","kind":"otp","length":6}}"#))
    let answer = #"{"challenge":"canary-step","code":"canary-code"}"#
    script.challenges = [
      ChallengeScript(
        "a one-time password", credentials: script.credentials, begin: [ask],
        steps: [
          Step(
            .oneTimePassword, answer: .code(Secret("canary-code")),
            [post("auth/challenge", answer, .scripted(200, tokens)), user],
            wrong: [post("auth/challenge", answer, refusal("wrong_code", 401))])
        ])
    ]
    script.refreshWithoutNewToken = .scripted(200, #"{"accessToken":"canary-access-2"}"#)
    script.sessionEnding = [refusal("invalid_grant", 400), refusal("invalid_grant", 401)]
    script.transient = [.scripted(429, "canary"), .scripted(500, "canary"), .scripted(503, "canary")]
    script.otherRefusals = [refusal("invalid_client", 401), .scripted(401), .scripted(404)]
    script.unknownCode = refusal("never_heard_of", 400)
    script.revocation = [
      Exchange(
        """
        POST https://api.example.com/auth/sign-out
        Content-Type: application/json
        Accept: application/json
        Authorization: Bearer canary-access

        {"refreshToken":"canary-refresh"}
        """, .scripted(204))
    ]
    script.revokedTokens = [refusal("invalid_grant", 400), refusal("invalid_grant", 401)]
    script.validation = Validation(user, refusals: [.scripted(401)])
    return script
  }

  private static func post(_ path: String, _ body: String, _ answer: HTTPResponse) -> Exchange {
    Exchange(
      """
      POST https://api.example.com/\(path)
      Content-Type: application/json
      Accept: application/json

      \(body)
      """, answer)
  }

  private static func refusal(_ code: String, _ status: Int) -> HTTPResponse {
    .scripted(status, #"{"error":"\#(code)","error_description":"canary"}"#)
  }
}
