import AuthenticationAccount
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Synchronization
import Testing

@testable import AuthenticationData

/// Backends of unusual shapes at a running server: the library knows only their contracts.
@Suite(.timeLimit(.minutes(10))) struct APIShapesTests {
  private static let json = ["Content-Type: application/json"]
  let password = PasswordCredentials(userName: "ada", password: Secret("correct horse"))

  /// A body as a JSON response.
  private func answer(_ status: Int, _ body: String) -> SocketServer.Step {
    SocketServer.answer("\(status) Status", Self.json, body: body)
  }

  private func product(
    _ server: SocketServer, _ contract: APIContract, _ account: APIAccountContract = APIAccountContract(),
    clock: any AuthenticationClock = SystemClock()
  ) throws -> AuthProviderConfiguration.Product {
    try AuthProviderConfiguration.api(baseURL: server.url("").absoluteString, contract: contract, account: account)
      .make(.init(httpClient: SystemHTTPClient(), clock: clock))
  }

  private func provider(_ server: SocketServer, _ contract: APIContract) throws -> any AccountProvider {
    try #require(try product(server, contract).provider as? any AccountProvider)
  }

  /// The first line of a request, and its body.
  private func line(_ request: String) -> String { String(request.prefix { $0 != "\r" && $0 != "\r\n" }) }
  private func body(_ request: String) -> String { request.components(separatedBy: "\r\n\r\n").last ?? "" }

  /// As the article describes it.
  private var tickets: APIContract {
    var contract = APIContract.standard
    contract.signInRequest = { _ in APIRequest(.get, "ticket") }
    contract.mapNextRequest = { response, credentials throws(AuthenticationError) in
      guard let ticket = response.value(at: "ticket")?.text, let typed = credentials as? PasswordCredentials else {
        return nil
      }
      return APIRequest(
        .post, "login", body: ["name": .string(typed.userName), "remember": true] as [String: JSONValue],
        secrets: ["password": typed.password, "proof.ticket": Secret(ticket)])
    }
    contract.mapTokens = APIContract.tokens(access: "token")
    contract.refreshing = .never
    contract.mapNamedUser = { ($0 as? PasswordCredentials).map { User(id: $0.userName) } }
    contract.userPath = nil
    contract.signOutEverywhereRequest = { _ in APIRequest(.delete, "sessions") }
    contract.codeMember = "problem.code"
    contract.waitMember = ("problem.wait", .seconds(1))
    contract.refusals = [APIRefusal(.invalidCredentials, at: "problem.code", is: 17)]
    contract.signUpRefusals = [APIRefusal(.accountExists, at: "problem.code", is: 17)]
    contract.refusesAccessToken = { $0.status == 401 || $0.status == 422 && $0.value(at: "problem.code") == 9 }
    return contract
  }

  @Test func `a sign-in of several requests ends with the user whose name was typed, and a token without an end`()
    async throws
  {
    try await SocketServer.run { request in
      [answer(200, request.hasPrefix("GET /ticket ") ? #"{"ticket":"t-1"}"# : #"{"token":"access-1"}"#)]
    } _: { server in
      let outcome = try await provider(server, tickets).signIn(with: password)
      guard case .session(let session) = outcome else { throw AuthenticationError.notSignedIn }
      #expect(session.user == User(id: "ada"))
      #expect(session.accessToken.expiresAt == nil)
      #expect(server.requests.map(line) == ["GET /ticket HTTP/1.1", "POST /login HTTP/1.1"])
      #expect(
        server.requests.last.map(body)
          == #"{"name":"ada","password":"correct horse","proof":{"ticket":"t-1"},"remember":true}"#)
    }
  }

  @Test func `a sign-in that leads from one request to the next without an end is broken off`() async throws {
    try await SocketServer.run(answer(200, #"{"ticket":"t-1"}"#)) { server in
      let provider = try provider(server, tickets)
      #expect(await failure { try await provider.signIn(with: password) } == .unexpectedResponse)
      #expect(server.requests.count == 8)
    }
  }

  @Test func `the same response refuses a sign-in and a sign-up by different names, with the backend's own code`()
    async throws
  {
    try await SocketServer.run(answer(400, #"{"error":"Forbidden","problem":{"code":17}}"#)) { server in
      let provider = try provider(server, tickets)
      let wrong = await failure { try await provider.signIn(with: password) }
      #expect(wrong == .invalidCredentials && wrong?.providerCode == "17")
      let taken = await failure { try await provider.signUp(with: password) }
      #expect(taken == .accountExists && taken?.providerCode == "17")
    }
  }

  @Test(arguments: [
    (#"{"error":"Unauthorized","problem":{"code":"no.such-thing"}}"#, "no.such-thing"),
    (#"{"error":"Unauthorized","problem":{"code":"A sentence."}}"#, nil), (#"{"error":"Unauthorized"}"#, nil),
  ])
  func `only the member that the contract names has the backend's code`(body: String, code: String?) async throws {
    try await SocketServer.run(answer(401, body)) { server in
      var contract = tickets
      contract.refreshing = .tokenInBody
      contract.endsSession = { $0.status == 401 }
      let product = try product(server, contract)
      let provider = try #require(product.provider as? any AccountProvider)
      let wrong = await failure { try await provider.signIn(with: password) }
      #expect(wrong == .invalidCredentials && wrong?.providerCode == code)
      let ended = await failure { try await provider.refresh(.sample(1, receivedAt: Date())) }
      #expect(ended == .sessionRejected && ended?.providerCode == code)
    }
    try await SocketServer.run(answer(403, body)) { server in
      let provider = try provider(server, tickets)
      for error in [
        await failure { try await provider.signIn(with: password) },
        await failure { try await provider.revoke(.sample(1, receivedAt: Date()), keepingOtherSessions: false) },
        await failure { try await provider.endSessions(otherThan: .sample(1, receivedAt: Date())) },
      ] { #expect(error == .unexpectedResponse && error?.providerCode == code) }
    }
  }

  @Test(arguments: [
    ("3", Duration.seconds(3)), ("\"2.5\"", .seconds(2.5)), ("1e300", .seconds(86_400)), ("-1", nil), ("\"soon\"", nil),
    ("{}", nil),
  ])
  func `a wait that only the body names reaches the caller`(wait: String, expected: Duration?) async throws {
    for status in [429, 503] {
      try await SocketServer.run(answer(status, #"{"problem":{"wait":\#(wait)}}"#)) { server in
        let provider = try provider(server, tickets)
        let error = await failure { try await provider.signIn(with: password) }
        let code: AuthenticationError = status == 429 ? .rateLimited : .serverFailed
        #expect(error == code && error?.retryAfter == expected)
      }
    }
  }

  @Test func `the wait of the field comes before that of the body`() async throws {
    let step = SocketServer.answer(
      "429 Status", Self.json + ["Retry-After: 7"], body: #"{"problem":{"wait":3}}"#)
    try await SocketServer.run(step) { server in
      let provider = try provider(server, tickets)
      #expect(await failure { try await provider.signIn(with: password) }?.retryAfter == .seconds(7))
    }
  }

  @Test func `all sessions of a user end by one request with the token`() async throws {
    try await SocketServer.run { request in
      [answer(200, request.hasPrefix("GET /ticket ") ? #"{"ticket":"t-1"}"# : #"{"token":"access-1"}"#)]
    } _: { server in
      let manager = AuthManager(
        provider: try product(server, tickets).provider, store: InMemoryStorage().sessionStore())
      try await manager.signIn(with: password)
      try await manager.signOut(scope: .everywhere)
      #expect(await manager.deliverRevocations() == [])
      #expect(
        server.requests.map(line).suffix(2) == ["DELETE /sessions HTTP/1.1", "POST /auth/sign-out HTTP/1.1"])
      let authorized = server.requests.suffix(2).filter { $0.lowercased().contains("authorization: bearer access-1") }
      #expect(authorized.count == 2)
    }
  }

  @Test func `a backend without such a request does not offer it`() async throws {
    try await SocketServer.run(answer(200, "{}")) { server in
      let provider = try provider(server, .standard)
      #expect(!provider.endsOtherSessions)
      #expect(await failure { try await provider.endSessions(otherThan: .sample(1, receivedAt: Date())) } != nil)
      #expect(server.requests.isEmpty)
    }
  }

  @Test(arguments: [422, 403]) func `an API that refuses an expired token by another status is asked once more`(
    status: Int
  ) async throws {
    try await SocketServer.run { request in
      let isExpired = request.lowercased().contains("bearer access-1")
      if line(request).contains("/api/") {
        return [isExpired ? answer(status, #"{"msg":"expired"}"#) : answer(200, "{}")]
      }
      let next = request.contains("refresh-1") ? 2 : 1
      return [answer(200, #"{"accessToken":"access-\#(next)","refreshToken":"refresh-\#(next)"}"#)]
    } _: { server in
      var contract = APIContract.standard
      contract.mapNamedUser = { ($0 as? PasswordCredentials).map { User(id: $0.userName) } }
      contract.refusesAccessToken = { $0.status == status && $0.value(at: "msg") == "expired" }
      let product = try product(server, contract)
      let manager = AuthManager(provider: product.provider, store: InMemoryStorage().sessionStore())
      try await manager.signIn(with: password)
      let client = try SystemHTTPClient()
        .authorized(by: manager, for: product.allowedOrigins, refusesToken: product.refusesToken)
      let response = try await client.send(HTTPRequest(.post, server.url("/api/notes"), body: Data("{}".utf8)))
      #expect(response.status == 200)
      #expect(
        server.requests.map(line) == [
          "POST /auth HTTP/1.1", "POST /api/notes HTTP/1.1", "POST /auth/refresh HTTP/1.1",
          "POST /api/notes HTTP/1.1",
        ])
    }
  }

  // MARK: Handles

  /// Contracts that write the request into the handle: all of it, or a part that they forget to clear.
  static let leaks: [@Sendable (PasswordCredentials) -> Secret] = [
    { ChallengeHandle("mfa", ["identity": $0.userName, "passwordConfirm": $0.password.reveal()]).secret },
    { $0.password }, { Secret(#"{"body":"{\"password\":\"\#($0.password.reveal())\"}"}"#) },
  ]

  @Test(arguments: leaks) func `no file holds the password, whatever a contract writes into a handle`(
    leak: @escaping @Sendable (PasswordCredentials) -> Secret
  ) async throws {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try await SocketServer.run(answer(401, #"{"mfaId":"m-1"}"#)) { server in
      var contract = APIContract.standard
      contract.mapSignInStep = { _, credentials throws(AuthenticationError) in
        (credentials as? PasswordCredentials).map { Challenge(kind: .emailCode, handle: leak($0)) }
      }
      let configuration = AuthProviderConfiguration.api(baseURL: server.url("").absoluteString, contract: contract)
      let storage = FileStorage(folder: folder.url)
      let manager = AuthManager(
        provider: try product(server, contract).provider, store: InMemoryStorage().sessionStore())
      let attempts = SignInAttempts(
        [.password], useCase: manager, manager: manager, pending: storage.pendingSignIns(of: "notes"))
      let attempt = try attempts.begin(.password)
      attempt.submit(SignInInput([.userName: "ada", .password: "correct horse"]))
      #expect(await attempt.finished().challenge?.kind == .emailCode)
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).compactMap {
        FileManager.default.contents(atPath: folder.url.appending(path: $0).path)
      }
      #expect(files.allSatisfy { $0.firstRange(of: Data("correct".utf8)) == nil })
      let account = LiveAccount(password, wrong: password, secrets: [])
      let violations = await ProviderConformance.violations(of: configuration, at: account)
      #expect(violations.map(\.rule).contains(.handles))
    }
  }

  @Test func `a step of the article's shape is kept, and its handle holds no password`() async throws {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try await SocketServer.run(answer(401, #"{"mfaId":"m-1"}"#)) { server in
      var contract = APIContract.standard
      contract.signInRequest = { request throws(AuthenticationError) in
        guard let typed = request.credentials as? PasswordCredentials else { return nil }
        return APIRequest(.post, "login", body: ["name": typed.userName], secrets: ["password": typed.password])
      }
      contract.mapSignInStep = { response, credentials throws(AuthenticationError) in
        let fields = ["name": (credentials as? PasswordCredentials)?.userName, "id": response.value(at: "mfaId")?.text]
        return Challenge(kind: .emailCode, handle: ChallengeHandle("mfa", fields).secret)
      }
      let storage = FileStorage(folder: folder.url)
      let manager = AuthManager(
        provider: try product(server, contract).provider, store: InMemoryStorage().sessionStore())
      let attempts = SignInAttempts(
        [.password], useCase: manager, manager: manager, pending: storage.pendingSignIns(of: "notes"))
      let attempt = try attempts.begin(.password)
      attempt.submit(SignInInput([.userName: "ada", .password: "correct horse"]))
      #expect(await attempt.finished().challenge?.kind == .emailCode)
      #expect(await storage.pendingSignIns(of: "notes").pending()?.challenge.handle == attempt.state.challenge?.handle)
      #expect(server.requests.map(body) == [#"{"name":"ada","password":"correct horse"}"#])
    }
  }
}
