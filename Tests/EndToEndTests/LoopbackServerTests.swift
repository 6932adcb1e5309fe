#if Tools
import AuthenticationDomain
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct IdentityLedgerTests {
  private typealias Options = LoopbackIdentityServer.Options
  private let start = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func `a refresh spends its token and answers another`() throws {
    var ledger = IdentityLedger()
    let first = try ledger.signIn(username: "ada", password: "correct horse", at: start)
    let second = try ledger.refresh(first.refreshToken, at: start)
    #expect(second.refreshToken != first.refreshToken)
    #expect(ledger.owner(ofAccessToken: first.accessToken, at: start) != nil)
    #expect(ledger.owner(ofAccessToken: second.accessToken, at: start)?.account == .ada)
    #expect(ledger.liveFamilies == 1)
    #expect(ledger.tokensAlive(at: start) == 3)
  }

  @Test func `using a spent token ends its family and no other`() throws {
    var ledger = IdentityLedger()
    let other = try ledger.signIn(username: "ada", password: "correct horse", at: start)
    let first = try ledger.signIn(username: "ada", password: "correct horse", at: start)
    let second = try ledger.refresh(first.refreshToken, at: start)
    #expect(throws: IdentityRefusal.reusedGrant) { try ledger.refresh(first.refreshToken, at: start) }
    #expect(throws: IdentityRefusal.unknownGrant) { try ledger.refresh(second.refreshToken, at: start) }
    #expect(ledger.owner(ofAccessToken: second.accessToken, at: start) == nil)
    #expect(ledger.owner(ofAccessToken: other.accessToken, at: start) != nil)
    #expect(ledger.liveFamilies == 1)
    #expect(ledger.tokensAlive(at: start) == 2)
  }

  @Test func `a spent token refreshes its family until its grace is over`() throws {
    var ledger = IdentityLedger(options: Options(reuseGrace: .seconds(10)))
    let first = try ledger.signIn(username: "ada", password: "correct horse", at: start)
    let second = try ledger.refresh(first.refreshToken, at: start)
    let again = try ledger.refresh(first.refreshToken, at: start + 9)
    #expect(again.refreshToken != second.refreshToken)
    #expect(throws: IdentityRefusal.reusedGrant) { try ledger.refresh(first.refreshToken, at: start + 10) }
    #expect(throws: IdentityRefusal.unknownGrant) { try ledger.refresh(again.refreshToken, at: start + 10) }
  }

  @Test func `without rotation the refresh token stays the same`() throws {
    var ledger = IdentityLedger(options: Options(rotatesRefreshTokens: false))
    let first = try ledger.signIn(username: "ada", password: "correct horse", at: start)
    for _ in 0..<2 {
      let next = try ledger.refresh(first.refreshToken, at: start)
      #expect(next.refreshToken == first.refreshToken)
      #expect(next.accessToken != first.accessToken)
    }
  }

  @Test func `an access token expires at the end of its lifetime`() throws {
    var ledger = IdentityLedger(options: Options(accessTokenLifetime: .seconds(60)))
    let grant = try ledger.signIn(username: "ada", password: "correct horse", at: start)
    #expect(ledger.owner(ofAccessToken: grant.accessToken, at: start + 59) != nil)
    #expect(ledger.owner(ofAccessToken: grant.accessToken, at: start + 60) == nil)
    #expect(ledger.tokensAlive(at: start + 60) == 1)
  }

  @Test(arguments: [true, false])
  func `either token signs out, and nothing of the family stays alive`(byRefreshToken: Bool) throws {
    var ledger = IdentityLedger()
    let grant = try ledger.signIn(username: "ada", password: "correct horse", at: start)
    ledger.signOut(
      refreshToken: byRefreshToken ? grant.refreshToken : nil, accessToken: byRefreshToken ? nil : grant.accessToken)
    #expect(ledger.tokensAlive(at: start) == 0)
    #expect(ledger.liveFamilies == 0)
  }

  @Test func `a new user is new until the second sign-in`() throws {
    var ledger = IdentityLedger()
    let first = try ledger.signIn(username: "grace", password: "battery staple", at: start)
    let second = try ledger.signIn(username: "grace", password: "battery staple", at: start + 5)
    let seenByFirst = try #require(ledger.owner(ofAccessToken: first.accessToken, at: start + 5))
    let seenBySecond = try #require(ledger.owner(ofAccessToken: second.accessToken, at: start + 5))
    #expect(seenByFirst.lastAuthenticated == nil)
    #expect(seenBySecond.lastAuthenticated == start)
  }

  @Test func `tokens are 256 bits that never repeat`() throws {
    var ledger = IdentityLedger()
    let grants = try (0..<50).map { _ in try ledger.signIn(username: "ada", password: "correct horse", at: start) }
    let tokens = grants.flatMap { [$0.accessToken, $0.idToken, $0.refreshToken] }
    #expect(Set(tokens).count == 150)
    #expect(tokens.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil })
  }
}

