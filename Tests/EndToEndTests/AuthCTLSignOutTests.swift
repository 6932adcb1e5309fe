import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// The parts that a sign-out reports as ended, and those that it has.
@Suite(.serialized) struct AuthCTLSignOutTests {
  let authctl: AuthCTL
  let issuer: LoopbackOpenIDIssuer

  init() async throws {
    authctl = try AuthCTL()
    issuer = LoopbackOpenIDIssuer()
    try await issuer.start()
  }

  private static let all = "Signed out here and at the provider.\n"

  @Test func `a session from the browser is not said to be over there`() async throws {
    _ = try await authctl.login(issuer)
    var logout = try await authctl.run("logout")
    // The issuer shares this process with all other tests: it may be too late on a machine that is busy with them.
    while logout.err.contains("is told by the next command") {
      _ = try await authctl.login(issuer)
      logout = try await authctl.run("logout")
    }
    #expect(logout.status == 0 && issuer.counters.liveSignIns == 0)
    #expect(
      logout.err == """
        Signed out here; the provider revoked the tokens.
        The issuer's browser session may go on: 'authctl logout --browser' opens the page that ends it.

        """)
  }

  @Test func `a session that had no browser is over at the provider with its tokens`() async throws {
    let login = try await authctl.run(
      "login", "--issuer", issuer.identifier, "--client-id", "app", "--flow", "password", "--username", "ada",
      "--password-stdin", input: "correct horse\n")
    #expect(login.status == 0)
    #expect(try await authctl.run("logout").err == Self.all)
  }

  @Test func `with --browser the issuer's page ends its session, and the next user is asked`() async throws {
    _ = try await authctl.login(issuer)
    let logout = try await authctl.run("logout", "--browser")
    #expect(logout.status == 0 && issuer.counters.liveSignIns == 0)
    #expect(logout.out.isEmpty && !logout.err.contains("id_token"))
    let page = try #require(logout.err.split(whereSeparator: \.isWhitespace).last.flatMap { URL(string: String($0)) })
    #expect(page.absoluteString.hasPrefix(issuer.url(.endSession).absoluteString + "?"))
    let ended = issuer.counters.sessionsEnded
    _ = try await issuer.visit(page)
    #expect(issuer.counters.sessionsEnded == ended + 1)
  }

  @Test(arguments: [0, 3]) func `the page that ends the browser session leaves no file in the home`(status: Int)
    async throws
  {
    _ = try await authctl.login(issuer)
    let tools = TemporaryFolder()
    let browser = tools.url.appending(path: "xdg-open")
    let seen = tools.url.appending(path: "seen").path
    try Data("#!/bin/sh\nprintf '%s\\n' \"$@\" >'\(seen)'\nexit \(status)\n".utf8).write(to: browser)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser.path)
    let logout = try await authctl.shell("PATH='\(tools.url.path)':$PATH \"$0\" logout --browser")
    #expect(logout.status == 0)
    #expect(logout.err.contains("No browser could be opened") == (status != 0))
    #expect(logout.err.contains(status == 0 ? "perhaps after a question" : "it may ask first"))
    #expect(try String(contentsOfFile: seen, encoding: .utf8).hasPrefix(issuer.url(.endSession).absoluteString + "?"))
    let names = try FileManager.default.contentsOfDirectory(atPath: authctl.home.url.path)
    #expect(names == ["profiles"])
  }

  @Test(
    arguments: [
      (
        .error("invalid_client", status: 401), "refuses to revoke tokens for this client (HTTP 401, invalid_client)",
        "may"
      ),
      (.usual(.status(401)), "responded with HTTP 401", "still"),
      (.usual(.status(500)), "The provider failed (HTTP 500", "still"),
      (.usual(.status(302)), "sent a redirect (HTTP 302)", "still"),
      (.body("<form>Sure?</form>", contentType: "text/html"), "a page that asks a user (HTTP 200)", "may"),
    ] as [(LoopbackOpenIDIssuer.Fault, String, String)])
  func `the provider's response to a revocation is reported accurately, with the token that still works`(
    fault: LoopbackOpenIDIssuer.Fault, words: String, certainty: String
  ) async throws {
    _ = try await authctl.login(issuer)
    issuer.set(fault, on: .revocation)
    let logout = try await authctl.run("logout")
    #expect(logout.status == 0)
    #expect(logout.err.hasPrefix("Signed out here. ") && logout.err.contains(words), "\(logout.err)")
    #expect(logout.err.contains("The refresh token \(certainty == "may" ? "may still work" : "still works") there"))
    #expect(!logout.err.contains("cannot be reached") && !logout.err.contains("no endpoint"))
    #expect(!logout.err.contains("at the provider"))
  }

  @Test func `an issuer without a revocation endpoint is said to have none`() async throws {
    issuer.quirks.metadata = ["revocation_endpoint": .absent]
    _ = try await authctl.login(issuer)
    let logout = try await authctl.run("logout")
    #expect(logout.err.contains("The issuer has no endpoint that revokes tokens. The refresh token may still work"))
  }

  @Test func `the browser session can be ended after everything else`() async throws {
    _ = try await authctl.login(issuer)
    _ = try await authctl.run("logout")
    let again = try await authctl.run("logout", "--browser")
    #expect(again.status == 0)
    #expect(
      again.err.hasPrefix("Nobody was signed in.\n") && again.err.contains(issuer.url(.endSession).absoluteString))
  }

  @Test func `an issuer without such a page is said to be one`() async throws {
    issuer.quirks.metadata = ["end_session_endpoint": .absent]
    _ = try await authctl.login(issuer)
    let logout = try await authctl.run("logout", "--browser")
    #expect(logout.status == 1 && logout.err.contains("that session goes on"))
    #expect(issuer.counters.liveSignIns == 0)
    #expect(try authctl.store(issuer).read()?.holdsNothing != false)
  }

  @Test func `a backend has no browser session, and nothing is ended in vain`() async throws {
    let server = LoopbackIdentityServer()
    let url = try await server.start()
    _ = try await authctl.login(url)
    #expect(try await authctl.run("logout", "--browser").status == 64)
    #expect(server.counters.liveFamilies == 1)
    #expect(try await authctl.run("logout", "--browser", "--local").status == 64)
    #expect(try await authctl.run("logout").err == Self.all)
  }

  @Test func `replacing another user's session says where that could not be ended`() async throws {
    _ = try await authctl.login(issuer)
    issuer.user = .approves(.grace)
    issuer.set(.usual(.status(503)), on: .revocation)
    let login = try await authctl.login(issuer)
    #expect(login.status == 0)
    #expect(login.err.contains("The session that was here before could not be ended at the provider"))
    #expect(login.err.contains("tries again"))
    issuer.set(nil, on: .revocation)
    #expect(try await authctl.run("token").status == 0)
    try await authctl.delivers { issuer.counters.liveSignIns == 1 }
  }

  @Test func `so does leaving one at another issuer, and one that revokes nothing`() async throws {
    _ = try await authctl.login(issuer)
    issuer.set(.error("invalid_client", status: 401), on: .revocation)
    let other = LoopbackOpenIDIssuer()
    try await other.start()
    let login = try await authctl.login(other)
    #expect(login.status == 0 && login.err.contains("refuses to revoke tokens for this client (HTTP 401"))
  }
}
