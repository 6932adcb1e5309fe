import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// A login that was killed while it waited for its code, as other processes find it.
@Suite(.serialized, .timeLimit(.minutes(10))) struct AuthCTLPendingStepTests {
  let authctl: AuthCTL
  let server: LoopbackIdentityServer
  let url: URL

  init() async throws {
    authctl = try AuthCTL()
    var options = LoopbackIdentityServer.Options()
    options.users = [.init(username: "ada", password: "correct horse", hasSecondFactor: true)]
    server = LoopbackIdentityServer(options: options)
    url = try await server.start()
  }

  private func code() throws -> String { try #require(server.code(ofUser: "ada")) }

  /// A process that has asked for its code, and reads on.
  private func asking(_ arguments: String..., typing text: String = "") async throws -> Typist {
    let typist = try Typist(authctl.process(arguments))
    typist.type(text)
    try #require(await typist.nextEvent()?["event"] == "challenge")
    return typist
  }

  private func login() async throws -> Typist {
    try await asking(
      "login", "--provider", "api", "--base-url", url.absoluteString, "--username", "ada", "--password-stdin", "--json",
      typing: "correct horse\n")
  }

  private func goingOn() async throws -> Typist { try await asking("login", "--continue", "--json") }

  // origin B9, C6
  @Test func `a login that was killed at its code goes on in another process, and sends nothing until the code comes`()
    async throws
  {
    #expect(try await login().kill() == SIGKILL)
    server.resetCounters()
    #expect(try await goingOn().kill() == SIGKILL)
    let early = try await authctl.run("login", "--continue", "--json")
    #expect(early.status == 4)
    #expect(try early.events().last?["code"] == "challenge_required")
    #expect(server.requests == 0)

    let last = try await authctl.run("login", "--continue", "--json", input: "\(code())\n")
    #expect(last.status == 0)
    #expect(server.counters.requests(on: .signIn) == 0)
    #expect(server.counters.requests(on: .challenge) == 1)
    #expect(server.counters.liveFamilies == 1)
    #expect(try await authctl.run("token").status == 0)
    #expect(try await authctl.run("login", "--continue").status == 3)
  }

  @Test func `two processes go on with one login: one signs in, and the other is told that it is over`() async throws {
    #expect(try await login().kill() == SIGKILL)
    let typists = [try await goingOn(), try await goingOn()]
    // Both codes are at the server before either process hears of it.
    server.hold(.challenge)
    for typist in typists { typist.type("\(try code())\n") }
    await server.waitForRequest(on: .challenge, count: 2)
    server.release(.challenge)
    var statuses: [Int32] = []
    var words: Set<String> = []
    for typist in typists {
      let event = await typist.nextEvent()
      if let word = event?["code"] ?? event?["event"] { words.insert(word) }
      statuses.append(await typist.status())
    }
    #expect(statuses.sorted() == [0, 4])
    #expect(words == ["signed_in", "sign_in_expired"])
    #expect(server.counters.liveFamilies == 1)
    #expect(try await authctl.run("status", "--json").events().first?["state"] == "signed_in")
    #expect(try await authctl.run("token").status == 0)
  }

  @Test func `a login that waits belongs to its profile`() async throws {
    #expect(try await login().kill() == SIGKILL)
    let other = try await authctl.run("login", "--continue", "--profile", "other", input: "\(code())\n")
    #expect(other.status == 3)
    #expect(server.counters.requests(on: .challenge) == 0)
    #expect(try await authctl.run("login", "--continue", input: "\(code())\n").status == 0)
  }

  @Test func `a sign-out in another process ends a login that waits`() async throws {
    let waiting = try await login()
    #expect(try await authctl.run("logout", "--local").status == 0)
    #expect(await waiting.kill() == SIGKILL)
    server.resetCounters()
    #expect(try await authctl.run("login", "--continue", input: "\(code())\n").status == 3)
    #expect(server.requests == 0)
  }
}

extension LoopbackIdentityServer {
  /// All that came since the counters were reset.
  fileprivate var requests: Int {
    Endpoint.allCases.map { counters.requests(on: $0) }.reduce(0, +)
  }
}
