import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// The whole road over real HTTP: the root as an app composes it, a real server, real files.
@Suite(.serialized) struct SessionOverHTTPTests {
  let clock = TravelClock()
  let server: LoopbackIdentityServer
  let folder: TemporaryFolder
  let url: URL

  init() async throws {
    server = LoopbackIdentityServer(options: .init(accessTokenLifetime: .seconds(600)), clock: clock)
    folder = TemporaryFolder()
    url = try await server.start()
  }

  private func launch() throws -> MainRoot {
    // Patient, since hundreds of tests share the machine.
    let transport = try SystemHTTPClient(deadline: .seconds(300))
    return try MainRoot(.api(baseURL: url)) {
      $0.storage = .files(in: folder.url)
      $0.providerTransport = transport
      $0.apiTransport = transport
      $0.clock = clock
      $0.backoff = Backoff { 0 }
    }
  }

  private func signedIn(as name: String = "ada", password: String = "correct horse") async throws -> MainRoot {
    let root = try launch()
    try await root.useCase.login(username: name, password: password)
    return root
  }

  private var notes: HTTPRequest { HTTPRequest(.get, url.appending(path: "api/notes")) }

  // origin A1, A2, A3: fetch a token, fetch the user, map both, store.
  @Test func `signing in fetches a token, then the user, and stores both`() async throws {
    let root = try launch()
    let user = try await root.useCase.login(username: "ada", password: "correct horse")
    #expect(user == User(id: "ada", name: "Ada Lovelace", email: "ada@example.com", isNew: false))
    #expect(server.counters.requests(on: .signIn) == 1)
    #expect(server.counters.requests(on: .user) == 1)
    #expect(server.requests(on: .signIn).first?.body == Data(#"{"password":"correct horse","username":"ada"}"#.utf8))
  }

  // origin B9, B1, B3
  @Test func `signed in, killed, opened again: still signed in, without a request`() async throws {
    _ = try await signedIn()
    server.resetCounters()
    let reopened = try launch()
    #expect(await reopened.manager.restore().user?.id == "ada")
    #expect(LoopbackIdentityServer.Endpoint.allCases.allSatisfy { server.counters.requests(on: $0) == 0 })
  }

  // origin B9
  @Test func `an API call is never sent with a stale token`() async throws {
    let root = try await signedIn()
    clock.travel(.seconds(600))
    #expect(try await root.apiClient.send(notes).status == 200)
    #expect(server.counters.resourceCallsUnauthorized == 0)
    #expect(server.counters.requests(on: .refresh) == 1)
  }

  @Test func `a token the server took back is refreshed, and the call is answered`() async throws {
    let root = try await signedIn()
    server.revokeAllAccessTokens()
    #expect(try await root.apiClient.send(notes).status == 200)
    #expect(server.counters.requests(on: .notes) == 2)
    #expect(server.counters.requests(on: .refresh) == 1)
  }

  // failure row 18
  @Test(arguments: [
    LoopbackIdentityServer.Fault.html, .empty, .huge(), .truncatedJSON, .status(503), .status(429, retryAfter: 1),
    .status(404), .status(500), .basicChallenge, .dropAfterProcessing,
    .redirect(to: URL(string: "http://127.0.0.1:1/")!),
  ])
  func `whatever a broken server answers to a refresh, the session is kept`(
    fault: LoopbackIdentityServer.Fault
  ) async throws {
    let root = try await signedIn()
    let stored = try storedSession()
    clock.travel(.seconds(600))
    server.set(fault, on: .refresh)
    await #expect(throws: AuthenticationError.self) { try await root.apiClient.send(notes) }
    #expect(root.manager.state.activeSession?.freshness == .stale)
    #expect(try storedSession() == stored)
    #expect(await (try launch()).manager.restore().user?.id == "ada")
  }

  // failure row 24
  @Test(arguments: [
    LoopbackIdentityServer.Fault.expiresIn("\"600\""), .expiresIn(nil), .expiresIn("1e308"), .expiresIn("-1"),
    .expiresIn("0"), .expiresIn("\"soon\""), .setCookie,
  ])
  func `an unusual but good answer to a refresh is taken`(fault: LoopbackIdentityServer.Fault) async throws {
    let root = try await signedIn()
    clock.travel(.seconds(600))
    server.set(fault, on: .refresh)
    #expect(try await root.apiClient.send(notes).status == 200)
    #expect(server.requests(on: .notes).last?.header("Cookie") == nil)
  }

