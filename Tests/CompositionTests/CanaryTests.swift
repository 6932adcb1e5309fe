import AuthenticationKit
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// Every string the library makes of its values, searched for secrets that were put into them: rule 37.
@Suite struct CanaryTests {
  private static let canaries = [
    "canary-access", "canary-refresh", "canary-identity", "canary-password", "canary-code",
    "canary-proof-key",
  ]

  private static func tokens() throws -> SessionTokens {
    SessionTokens(
      access: try AccessToken(
        Secret("canary-access"), receivedAt: Date(timeIntervalSince1970: 0), lifetime: .seconds(60)),
      refresh: Secret("canary-refresh"), identity: Secret("canary-identity"),
      proofKey: Secret("canary-proof-key"))
  }

  private static func values() throws -> [any Sendable] {
    let tokens = try tokens()
    let session = AuthSession(user: .ada, tokens: tokens)
    let revocation = PendingRevocation(tokens: tokens, queuedAt: Date(timeIntervalSince1970: 0))
    let record = SessionRecord(session: session, pendingRevocations: [revocation])
    let challenge = Challenge(kind: .smsCode, handle: Secret("canary-code"))
    let url = URL(string: "https://user:canary-password@example.com/callback?code=canary-code#canary-access")!
    let request = HTTPRequest(
      .post, url, headers: ["Authorization": "Bearer canary-access"], body: Data("canary-password".utf8))
    let response = HTTPResponse(
      status: 200, headers: ["Set-Cookie": "canary-access"], body: Data(#"{"accessToken":"canary-access"}"#.utf8))
    return [
      Secret("canary-password"), tokens, tokens.access, session, record, revocation, challenge,
      PasswordCredentials(userName: "ada", password: Secret("canary-password")),
      ChallengeAnswer(to: challenge, code: Secret("canary-code")), ChallengeAnswer(to: challenge, .link(url)),
      ChallengeAnswer(to: challenge, .newPassword(Secret("canary-password"))), ChallengeAnswer.Content.link(url),
      AuthenticationState.signedIn(ActiveSession(session: session)), AuthenticationState.challenged(challenge),
      SignInOutcome.session(session), AuthenticationError.challengeRequired(challenge),
      SessionMachine.Effect.save(record), SessionMachine.Effect.refresh(session, generation: 1),
      request, request.headers, response, response.headers, request.headers.fields,
      AuthenticationError.originNotAllowed(request),
      Result<SessionTokens, AuthenticationError>.success(tokens),
    ]
  }

  @Test func `no description, reflection, mirror or dump of any value holds a secret`() throws {
    for value in try Self.values() {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(describing: value), String(reflecting: value), dumped, mirrored(value)] {
        for canary in Self.canaries {
          #expect(!text.contains(canary), "\(type(of: value)) shows \(canary)")
        }
      }
    }
  }

  @Test func `the manager and the root show nothing of the session they hold`() async throws {
    let session = AuthSession(user: .ada, tokens: try Self.tokens())
    let provider = ScriptedAuthProvider()
    provider.answerSignIn(.success(.session(session)))
    let root = try MainRoot(.custom(provider)) {
      $0.storage = .inMemory
      $0.clock = ManualClock(now: Date(timeIntervalSince1970: 1))
    }
    try await root.useCase.login(username: "ada", password: "canary-password")
    var dumped = ""
    dump(root, to: &dumped)
    dump(root.manager.state, to: &dumped)
    #expect(dumped.contains("AuthManager"))
    for canary in Self.canaries { #expect(!dumped.contains(canary)) }
  }

  // failure row 37: an error that quotes an answer or a URL. An error code that is a plain token is quoted.
  @Test(arguments: [
    HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"], body: Data(#"{"accessToken":"canary-access\n"}"#.utf8)
    ),
    HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Data("<p>canary-password</p>".utf8)),
    HTTPResponse(
      status: 200, headers: ["Content-Type": "application/json"], body: Data(#"{"accessToken":canary-code}"#.utf8)),
    HTTPResponse(
      status: 401, headers: ["Content-Type": "application/json"], body: Data(#"{"error":"not canary-code"}"#.utf8)),
    HTTPResponse(status: 500, headers: ["X-Trace": "canary-code"], body: Data("canary-password".utf8)),
  ])
  func `no error about an answer quotes it`(response: HTTPResponse) async throws {
    let root = try MainRoot(.api(baseURL: "https://api.example.com")) {
      $0.storage = .inMemory
      $0.providerTransport = ScriptedHTTPClient(.success(response))
    }
    let error = try #require(
      await #expect(throws: AuthenticationError.self) {
        try await root.useCase.login(username: "ada", password: "canary-password")
      })
    var text = "\(error) \(String(reflecting: error)) \(error.localizedDescription) \(Words().sentence(for: error))"
    dump(error, to: &text)
    for canary in Self.canaries { #expect(!text.contains(canary)) }
  }

  @Test func `an error about an unreadable record does not quote it`() throws {
    let storage = InMemoryStorage()
    try storage.write(Data(#"{"version":1,"tokens":{"access":"canary-access"}}"#.utf8), for: "session")
    let error = try #require(
      #expect(throws: AuthenticationError.self) { try storage.sessionStore().read() })
    for canary in Self.canaries { #expect(!"\(error) \(String(reflecting: error))".contains(canary)) }
  }

  private func mirrored(_ value: Any, depth: Int = 0) -> String {
    guard depth < 8 else { return "" }
    let mirror = Mirror(reflecting: value)
    return mirror.children.map { "\($0.label ?? "") \($0.value) " + mirrored($0.value, depth: depth + 1) }.joined()
  }
}