@Suite(.serialized, .timeLimit(.minutes(10))) struct LoopbackServerTests {
  private let clock = ManualClock()

  @Test func `signing in answers tokens, and the user behind them`() async throws {
    try await withServer { server, client async throws in
      let tokens = try await client.signIn()
      #expect(tokens.expiresIn == 60)
      let user = try await client.get("user", bearer: tokens.accessToken)
      let text = """
        {"email":"ada@example.com","lastAuthenticated":"2025-06-15T15:06:40Z",\
        "name":{"firstName":"Ada","lastName":"Lovelace"},"username":"ada"}
        """
      #expect(user.status == 200)
      #expect(user.text == text)
      #expect(user.header("Connection") == "close")
      #expect(user.header("Content-Type") == "application/json")
      #expect(server.counters.signIns == 1)
    }
  }

  @Test func `a new user's last sign-in is null, not absent`() async throws {
    try await withServer { _, client async throws in
      let tokens = try await client.signIn(.grace)
      #expect(try await client.get("user", bearer: tokens.accessToken).text.contains("\"lastAuthenticated\":null"))
      #expect(try await client.get("user", bearer: tokens.accessToken).text.contains("\"lastAuthenticated\":null"))
    }
  }

  @Test(arguments: [
    ("auth", #"{"username":"ada","password":"wrong"}"#, 401, "invalid_credentials"),
    ("auth", #"{"username":"unknown","password":"correct horse"}"#, 401, "invalid_credentials"),
    ("auth", #"{"username":"ada"}"#, 400, "invalid_request"),
    ("auth", "ada", 400, "invalid_request"),
    ("auth/refresh", #"{"refreshToken":"unknown"}"#, 401, "invalid_grant"),
    ("auth/refresh", "{}", 400, "invalid_request"),
    ("auth/sign-up", #"{"username":"ada","password":"mine now"}"#, 409, "username_taken"),
    ("user", "{}", 405, "method_not_allowed"),
    ("auth/", "{}", 404, "not_found"),
  ])
  func `a request it cannot grant is refused with a code`(
    path: String, body: String, status: Int, code: String
  ) async throws {
    try await withServer { _, client async throws in
      let answer = try await client.post(path, body)
      #expect(answer.status == status)
      #expect(answer.text == #"{"error":"\#(code)"}"#)
    }
  }

  @Test func `a user who signs up is signed in, and can sign in again`() async throws {
    try await withServer { server, client async throws in
      let answer = try await client.post("auth/sign-up", #"{"username":"alan","password":"enigma"}"#)
      #expect(answer.status == 201)
      #expect(try answer.tokens().refreshToken.isEmpty == false)
      _ = try await client.signIn(.init(username: "alan", password: "enigma"))
      #expect(server.counters.signUps == 1)
      #expect(server.counters.liveFamilies == 2)
    }
  }

  @Test(arguments: [#"{"refreshToken":"unknown"}"#, "{}", "", "nonsense"])
  func `signing out always succeeds`(body: String) async throws {
    try await withServer { server, client async throws in
      #expect(try await client.post("auth/sign-out", body).status == 204)
      #expect(server.counters.signOuts == 1)
    }
  }

  @Test func `signing out ends the family`() async throws {
    try await withServer { server, client async throws in
      let tokens = try await client.signIn()
      _ = try await client.post("auth/sign-out", #"{"refreshToken":"\#(tokens.refreshToken)"}"#)
      #expect(try await client.refresh(tokens.refreshToken).status == 401)
      #expect(try await client.get("user", bearer: tokens.accessToken).status == 401)
      #expect(server.counters.tokensAlive == 0)
    }
  }

  @Test func `the protected API lets a bearer in until the token expires`() async throws {
    try await withServer { server, client async throws in
      let token = try await client.signIn().accessToken
      #expect(try await client.get("api/notes", bearer: token).text.contains("Ada"))
      #expect(try await client.post("api/notes", "{}", bearer: token).status == 201)
      let admin = try await client.get("api/admin", bearer: token)
      #expect(admin.status == 403)
      #expect(admin.header("WWW-Authenticate") == #"Bearer error="insufficient_scope", scope="admin""#)
      clock.advance(by: 60)
      let expired = try await client.get("api/notes", bearer: token)
      #expect(expired.status == 401)
      #expect(expired.header("WWW-Authenticate") == #"Bearer error="invalid_token""#)
      #expect(try await client.get("api/notes").status == 401)
      #expect(server.counters.resourceCallsAnswered == 2)
      #expect(server.counters.resourceCallsUnauthorized == 2)
    }
  }

  @Test func `revoked access tokens can still be refreshed, revoked families cannot`() async throws {
    try await withServer { server, client async throws in
      let first = try await client.signIn()
      server.revokeAllAccessTokens()
      #expect(try await client.get("api/notes", bearer: first.accessToken).status == 401)
      let second = try await client.refresh(first.refreshToken).tokens()
      #expect(try await client.get("api/notes", bearer: second.accessToken).status == 200)
      server.revokeFamilies(ofUser: "ada")
      #expect(try await client.refresh(second.refreshToken).text == #"{"error":"invalid_grant"}"#)
      #expect(server.counters.familiesRevoked == 1)
    }
  }

  @Test func `reusing a refresh token is detected and counted`() async throws {
    try await withServer { server, client async throws in
      let first = try await client.signIn()
      let second = try await client.refresh(first.refreshToken).tokens()
      #expect(try await client.refresh(first.refreshToken).text == #"{"error":"invalid_grant"}"#)
      #expect(try await client.refresh(second.refreshToken).status == 401)
      let counters = server.counters
      #expect(counters.refreshesGranted == 1)
      #expect(counters.refreshesRefused == 2)
      #expect(counters.reusesDetected == 1)
      #expect(counters.familiesRevoked == 1)
      #expect(counters.liveFamilies == 0)
    }
  }

  @Test func `a held answer waits, though its request has been processed`() async throws {
    try await withServer { server, client async throws in
      let tokens = try await client.signIn()
      server.hold(.refresh)
      async let answer = client.refresh(tokens.refreshToken)
      await server.waitForRequest(on: .refresh, count: 1)
      #expect(server.counters.refreshesGranted == 1)
      _ = try await client.post("auth/sign-out", #"{"refreshToken":"\#(tokens.refreshToken)"}"#)
      server.release(.refresh)
      let late = try await answer.tokens()
      #expect(try await client.refresh(late.refreshToken).status == 401)
      #expect(server.counters.tokensAlive == 0)
    }
  }

  @Test func `waiting for requests ends with the task`() async {
    let server = LoopbackIdentityServer()
    let waiting = Task { await server.waitForRequest(on: .refresh, count: 1) }
    waiting.cancel()
    await waiting.value
  }

  @Test func `a stopped server refuses connections, and comes back with all it knew`() async throws {
    try await withServer { server, client async throws in
      let tokens = try await client.signIn()
      let port = try #require(server.baseURL?.port)
      await server.stop()
      await #expect(throws: URLError.self) { try await client.refresh(tokens.refreshToken) }
      try await server.start(port: UInt16(port))
      #expect(try await client.get("user", bearer: tokens.accessToken).status == 200)
      #expect(try await client.refresh(tokens.refreshToken).status == 200)
    }
  }

  @Test func `a port that is in use is named, and starting twice is refused`() async throws {
    try await withServer { server, _ async throws in
      let port = UInt16(try #require(server.baseURL?.port))
      let late = LoopbackIdentityServer()
      await #expect(throws: LoopbackServerError.portInUse(port)) { try await late.start(port: port) }
      await #expect(throws: LoopbackServerError.alreadyStarted) { try await server.start() }
      try await late.start()
      await late.stop()
    }
  }

  @Test func `it remembers the last hundred requests as they were`() async throws {
    try await withServer { server, client async throws in
      let tokens = try await client.signIn()
      for _ in 0..<101 { _ = try await client.get("user?page=2", bearer: tokens.accessToken) }
      let request = try #require(server.requests(on: .user).last)
      #expect(request.method == "GET")
      #expect(request.path == "/user")
      #expect(request.query == "page=2")
      #expect(request.header("AUTHORIZATION") == "Bearer \(tokens.accessToken)")
      #expect(server.requests(on: .user).count == 100)
      #expect(server.counters.requests(on: .user) == 101)
      #expect(server.requests(on: .signIn).map(\.body) == [Data(Client.signInBody(.ada).utf8)])
      server.resetCounters()
      #expect(server.requests(on: .user).isEmpty)
      #expect(server.counters.requests(on: .user) == 0)
      #expect(server.counters.liveFamilies == 1)
    }
  }

  @Test(arguments: [LoopbackIdentityServer.Fault.hang, .dropAfterProcessing, .status(200)])
  func `a server stops while an answer is kept back, and cuts the connection`(
    fault: LoopbackIdentityServer.Fault
  ) async throws {
    try await withServer { server, client async throws in
      server.set(fault, on: .signIn)
      server.hold(.signIn)
      let asking = Task { try await client.signIn() }
      await server.waitForRequest(on: .signIn, count: 1)
      await server.stop()
      await #expect(throws: URLError.self) { try await asking.value }
    }
  }

  private func withServer(
    _ body: (LoopbackIdentityServer, Client) async throws -> Void
  ) async throws {
    let server = LoopbackIdentityServer(clock: clock)
    let client = Client(baseURL: try await server.start())
    do {
      try await body(server, client)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }
}

@Suite(.serialized, .timeLimit(.minutes(10))) struct LoopbackServerFaultTests {
  @Test(arguments: [
    (LoopbackIdentityServer.Fault.status(503, retryAfter: 7), 503, #"{"error":"fault"}"#),
    (.status(204), 204, ""), (.empty, 200, ""), (.redirect(to: URL(filePath: "/"), status: 300), 300, ""),
  ])
  func `a fault that stands in for the server leaves the token unspent`(
    fault: LoopbackIdentityServer.Fault, status: Int, text: String
  ) async throws {
    try await withFault(fault, on: .refresh) { server, client, tokens async throws in
      let answer = try await client.refresh(tokens.refreshToken)
      #expect(answer.status == status)
      #expect(answer.text == text)
      #expect(answer.header("Retry-After") == (status == 503 ? "7" : nil))
      server.set(nil, on: .refresh)
      #expect(try await client.refresh(tokens.refreshToken).status == 200)
    }
  }

  @Test func `a hanging request is cut when the fault is cleared, unprocessed`() async throws {
    try await withFault(.hang, on: .refresh) { server, client, tokens async throws in
      let asking = Task { try await client.refresh(tokens.refreshToken) }
      await server.waitForRequest(on: .refresh, count: 1)
      server.set(nil, on: .refresh)
      await #expect(throws: URLError.self) { try await asking.value }
      #expect(try await client.refresh(tokens.refreshToken).status == 200)
    }
  }

  @Test func `a dropped answer has spent the token`() async throws {
    try await withFault(.dropAfterProcessing, on: .refresh) { server, client, tokens async throws in
      await #expect(throws: URLError.self) { try await client.refresh(tokens.refreshToken) }
      #expect(server.counters.refreshesGranted == 1)
      server.set(nil, on: .refresh)
      #expect(try await client.refresh(tokens.refreshToken).status == 401)
    }
  }

  @Test func `broken JSON is half of the real answer`() async throws {
    try await withFault(.truncatedJSON, on: .refresh) { server, client, tokens async throws in
      let answer = try await client.refresh(tokens.refreshToken)
      #expect(answer.status == 200)
      #expect(answer.text.hasPrefix(#"{"accessToken":"#))
      #expect(throws: DecodingError.self) { try answer.tokens() }
      #expect(server.counters.refreshesGranted == 1)
    }
  }

  @Test func `a portal's page is not JSON`() async throws {
    try await withFault(.html, on: .notes) { _, client, _ async throws in
      let answer = try await client.get("api/notes")
      #expect(answer.header("Content-Type")?.hasPrefix("text/html") == true)
      #expect(answer.text.hasPrefix("<!doctype html>"))
    }
  }

  @Test func `a huge answer has the size it was asked for`() async throws {
    try await withFault(.huge(bytes: 10_000_000), on: .notes) { _, client, _ async throws in
      #expect(try await client.get("api/notes").body.count == 10_000_000)
    }
  }

  @Test func `a redirect fault redirects, and a cookie fault sets a cookie`() async throws {
    try await withFault(.setCookie, on: .notes) { server, client, tokens async throws in
      let answer = try await client.get("api/notes", bearer: tokens.accessToken)
      #expect(answer.status == 200)
      #expect(answer.header("Set-Cookie")?.hasPrefix("loopback=") == true)
      server.set(.redirect(to: client.baseURL.appending(path: "nowhere"), status: 302), on: .notes)
      #expect(try await client.get("api/notes", bearer: tokens.accessToken).status == 404)
    }
  }

  @Test(arguments: ["1e308", "-1", "\"60\"", nil] as [String?])
  func `the lifetime can be any JSON, or missing`(text: String?) async throws {
    try await withFault(.expiresIn(text), on: .refresh) { _, client, tokens async throws in
      let answer = try await client.refresh(tokens.refreshToken).text
      #expect(answer.hasSuffix(text.map { "\"expiresIn\":\($0)}" } ?? "\"}"))
    }
  }

  @Test func `a slow answer comes all the same`() async throws {
    try await withFault(.slow(.milliseconds(1)), on: .refresh) { _, client, tokens async throws in
      #expect(try await client.refresh(tokens.refreshToken).status == 200)
    }
  }

  private func withFault(
    _ fault: LoopbackIdentityServer.Fault, on endpoint: LoopbackIdentityServer.Endpoint,
    _ body: (LoopbackIdentityServer, Client, Tokens) async throws -> Void
  ) async throws {
    let server = LoopbackIdentityServer()
    let client = Client(baseURL: try await server.start())
    do {
      let tokens = try await client.signIn()
      server.set(fault, on: endpoint)
      try await body(server, client, tokens)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }
}

private struct Tokens: Decodable {
  let accessToken: String
  let idToken: String
  let refreshToken: String
  let expiresIn: Double?
}

private struct Client: Sendable {
  struct Answer: Sendable {
    let status: Int
    let response: HTTPURLResponse
    let body: Data

    var text: String { String(bytes: body, encoding: .utf8) ?? "not UTF-8" }

    func header(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
    func tokens() throws -> Tokens { try JSONDecoder().decode(Tokens.self, from: body) }
  }

  let baseURL: URL
  private let session = URLSession(configuration: .ephemeral)

  init(baseURL: URL) {
    self.baseURL = baseURL
  }

  static func signInBody(_ account: LoopbackIdentityServer.Account) -> String {
    #"{"username":"\#(account.username)","password":"\#(account.password)"}"#
  }

  func signIn(_ account: LoopbackIdentityServer.Account = .ada) async throws -> Tokens {
    try await post("auth", Self.signInBody(account)).tokens()
  }

  func refresh(_ token: String) async throws -> Answer {
    try await post("auth/refresh", #"{"refreshToken":"\#(token)"}"#)
  }

  func post(_ path: String, _ body: String, bearer: String? = nil) async throws -> Answer {
    try await send("POST", path, body, bearer: bearer)
  }

  func get(_ path: String, bearer: String? = nil) async throws -> Answer {
    try await send("GET", path, nil, bearer: bearer)
  }

  private func send(_ method: String, _ path: String, _ body: String?, bearer: String?) async throws -> Answer {
    var request = URLRequest(url: try #require(URL(string: "\(baseURL)/\(path)")))
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    request.setValue("close", forHTTPHeaderField: "Connection")
    if let bearer { request.setValue("Bearer \(bearer)", forHTTPHeaderField: "Authorization") }
    let (data, response) = try await session.data(for: request)
    let http = try #require(response as? HTTPURLResponse)
    return Answer(status: http.statusCode, response: http, body: data)
  }
}

private final class ManualClock: AuthenticationClock {
  private let date = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

  var now: Date { date.withLock { $0 } }
  var uptime: Duration { .zero }

  func advance(by seconds: TimeInterval) {
    date.withLock { $0 += seconds }
  }

  func sleep(for duration: Duration) async throws(CancellationError) {
    throw CancellationError()
  }
}
#endif
