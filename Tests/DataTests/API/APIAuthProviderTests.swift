import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// How the steps of a call hang together. // origin A2
@Suite struct APIAuthProviderTests {
  let now = Date(timeIntervalSince1970: 1_767_225_600)
  let password = PasswordCredentials(userName: "ada", password: Secret("pass"))
  let session = AuthSession.sample(1, receivedAt: Date(timeIntervalSince1970: 0))

  func provider(_ client: ScriptedHTTPClient) throws -> any SessionValidatingProvider {
    try AuthProviderConfiguration.api(baseURL: "https://api.example.com").provider(client)
  }

  @Test(arguments: [200, 201, 203]) func `signing in and signing up answer the session`(status: Int) async throws {
    let tokens = SessionTokens(
      access: try AccessToken(Secret("canary-access"), receivedAt: now, lifetime: .seconds(3_600)),
      refresh: Secret("canary-refresh"))
    let user = User(id: "canary", name: "Ada L", email: "canary@example.com", isNew: true)
    for signsUp in [false, true] {
      let provider = try provider(
        ScriptedHTTPClient(.success(json(status, Wire.tokens)), .success(json(status, Wire.user))))
      let outcome = signsUp ? try await provider.signUp(with: password) : try await provider.signIn(with: password)
      #expect(outcome == .session(AuthSession(user: user, tokens: tokens)))
    }
  }

  @Test(arguments: [
    json(204, ""), json(200, ""), json(200, "<html>canary</html>", type: "text/html"), json(200, "{}"), json(200, "[]"),
    json(206, String(Wire.tokens.dropLast())),
  ])
  func `a success without tokens is no success`(answer: HTTPResponse) async throws {
    let client = ScriptedHTTPClient { _ in .success(answer) }
    let provider = try provider(client)
    for error in [
      await failure { try await provider.signIn(with: password) },
      await failure { try await provider.signUp(with: password) },
      await failure { try await provider.refresh(session) },
    ] {
      #expect(error == .unexpectedResponse)
      for text in error.map(texts) ?? [] { #expect(!text.contains("canary")) }
    }
    #expect(client.requests.count == 3)
  }

  @Test(
    arguments: [
      .success(json(401, "canary")), .success(json(404, "canary")), .success(json(500, "canary")),
      .success(json(200, "canary")),
      .success(json(200, "{}")), .success(json(200, Wire.user, type: "text/html")), .success(json(204, "")),
      .failure(AuthenticationError(.unreachable, "")), .failure(.timedOut), .failure(.cancelled),
    ] as [Answer], [false, true])
  func `tokens without a user are revoked, and the error is the user's`(answer: Answer, signsUp: Bool) async throws {
    let client = ScriptedHTTPClient(.success(json(200, Wire.tokens)), answer, .success(json(204, "")))
    let provider = try provider(client)
    let error = await failure {
      signsUp ? try await provider.signUp(with: password) : try await provider.signIn(with: password)
    }
    switch answer {
    case .success(let response) where response.isSuccess: #expect(error == .unexpectedResponse)
    case .success(let response): #expect(error == APIAnswerTests.usualCode(response.status))
    case .failure(let failure): #expect(error == failure)
    }
    for text in error.map(texts) ?? [] { #expect(!text.contains("canary")) }
    #expect(client.requests.map { $0.url.path() }.dropFirst() == ["/user", "/auth/sign-out"])
    #expect(client.requests.last?.headers["Authorization"] == "Bearer canary-access")
    #expect(client.requests.last?.body == Data(#"{"refreshToken":"canary-refresh"}"#.utf8))
  }

  @Test(arguments: [false, true])
  func `tokens with an absurd lifetime are revoked, and no user is signed in`(signsUp: Bool) async throws {
    let tokens = #"{"accessToken":"canary-access","refreshToken":"canary-refresh","expiresIn":-1}"#
    let client = ScriptedHTTPClient(.success(json(200, tokens)), .success(json(204, "")))
    let provider = try provider(client)
    let error = await failure {
      signsUp ? try await provider.signUp(with: password) : try await provider.signIn(with: password)
    }
    #expect(error == .unexpectedResponse)
    #expect(client.requests.map { $0.url.path() }.dropFirst() == ["/auth/sign-out"])
  }

  @Test func `a revocation that fails does not hide why the sign-in failed`() async throws {
    let client = ScriptedHTTPClient(.success(json(200, Wire.tokens)), .success(json(503, "")), .failure(.timedOut))
    let provider = try provider(client)
    #expect(await failure { try await provider.signIn(with: password) } == .serverFailed)
  }

  // failure row 20
  @Test(.timeLimit(.minutes(10)))
  func `tokens of a sign-in that was cancelled are revoked all the same`() async throws {
    let gate = Gate()
    gate.close()
    let client = ScriptedHTTPClient { request in
      if request.url.path() == "/auth" { return .success(json(200, Wire.tokens)) }
      if request.url.path() == "/user" { await gate.pass() }
      return Task.isCancelled ? .failure(.cancelled) : .success(json(204, ""))
    }
    let revoked = RevocationObserver(upstream: client)
    let provider = try AuthProviderConfiguration.api(baseURL: "https://api.example.com").provider(revoked)
    let call = Task { await failure { try await provider.signIn(with: password) } }
    await gate.waitForArrivals(1)
    call.cancel()
    gate.open()
    #expect(await call.value == .cancelled)
    #expect(revoked.successes.count == 1)
  }

  @Test func `a failure in transit is thrown as it is`() async throws {
    let provider = try provider(ScriptedHTTPClient { _ in .failure(AuthenticationError(.unreachable, "")) })
    #expect(await failure { try await provider.signIn(with: password) } == .unreachable)
    #expect(await failure { try await provider.refresh(session) } == .unreachable)
    #expect(await failure { try await provider.revoke(session.tokens) } == .unreachable)
    #expect(await failure { try await provider.isValid(session) } == .unreachable)
  }

  @Test func `a page of a captive portal is no answer to whether a session is valid`() async throws {
    let page = HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: Data("<p>Sign in</p>".utf8))
    let provider = try provider(ScriptedHTTPClient(.success(page)))
    #expect(await failure { try await provider.isValid(session) } == .unexpectedResponse)
  }

  @Test func `a refresh answers the new tokens as they came`() async throws {
    let provider = try provider(ScriptedHTTPClient(.success(json(200, #"{"accessToken":"new"}"#))))
    let expected = SessionTokens(access: try AccessToken(Secret("new"), receivedAt: now))
    #expect(try await provider.refresh(session) == expected)
  }
}

/// Counts the sign-outs that the backend confirmed.
private struct RevocationObserver: HTTPClient {
  let upstream: ScriptedHTTPClient
  let successes = Tally()

  func send(_ request: HTTPRequest) async throws(AuthenticationError) -> HTTPResponse {
    let response = try await upstream.send(request)
    if request.url.path() == "/auth/sign-out" { successes.add() }
    return response
  }
}
