import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// A wrong call: one line, exit 64, nothing sent.
@Suite(.serialized) struct AuthCTLUsageTests {
  let authctl: AuthCTL
  let server = LoopbackIdentityServer()
  let url: URL

  init() async throws {
    authctl = try AuthCTL()
    url = try await server.start()
  }

  @Test(arguments: [
    ["login"], ["login", "--provider", "unknown"], ["token", "--min-ttl", "x"], ["token", "--min-ttl", "-1"],
    ["request", "not a url"], ["request"], ["status", "--profile", "../x"], ["frobnicate"], ["demo"],
    ["status", "--frobnicate"],
    ["login", "--base-url", "https://example.com", "--timeout", "0"], ["status", "a\nb"],
  ])
  func `a wrong call is one line that says where to look, and exit 64`(arguments: [String]) async throws {
    let outcome = try await authctl.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.out.isEmpty)
    #expect(outcome.err.hasPrefix("authctl: "))
    #expect(outcome.err.split(separator: "\n").count == 1)
    let command = ["login", "token", "request", "status"].contains(arguments[0]) ? " \(arguments[0])" : ""
    #expect(outcome.err.hasSuffix(" See 'authctl\(command) --help'.\n"))
  }

  @Test func `a service that cannot be one is refused before anything is sent`() async throws {
    let outcome = try await authctl.run(
      "login", "--base-url", "api.example.com", "--username", "ada", "--password-stdin", input: "x\n")
    #expect(outcome.status == 64)
    #expect(outcome.err.split(separator: "\n").count == 1)
  }

  @Test func `with --json a wrong call is an event too`() async throws {
    let outcome = try await authctl.run("token", "--json", "--min-ttl", "x")
    #expect(outcome.status == 64)
    let events = try outcome.events()
    #expect(events.map { $0["event"] } == ["error"])
    #expect(events.map { $0["code"] } == ["usage"])
    #expect(events.first?["message"]?.isEmpty == false)
  }

  @Test(arguments: [["--help"], [], ["token", "--help"], ["help", "login"]])
  func `help goes to stdout`(arguments: [String]) async throws {
    let outcome = try await authctl.run(arguments)
    #expect(outcome.status == 0)
    #expect(outcome.out.contains("USAGE: authctl"))
    #expect(outcome.err.isEmpty)
  }

  /// Debugging another program's TLS needs it.
  @Test func `SSLKEYLOGFILE refuses no command, and no file appears`() async throws {
    let log = authctl.home.url.appending(path: "keys").path
    let status = try await authctl.shell("SSLKEYLOGFILE='\(log)' \"$0\" status")
    #expect(status.status == 3)
    let doctor = try await authctl.shell("SSLKEYLOGFILE='\(log)' \"$0\" doctor --issuer https://127.0.0.1:1")
    #expect(doctor.status == 5, "\(doctor.out)")
    #expect(!FileManager.default.fileExists(atPath: log))
  }

  @Test func `the version is one line`() async throws {
    let outcome = try await authctl.run("--version")
    #expect(outcome.status == 0)
    #expect(outcome.out.wholeMatch(of: /authctl \d+\.\d+\.\d+\n/) != nil)
    #expect(outcome.err.isEmpty)
  }

  @Test(arguments: [
    ["-X", ""], ["-X", "GET\r\nX-Injected: 1"], ["-X", "GE T"], ["-X", "GÉT"], ["-H", "no colon"], ["-H", ": value"],
    ["-H", "Na me: value"], ["-H", "Name : value"], ["-H", "Name: a\r\nX-Injected: 1"], ["-H", "Name: a\nb"],
    ["-H", "N\r: value"], ["-H", "Name: a\u{7F}"],
  ])
  func `a request that would be another on the wire is not sent`(arguments: [String]) async throws {
    _ = try await authctl.login(url)
    let outcome = try await authctl.run(["request"] + arguments + [url.absoluteString + "/api/notes"])
    #expect(outcome.status == 64)
    #expect(outcome.err.hasSuffix(" See 'authctl request --help'.\n"))
    #expect(server.requests(on: .notes).isEmpty)
  }

  @Test func `method and headers of a good request arrive`() async throws {
    _ = try await authctl.login(url)
    let outcome = try await authctl.run(
      "request", "-X", "GET", "-H", "X-Note:  a: b ", "-H", "X-Empty:", url.absoluteString + "/api/notes")
    #expect(outcome.status == 0)
    #expect(server.requests(on: .notes).last?.header("X-Note") == "a: b")
  }
}
