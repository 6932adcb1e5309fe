import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// An account is created on the command line.
@Suite(.serialized) struct AuthCTLSignUpTests {
  let authctl: AuthCTL

  init() throws { authctl = try AuthCTL() }

  func server(confirming: Bool = false) async throws -> (LoopbackIdentityServer, URL) {
    var options = LoopbackIdentityServer.Options()
    options.confirmsSignUps = confirming
    let server = LoopbackIdentityServer(options: options)
    return (server, try await server.start())
  }

  func signUp(_ name: String, at url: URL, input: String...) async throws -> AuthCTL.Outcome {
    try await authctl.account("sign-up", "--username", name, "--password-stdin", at: url, input: input)
  }

  @Test func `a user who signs up is signed in`() async throws {
    let (server, url) = try await server()
    let outcome = try await signUp("alan", at: url, input: "enigma machine")
    #expect(outcome.status == 0)
    #expect(try outcome.events().map { $0["event"] } == ["signed_in"])
    #expect(server.counters.signUps == 1)
    #expect(try await authctl.run("token").status == 0)
    #expect(try await authctl.run("status").out.contains("alan"))
    #expect(try await authctl.run("logout").status == 0)
    #expect(try await authctl.login(url, as: "alan", password: "enigma machine").status == 0)
  }

  @Test func `the profile's provider needs no name, and the session before ends there`() async throws {
    let (server, url) = try await server()
    _ = try await authctl.login(url)
    let outcome = try await authctl.account(
      "sign-up", "--username", "alan", "--password-stdin", input: ["enigma machine"])
    #expect(outcome.status == 0)
    #expect(server.counters.liveFamilies == 1)
    #expect(try await authctl.run("status").out.contains("alan"))
  }

  @Test func `a name that is taken is exit 4, and no user is signed in`() async throws {
    let (server, url) = try await server()
    let outcome = try await signUp("ada", at: url, input: "mine now")
    #expect(outcome.status == 4)
    #expect(outcome.failures == ["sign_up_refused"])
    #expect(server.counters.liveFamilies == 0)
    #expect(try await authctl.run("status").status == 3)
  }

  @Test(arguments: [("", "enigma machine", "blank_user_name"), ("alan", "", "empty_password")])
  func `a blank field is refused before anything is sent`(name: String, password: String, code: String) async throws {
    let (server, url) = try await server()
    let outcome = try await signUp(name, at: url, input: password)
    #expect(outcome.status == 64)
    #expect(outcome.failures == [code])
    #expect(server.counters.requests(on: .signUp) == 0)
  }

  @Test func `a code that is asked for is typed at once, or later by login --continue`() async throws {
    let (server, url) = try await server(confirming: true)
    let left = try await signUp("alan", at: url, input: "enigma machine")
    #expect(left.status == 4)
    #expect(try left.events().map { $0["event"] } == ["challenge", "error"])
    #expect(left.err.contains("authctl login --continue"))
    #expect(server.counters.liveFamilies == 0)
    #expect(try await authctl.run("status", "--json").events().first?["state"] == "challenged")
    let code = try #require(server.code(ofUser: "alan"))
    let done = try await authctl.run("login", "--continue", "--json", input: code + "\n")
    #expect(done.status == 0)
    #expect(try done.events().last?["event"] == "signed_in")
    #expect(try await authctl.run("token").status == 0)

    let typed = try await authctl.run(
      ["account", "sign-up", "--username", "kurt", "--password-stdin", "--json"], typing: "incomplete\n"
    ) { line in
      line.contains(#""challenge""#) ? server.code(ofUser: "kurt") : nil
    }
    #expect(typed.status == 0)
    #expect(try typed.events().map { $0["event"] } == ["challenge", "signed_in"])
  }
}
