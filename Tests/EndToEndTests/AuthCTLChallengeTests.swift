import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// A second step on the command line: a code that the loopback server sends to a user with a second factor.
@Suite(.serialized) struct AuthCTLChallengeTests {
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

  /// Logs in up to the code, where the input ends.
  func left() async throws -> AuthCTL.Outcome { try await authctl.login(url) }

  func code() throws -> String { try #require(server.code(ofUser: "ada")) }

  func goOn(_ lines: String...) async throws -> AuthCTL.Outcome {
    try await authctl.run("login", "--continue", "--json", input: lines.map { $0 + "\n" }.joined())
  }

  @Test func `a login whose input ends at the code is left waiting, and goes on in another process`() async throws {
    let first = try await left()
    #expect(first.status == 4)
    let event = try #require(try first.events().first)
    #expect(event["event"] == "challenge")
    #expect(event["kind"] == "sms")
    #expect(event["destination"] == "•••• 42")
    #expect(event["length"] == "6")
    #expect(event["attempts_left"] == "3")
    #expect(try first.events().last?["code"] == "challenge_required")
    #expect(first.err.contains("login --continue"))
    #expect(server.counters.liveFamilies == 0)

    let status = try await authctl.run("status", "--json")
    #expect(status.status == 3)
    #expect(try status.events().first?["state"] == "challenged")

    server.resetCounters()
    let second = try await goOn(code())
    #expect(second.status == 0)
    #expect(try second.events().last?["event"] == "signed_in")
    #expect(server.counters.requests(on: .signIn) == 0)
    #expect(try await authctl.run("token").status == 0)
    #expect(try await goOn("000000").status == 3)
  }

  @Test func `a wrong code is asked for again, with the attempts that are left`() async throws {
    _ = try await left()
    let right = try code()
    let outcome = try await goOn(right == "000000" ? "000001" : "000000", "12 34", right)
    #expect(outcome.status == 0)
    let events = try outcome.events()
    #expect(events.map { $0["event"] } == ["challenge", "challenge", "challenge", "signed_in"])
    #expect(events[1]["attempts_left"] == "2")
    #expect(server.counters.requests(on: .challenge) == 2)
  }

  @Test func `where a script's input ends the failure is a line of its own`() async throws {
    let outcome = try await authctl.run(
      "login", "--base-url", url.absoluteString, "--username", "ada", "--password-stdin", input: "correct horse\n")
    #expect(outcome.status == 4)
    #expect(outcome.err.split(separator: "\n").last?.hasPrefix("authctl: ") == true, "\(outcome.err)")
  }

  @Test func `after too many wrong codes the login is over`() async throws {
    _ = try await left()
    let wrong = try code() == "000000" ? "000001" : "000000"
    let outcome = try await goOn(wrong, wrong, wrong)
    #expect(outcome.status == 4)
    #expect(try outcome.events().compactMap { $0["attempts_left"] } == ["3", "2", "1", "0"])
    #expect(try outcome.events().last?["code"] == "challenge_required")
    #expect(server.counters.liveFamilies == 0)
  }

  @Test func `another code is not sent before its time`() async throws {
    _ = try await left()
    let outcome = try await goOn(#"{"resend":true}"#, code())
    #expect(outcome.status == 0)
    #expect(outcome.err.contains(/Nothing was sent. Another one can be sent in \d+ seconds./), "\(outcome.err)")
    #expect(server.counters.requests(on: .challenge) == 1)
  }

  @Test func `a user who cancels leaves no session and no challenge`() async throws {
    _ = try await left()
    let outcome = try await goOn(#"{"cancel":true}"#)
    #expect(outcome.status == 4)
    #expect(try await authctl.run("status", "--json").events().first?["state"] == "signed_out")
    #expect(try await goOn("123456").status == 3)
  }

  @Test func `a logout leaves no pending step`() async throws {
    _ = try await left()
    _ = try await authctl.run("logout", "--local")
    #expect(try await authctl.run("status", "--json").events().first?["state"] == "signed_out")
    #expect(try await goOn("123456").status == 3)
  }

  @Test func `no code and no password stays on disk`() async throws {
    _ = try await left()
    _ = try await goOn("271828")
    let files = try FileManager.default.subpathsOfDirectory(atPath: authctl.home.url.path)
    for file in files {
      guard let data = try? Data(contentsOf: authctl.home.url.appending(path: file)) else { continue }
      let text = String(decoding: data, as: UTF8.self)
      #expect(!text.contains("correct horse") && !text.contains("271828"))
    }
  }

  @Test func `the methods of the profile's provider are listed`() async throws {
    _ = try await left()
    _ = try await goOn(code())
    let methods = try await authctl.run("methods")
    #expect(methods.out == "password\n")
    let json = try await authctl.run("methods", "--json")
    #expect(json.out == #"{"id":"password","name":"User name and password","needs":["user_name","password"]}"# + "\n")
  }

  @Test func `a method that the provider does not offer is a usage error, and nothing is sent`() async throws {
    let outcome = try await authctl.run(
      "login", "--provider", "api", "--base-url", url.absoluteString, "--method", "passkey", "--username", "ada",
      "--password-stdin", input: "correct horse\n")
    #expect(outcome.status == 64)
    #expect(outcome.err.contains("--method"))
    #expect(server.counters.requests(on: .signIn) == 0)
  }
}