  @Test(arguments: [
    LoopbackIdentityServer.Fault.html, .empty, .huge(), .truncatedJSON, .status(503), .basicChallenge,
    .dropAfterProcessing, .expiresIn("1e308"), .expiresIn("\"soon\""),
  ])
  func `a broken answer to another sign-in keeps the session that existed`(
    fault: LoopbackIdentityServer.Fault
  ) async throws {
    let root = try await signedIn()
    server.set(fault, on: .signIn)
    await #expect(throws: AuthenticationError.self) {
      try await root.useCase.login(username: "grace", password: "battery staple")
    }
    #expect(root.currentUser?.id == "ada")
    #expect(try await root.apiClient.send(notes).status == 200)
  }

  @Test(
    arguments: [
      (.status(500), .user, .serverFailed), (.expiresIn("-1"), .signIn, .unexpectedResponse),
    ] as [(LoopbackIdentityServer.Fault, LoopbackIdentityServer.Endpoint, AuthenticationError)])
  func `a sign-in that fails after its tokens were granted leaves none behind at the server`(
    fault: LoopbackIdentityServer.Fault, endpoint: LoopbackIdentityServer.Endpoint, code: AuthenticationError
  ) async throws {
    server.set(fault, on: endpoint)
    await #expect(throws: AuthenticationError(code, "")) { try await signedIn() }
    #expect(server.counters.liveFamilies == 0)
  }

  // origin B2, B4
  @Test func `a family the server revoked signs out, at the next refresh and in words`() async throws {
    let root = try await signedIn()
    #expect(try await root.manager.isValid())
    server.revokeFamilies(ofUser: "ada")
    #expect(try await root.manager.isValid() == false)
    #expect(root.manager.state == .signedOut(.rejected))
    #expect(await (try launch()).manager.restore() == .signedOut(.rejected))
  }

  // origin B4: offline is not "no".
  @Test func `asking whether a session is valid while offline is an outage, not a no`() async throws {
    let root = try await signedIn()
    await server.stop()
    await #expect(throws: AuthenticationError(.unreachable, "")) { try await root.manager.isValid() }
    #expect(try await root.manager.isAuthenticated())
  }

  // origin B2
  @Test func `a new account is signed in at once, and a name that is taken is refused`() async throws {
    let root = try launch()
    let user = try await root.useCase.signUp(with: .password(userName: "edith", password: Secret("clarke")))
    #expect(user.id == "edith")
    #expect(user.isNew)
    await #expect(throws: AuthenticationError(.signUpRefused, "")) {
      try await root.useCase.signUp(with: .password(userName: "ada", password: Secret("x")))
    }
    #expect(root.currentUser?.id == "edith")
  }

  // origin B4: the fault was a runtime session that outlived the cache, and a remote that was never told.
  @Test func `signing out ends the session here, on disk and at the server`() async throws {
    let root = try await signedIn()
    try await root.manager.signOut()
    #expect(root.currentUser == nil)
    await root.manager.deliverRevocations()
    #expect(server.counters.tokensAlive == 0)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    // The names of events are no session.
    let texts = try files.filter { !$0.contains("events.") }.map {
      String(decoding: try Data(contentsOf: folder.url.appending(path: $0)), as: UTF8.self)
    }
    #expect(texts.allSatisfy { !$0.contains("access") && !$0.contains("refresh") && !$0.contains("user") })
    await #expect(throws: AuthenticationError.notSignedIn) { try await root.apiClient.send(notes) }
  }

  @Test func `a step that needs another scope is told as such, and refreshes nothing`() async throws {
    let root = try await signedIn()
    let error = await #expect(throws: AuthenticationError.self) {
      try await root.apiClient.send(HTTPRequest(.get, url.appending(path: "api/admin")))
    }
    #expect(error == .insufficientScope)
    #expect(error?.requiredScopes == ["admin"])
    #expect(server.counters.requests(on: .refresh) == 0)
  }

  private func storedSession() throws -> AuthSession? {
    try StorageLocation.files(in: folder.url).realm("api \(url.absoluteString)").store.read()?.session
  }
}
