import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// A refresh that got no usable answer is an outage to a script.
@Suite(.serialized) struct AuthCTLRefreshTests {
  typealias Fault = LoopbackOpenIDIssuer.Fault
  let authctl: AuthCTL
  let issuer: LoopbackOpenIDIssuer

  init() async throws {
    authctl = try AuthCTL()
    issuer = LoopbackOpenIDIssuer()
    try await issuer.start()
    _ = try await authctl.login(issuer)
  }

  private static let faults: [String: Fault] = [
    "HTML": .usual(.html), "half a body": .body(#"{"access_token":"#), "no body": .body(""), "no token": .body("{}"),
    "404": .usual(.status(404)), "5 MiB of spaces": .body(String(repeating: " ", count: 5 << 20)),
  ]

  @Test(arguments: faults.keys.sorted())
  func `HTML, half a body or garbage is exit 5, and the session is kept`(fault: String) async throws {
    let fault: Fault = try #require(Self.faults[fault])
    issuer.set(fault, onGrant: "refresh_token")
    let token = try await authctl.run("token", "--min-ttl", "100000", "--json")
    #expect(token.status == 5, "\(token.err)")
    #expect(try token.events().map { $0["event"] } == ["error"])
    #expect(try authctl.store(issuer).read()?.session != nil)
    issuer.set(nil, onGrant: "refresh_token")
    #expect(try await authctl.run("token", "--min-ttl", "100000").status == 0)
  }

  @Test func `every command says why the session ended, until the next login`() async throws {
    issuer.revokeAllSignIns()
    for minTTL in ["100000", "60"] {
      let token = try await authctl.run("token", "--min-ttl", minTTL, "--json")
      #expect(token.status == 3)
      #expect(try token.events().map { $0["code"] } == ["session_rejected"])
      #expect(token.err.contains("no longer accepts this session"), "\(token.err)")
    }
    let request = try await authctl.run("request", issuer.url(.resource).absoluteString)
    #expect(request.status == 3)
    #expect(request.err.contains("no longer accepts this session"), "\(request.err)")
    let status = try await authctl.run("status", "--json")
    #expect(status.status == 3)
    #expect(try status.events().map { $0["state"] } == ["signed_out"])
    #expect(try status.events().map { $0["reason"] } == ["rejected"])
    #expect(try status.events().map { $0["provider_code"] } == ["invalid_grant"])
    #expect(status.err == "authctl: The provider no longer accepts this session (invalid_grant). Log in again.\n")

    #expect(try await authctl.login(issuer).status == 0)
    #expect(try await authctl.run("status", "--json").events().map { $0["reason"] } == [nil])
    #expect(try await authctl.run("logout").status == 0)
    let ended = try await authctl.run("status", "--json")
    #expect(ended.status == 3)
    #expect(try ended.events().map { $0["reason"] } == ["requested"])
    #expect(ended.err == "authctl: Nobody is signed in. Log in first.\n")
  }

  @Test func `a request whose token cannot be refreshed is exit 5, too`() async throws {
    issuer.revokeAllAccessTokens()
    issuer.set(.usual(.html), onGrant: "refresh_token")
    #expect(try await authctl.run("request", issuer.url(.resource).absoluteString).status == 5)
  }

  @Test(arguments: [("invalid_request", 1), ("invalid_client", 5)] as [(String, Int32)])
  func `an issuer that has forgotten the session keeps it at first, and is exit 3 later, with the session kept`(
    code: String, first: Int32
  ) async throws {
    let refresh = ["token", "--min-ttl", "100000", "--json"]
    #expect(try await authctl.run(refresh).status == 0)
    issuer.set(.error(code), onGrant: "refresh_token")
    for _ in 0..<2 {
      let refused = try await authctl.run(refresh)
      #expect(refused.status == first, "\(refused.err)")
      // Not the options of a login.
      #expect(!refused.err.contains("--"), "\(refused.err)")
    }
    #expect(try await authctl.run("status").status == 0)
    // As if the first refusal had been a minute ago.
    let store = authctl.store(issuer)
    var record = try #require(try store.read())
    let refusal = try #require(record.refusedRefresh)
    record.refusedRefresh = RefusedRefresh(latestAt: refusal.latestAt.addingTimeInterval(-60))
    try store.save(record)
    let over = try await authctl.run(refresh)
    #expect(over.status == 3, "\(over.err)")
    #expect(over.err.contains("authctl login"), "\(over.err)")
    // Its token has not expired, and is not printed any more.
    let token = try await authctl.run("token")
    #expect(token.status == 3 && token.out.isEmpty)
    let status = try await authctl.run("status", "--json")
    #expect(status.status == 3)
    let event = try #require(try status.events().first)
    #expect(event["state"] == "expired" && event["reason"] == "refresh_refused")
    #expect(status.out.contains(#""user":{"#))
    issuer.set(nil, onGrant: "refresh_token")
    #expect(try await authctl.login(issuer).status == 0)
    #expect(try await authctl.run("status").status == 0)
  }

  @Test func `processes that ask together for more than a token lasts make one refresh, a later one makes its own`()
    async throws
  {
    issuer.hold(.token)
    let told = Pipe()
    let commands = try (0..<6).map { _ in
      try authctl.start(["token", "--min-ttl", "100000", "--verbose"], telling: told)
    }
    await issuer.waitForRequest(on: .token)
    var waiting = 0
    for await line in told.lines() where line == "Waiting for another process that refreshes this session." {
      waiting += 1
      if waiting == 5 { break }
    }
    issuer.release(.token)
    var tokens: Set<String> = []
    for command in commands {
      for await line in command.lines { tokens.insert(line) }
      #expect(await command.status() == 0)
    }
    #expect(tokens.count == 1)
    #expect(issuer.tokenRequests(for: "refresh_token").count == 1)
    #expect(try await authctl.run("token", "--min-ttl", "100000").status == 0)
    #expect(issuer.tokenRequests(for: "refresh_token").count == 2)
  }

  @Test func `a caller says how long it waits`() async throws {
    issuer.hold(.token)
    let token = try await authctl.run("token", "--min-ttl", "100000", "--timeout", "1", "--json", "--verbose")
    // Without the option the request ends first, after 30 seconds, and its line says so.
    #expect(!token.err.contains("timed_out"), "\(token.err)")
    issuer.release(.token)
    #expect(token.status == 0 || token.status == 5)
    for wrong in ["0", "-1", "x"] { #expect(try await authctl.run("token", "--timeout", wrong).status == 64) }
  }
}
