import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@Suite(.serialized) struct AuthCTLTests {
  let authctl: AuthCTL
  /// Its access tokens last longer than any test takes.
  let server = LoopbackIdentityServer(options: .init(accessTokenLifetime: .seconds(3_600)))
  let url: URL

  init() async throws {
    authctl = try AuthCTL()
    url = try await server.start()
  }

  @Test func `a user logs in, calls an API, and logs out, and nothing is left`() async throws {
    let login = try await authctl.login(url)
    #expect(login.status == 0)
    let event = try #require(try login.events().last)
    #expect(event["event"] == "signed_in")
    #expect(event["storage"] == "file")
    #expect(login.out.contains(#""user":{"email":"ada@example.com","id":"ada","name":"Ada Lovelace"}"#))

    let status = try await authctl.run("status", "--json")
    #expect(status.status == 0)
    #expect(try status.events().first?["state"] == "signed_in")

    let token = try await authctl.run("token")
    #expect(token.status == 0)
    #expect(token.err.isEmpty)
    #expect(token.out.hasSuffix("\n") && !token.out.dropLast().contains(where: \.isWhitespace))
    #expect(server.counters.requests(on: .refresh) == 0)

    let notes = try await authctl.run("request", url.absoluteString + "/api/notes")
    #expect(notes.status == 0)
    #expect(server.requests(on: .notes).last?.header("Authorization") == "Bearer \(token.out.dropLast())")

    let logout = try await authctl.run("logout")
    #expect(logout.status == 0)
    #expect(logout.out.isEmpty)
    #expect(server.counters.liveFamilies == 0)
    #expect(try authctl.store(url).read()?.holdsNothing != false)
    #expect(try await authctl.run("status").status == 3)
    #expect(try await authctl.run("token").status == 3)
  }

  @Test func `the header field of a token is for a command that reads it from its input`() async throws {
    _ = try await authctl.login(url)
    let token = try await authctl.run("token").out
    #expect(try await authctl.run("token", "--format", "header").out == "Authorization: Bearer \(token)")
    #expect(try await authctl.run("token", "--format", "plain").out == token)
    #expect(try await authctl.run("token", "--format", "header", "--json").status == 64)
  }

  @Test func `a body comes from standard input or a file, as for curl`() async throws {
    _ = try await authctl.login(url)
    let notes = url.absoluteString + "/api/notes"
    _ = try await authctl.run("request", "-d", "@-", notes, input: "a=1\r\n&b=\u{0}2\n")
    #expect(server.requests(on: .notes).last.map { String(decoding: $0.body, as: UTF8.self) } == "a=1&b=2")
    #expect(server.requests(on: .notes).last?.method == "POST")
    let file = TemporaryFolder()
    try Data("ä\n".utf8).write(to: file.url.appending(path: "body"))
    _ = try await authctl.run("request", "-X", "PUT", "-d", "@" + file.url.appending(path: "body").path, notes)
    #expect(server.requests(on: .notes).last.map { String(decoding: $0.body, as: UTF8.self) } == "ä")
    let count = server.requests(on: .notes).count
    let missing = try await authctl.run("request", "-d", "@/nowhere/body", notes)
    #expect(missing.status == 64 && missing.err.contains("'/nowhere/body'"))
    #expect(server.requests(on: .notes).count == count)
  }

  @Test func `a second logout says that no user was signed in, and tells the provider nothing`() async throws {
    _ = try await authctl.login(url)
    let first = try await authctl.run("logout")
    #expect(first.err == "Signed out here and at the provider.\n")
    server.resetCounters()
    let second = try await authctl.run("logout")
    #expect(second.status == 0)
    #expect(second.err == "Nobody was signed in.\n")
    #expect(server.counters.requests(on: .signOut) == 0)
  }

  @Test func `status makes no network call`() async throws {
    _ = try await authctl.login(url)
    try authctl.ageStoredSession(url)
    server.resetCounters()
    #expect(try await authctl.run("status").status == 0)
    #expect(LoopbackIdentityServer.Endpoint.allCases.map { server.counters.requests(on: $0) }.allSatisfy { $0 == 0 })
  }

  @Test func `status tells a session that was lost from one that never was`() async throws {
    _ = try await authctl.login(url)
    try authctl.store(url).save(SessionRecord(formerUser: .ada))
    let status = try await authctl.run("status", "--json")
    #expect(status.status == 3)
    #expect(try status.events().map { $0["reason"] } == ["ambiguous_loss"])
    #expect(status.err.contains("no longer accepts this session. Log in again."), "\(status.err)")
  }

  @Test func `a wrong password is exit 4 and stores nothing`() async throws {
    let login = try await authctl.login(url, password: "wrong")
    #expect(login.status == 4)
    #expect(try login.events().last?["code"] == "invalid_credentials")
    #expect(login.err.split(separator: "\n").count == 1)
    #expect(try await authctl.run("status").status == 3)
  }

  @Test(arguments: [("", "correct horse", "blank_user_name"), ("ada", "", "empty_password")])
  func `a blank field is refused before anything is sent`(name: String, password: String, code: String) async throws {
    let login = try await authctl.login(url, as: name, password: password)
    #expect(login.status == 64)
    #expect(try login.events().last?["code"] == code)
    #expect(server.counters.requests(on: .signIn) == 0)
  }

  @Test func `an unreachable provider is exit 5 and the session is kept`() async throws {
    _ = try await authctl.login(url)
    try authctl.ageStoredSession(url)
    await server.stop()
    #expect(try await authctl.run("token").status == 5)
    let status = try await authctl.run("status", "--json")
    #expect(status.status == 0)
    #expect(try status.events().first?["state"] == "stale")
  }

  @Test func `a session the provider has ended is exit 3`() async throws {
    _ = try await authctl.login(url)
    try authctl.ageStoredSession(url)
    server.revokeFamilies(ofUser: "ada")
    let token = try await authctl.run("token", "--json")
    #expect(token.status == 3)
    #expect(try token.events().last?["code"] == "session_rejected")
  }

  // origin B9, over processes
  @Test func `a stale token is refreshed before it is printed, and the refresh is stored`() async throws {
    _ = try await authctl.login(url)
    let before = try authctl.store(url).read()?.session?.accessToken.value
    try authctl.ageStoredSession(url)
    let token = try await authctl.run("token")
    #expect(token.status == 0)
    #expect(Secret(String(token.out.dropLast())) != before)
    #expect(try authctl.store(url).read()?.session?.accessToken.value == Secret(String(token.out.dropLast())))
    #expect(server.counters.requests(on: .refresh) == 1)
  }

  @Test func `eight processes at once at expiry make one refresh`() async throws {
    _ = try await authctl.login(url)
    try authctl.ageStoredSession(url)
    let outcomes = try await withThrowingTaskGroup { group in
      for _ in 0..<8 { group.addTask { [authctl] in try await authctl.run("token") } }
      var outcomes: [AuthCTL.Outcome] = []
      for try await outcome in group { outcomes.append(outcome) }
      return outcomes
    }
    #expect(outcomes.map(\.status) == Array(repeating: 0, count: 8))
    #expect(Set(outcomes.map(\.out)).count == 1)
    #expect(server.counters.requests(on: .refresh) == 1)
    #expect(server.counters.reusesDetected == 0)
  }

  @Test func `a token with too little left is refreshed, and one with enough is not`() async throws {
    _ = try await authctl.login(url)
    #expect(try await authctl.run("token", "--min-ttl", "10").status == 0)
    #expect(server.counters.requests(on: .refresh) == 0)
    #expect(try await authctl.run("token", "--min-ttl", "3600").status == 0)
    #expect(server.counters.requests(on: .refresh) == 1)
  }

  @Test func `token as JSON has the fields of the contract`() async throws {
    _ = try await authctl.login(url)
    let token = try #require(try await authctl.run("token", "--json").events().first)
    #expect(Set(token.keys) == ["access_token", "token_type", "expires_at", "scopes"])
    #expect(token["token_type"] == "Bearer")
  }

  @Test func `a request to another origin is exit 7 and nothing is sent`() async throws {
    _ = try await authctl.login(url)
    let other = LoopbackIdentityServer()
    let otherURL = try await other.start()
    let request = try await authctl.run("request", otherURL.absoluteString + "/api/notes")
    #expect(request.status == 7)
    #expect(request.out.isEmpty)
    #expect(other.requests(on: .notes).isEmpty)
    await other.stop()
  }

  @Test func `an origin that login allowed gets the token`() async throws {
    let other = LoopbackIdentityServer()
    let otherURL = try await other.start()
    let login = try await authctl.run(
      "login", "--base-url", url.absoluteString, "--allow-origin", otherURL.absoluteString, "--username", "ada",
      "--password-stdin", input: "correct horse\n")
    #expect(login.status == 0)
    #expect(login.out.isEmpty)
    _ = try await authctl.run("request", otherURL.absoluteString + "/api/notes")
    #expect(other.requests(on: .notes).first?.header("Authorization")?.hasPrefix("Bearer ") == true)
    await other.stop()
  }

  @Test func `a 401 leads to one refresh and one replay, for a POST too, since a user asked for it`() async throws {
    _ = try await authctl.login(url)
    server.revokeAllAccessTokens()
    let request = try await authctl.run("request", "-d", "text=hello", url.absoluteString + "/api/notes")
    #expect(request.status == 0)
    #expect(server.counters.requests(on: .notes) == 2)
    #expect(server.counters.requests(on: .refresh) == 1)
    #expect(server.requests(on: .notes).last?.body == Data("text=hello".utf8))
  }

  @Test func `a second 401 is the answer, and leaves the session as it is`() async throws {
    _ = try await authctl.login(url)
    server.set(.status(401), on: .notes)
    let request = try await authctl.run("request", url.absoluteString + "/api/notes")
    #expect(request.status == 8)
    #expect(server.counters.requests(on: .notes) == 2)
    #expect(server.counters.requests(on: .refresh) == 1)
    server.set(nil, on: .notes)
    #expect(try await authctl.run("request", url.absoluteString + "/api/notes").status == 0)
  }

  @Test func `a header may be given twice, and replaces the content type of data`() async throws {
    _ = try await authctl.login(url)
    let request = try await authctl.run(
      "request", "-H", "X-Tag: a", "-H", "X-Tag: b", "-H", "Content-Type: text/plain", "-d", "hello",
      url.absoluteString + "/api/notes")
    #expect(request.status == 0)
    let sent = try #require(server.requests(on: .notes).last)
    #expect(sent.header("X-Tag") == "a, b")
    #expect(sent.header("Content-Type") == "text/plain")
  }

  @Test func `an answer outside 2xx is exit 8 with its body on stdout`() async throws {
    _ = try await authctl.login(url)
    let request = try await authctl.run("request", url.absoluteString + "/api/admin")
    #expect(request.status == 8)
    #expect(!request.out.isEmpty)
    #expect(request.err.split(separator: "\n").count == 1)
    #expect(request.err.contains("Its body is on standard output."))
    #expect(try await authctl.run("status").status == 0)
  }

  @Test func `an offline logout is delivered by the next command that reaches the provider`() async throws {
    _ = try await authctl.login(url)
    await server.stop()
    let logout = try await authctl.run("logout")
    #expect(logout.status == 0)
    #expect(try await authctl.run("status").status == 3)
    try await server.start(port: UInt16(try #require(url.port)))
    #expect(server.counters.liveFamilies == 1)
    #expect(try await authctl.login(url, as: "grace", password: "battery staple").status == 0)
    #expect(server.counters.liveFamilies == 1)
    #expect(server.counters.signOuts == 1)
  }

  @Test(arguments: [["token"], ["request", "/api/notes"]])
  func `also by one that finds no user signed in`(command: [String]) async throws {
    _ = try await authctl.login(url)
    await server.stop()
    _ = try await authctl.run("logout")
    try await server.start(port: UInt16(try #require(url.port)))
    let command = command.map { $0.hasPrefix("/") ? url.absoluteString + $0 : $0 }
    #expect(try await authctl.run(command).status == 3)
    try await authctl.delivers(by: command) { server.counters.signOuts == 1 }
    #expect(server.counters.liveFamilies == 0)
  }

  @Test func `login prints the name of the user, and the expiry of the token`() async throws {
    let login = try await authctl.run(
      "login", "--base-url", url.absoluteString, "--username", "ada", "--password-stdin", input: "correct horse\n")
    let end = try #require(try authctl.store(url).read()?.session?.accessToken.expiresAt)
    #expect(
      login.err == """
        Signed in as Ada Lovelace <ada@example.com>; the session is kept in: file.
        The access token lasts until \(end.formatted(.iso8601)).

        """)
    #expect(login.out.isEmpty)
  }

  @Test func `a local logout tells the provider nothing`() async throws {
    _ = try await authctl.login(url)
    #expect(try await authctl.run("logout", "--local").status == 0)
    #expect(server.counters.signOuts == 0)
    #expect(try await authctl.run("status").status == 3)
  }

  @Test func `a corrupt session is exit 6 for every command, and is not erased`() async throws {
    _ = try await authctl.login(url)
    let file = try #require(try authctl.sessionFiles().first)
    let garbage = Data("not a session".utf8)
    try garbage.write(to: file)
    #expect(try await authctl.run("status").status == 6)
    #expect(try await authctl.run("token").status == 6)
    #expect(try await authctl.run("logout").status == 6)
    #expect(try Data(contentsOf: file) == garbage)
    #expect(try await authctl.login(url).status == 0)
    #expect(try await authctl.run("token").status == 0)
  }

  @Test func `two profiles are two users`() async throws {
    _ = try await authctl.login(url)
    let other = try await authctl.run(
      "login", "--profile", "other", "--base-url", url.absoluteString, "--username", "grace", "--password-stdin",
      input: "battery staple\n")
    #expect(other.status == 0)
    #expect(try await authctl.run("status").out.contains("Ada Lovelace"))
    #expect(try await authctl.run("status", "--profile", "other").out.contains("Grace Hopper"))
    #expect(try await authctl.run("logout", "--profile", "other").status == 0)
    #expect(try await authctl.run("status").status == 0)
  }

  @Test func `logging in at another service ends the session at the first, and sends it none of its tokens`()
    async throws
  {
    _ = try await authctl.login(url)
    let other = LoopbackIdentityServer()
    let otherURL = try await other.start()
    #expect(try await authctl.login(otherURL).status == 0)
    #expect(server.counters.liveFamilies == 0)
    #expect(other.counters.signOuts == 0)
    await other.stop()
  }

  @Test func `the showcase stays up until it is interrupted, and prints the commands to try`() async throws {
    let showcase = try AuthCTL(program: "showcase").start("--no-browser")
    var text = ""
    for try await line in showcase.lines {
      text += line + "\n"
      if line.contains("authctl logout") { break }
    }
    #expect(text.contains("ada / correct horse"))
    let url = try #require(text.firstMatch(of: /--base-url (\S+)/)?.1)
    #expect(try await authctl.login(URL(string: String(url))!).status == 0)
    #expect(try await authctl.run("request", url + "/api/notes").status == 0)
    #expect(await showcase.interrupt() == 0)
  }

  @Test func `a port that is taken is told as such`() async throws {
    let outcome = try await AuthCTL(program: "showcase").run("--port", "\(try #require(url.port))")
    #expect(outcome.status == 64)
    #expect(outcome.err.hasPrefix("showcase: "))
    #expect(outcome.err.contains("cannot be listened on"))
  }

  @Test func `no stream of any command but token and request ever shows a secret`() async throws {
    var texts: [String] = []
    func run(_ arguments: String...) async throws {
      let outcome = try await authctl.run(arguments, input: "correct horse\n")
      texts += [outcome.out, outcome.err]
    }
    try await run(
      "login", "--base-url", url.absoluteString, "--username", "ada", "--password-stdin", "--json", "--verbose")
    var tokens = [try authctl.store(url).read()?.session?.tokens]
    try authctl.ageStoredSession(url)
    texts.append(try await authctl.run("token", "--verbose").err)
    tokens.append(try authctl.store(url).read()?.session?.tokens)
    try await run("status", "--json", "--verbose")
    try await run("logout", "--verbose")
    let secrets = tokens.compactMap { $0 }.flatMap {
      [$0.access.value, $0.refresh, $0.identity].compactMap { $0?.reveal() }
    }
    #expect(Set(secrets).count >= 4)
    #expect(texts.contains { $0.contains("POST \(url.absoluteString)/auth/refresh") }, "verbose output was collected")
    for secret in secrets + ["correct horse"] {
      #expect(!texts.contains { $0.contains(secret) })
    }
  }
}
