import AuthenticationKit
import AuthenticationTestingServers
import Foundation
import Testing

/// An impossible value is reported by the option's name, in one line, with exit 64, before anything is sent.
@Suite(.serialized) struct AuthCTLNamedOptionTests {
  let authctl: AuthCTL
  let issuer = LoopbackOpenIDIssuer()
  let server = LoopbackIdentityServer()
  let url: URL

  init() async throws {
    authctl = try AuthCTL()
    try await issuer.start()
    url = try await server.start()
  }

  @Test(arguments: [
    ["--issuer", "nope"], ["--issuer", "http://id.example.com"], ["--issuer", "https://id.example.com?tenant=1"],
    ["--client-id", ""], ["--scope", "a\"b"], ["--redirect-path", "/a?b"], ["--redirect-port", "80"],
    ["--allow-origin", "api.example.com"], ["--allow-origin", "http://api.example.com"],
    ["--allow-origin", "https://api.example.com/v1"], ["--allow-origin", "https://ada@api.example.com"],
  ])
  func `an impossible option at an issuer is named`(option: [String]) async throws {
    let defaults = ["--issuer": issuer.identifier, "--client-id": "app"]
    let rest = defaults.filter { $0.key != option[0] }.flatMap { [$0.key, $0.value] }
    let outcome = try await authctl.run(["login", "--no-browser"] + rest + option)
    #expect(outcome.status == 64)
    #expect(outcome.err.contains(option[0]), "\(outcome.err)")
    #expect(outcome.err.hasPrefix("authctl: ") && outcome.err.split(separator: "\n").count == 1)
    #expect(issuer.requests(on: .discovery).isEmpty)
  }

  @Test(arguments: [
    ["--scope", "openid"], ["--flow", "device"], ["--token-auth", "none"], ["--dpop"],
    ["--metadata", "revocation_endpoint=https://id.example.com/revoke"], ["--prompt", "login"],
    ["--login-hint", "ada"], ["--acr-values", "phr"], ["--param", "a=b"],
  ])
  func `an option that only an issuer takes is named where a provider is`(option: [String]) async throws {
    let outcome = try await authctl.run(
      ["login", "--provider", "api", "--base-url", url.absoluteString, "--username", "ada", "--password-stdin"]
        + option, input: "correct horse\n")
    #expect(outcome.status == 64)
    #expect(outcome.err.contains(option[0]), "\(outcome.err)")
    #expect(server.counters.requests(on: .signIn) == 0)
  }

  @Test func `the root of an origin may be allowed, with its slash`() async throws {
    let outcome = try await authctl.run(
      "login", "--base-url", url.absoluteString, "--allow-origin", "https://api.example.com/", "--username", "ada",
      "--password-stdin", input: "correct horse\n")
    #expect(outcome.status == 0, "\(outcome.err)")
  }

  @Test(arguments: [
    ["login", "--password-stdin"], ["login"], ["account", "sign-up", "--password-stdin"],
    ["account", "reset-password"],
  ])
  func `a script without a user name is told so, and its password is no name`(command: [String]) async throws {
    let outcome = try await authctl.run(
      command + ["--provider", "api", "--base-url", url.absoluteString, "--json"],
      input: "correct horse\nbattery staple\n")
    #expect(outcome.status == 64)
    #expect(try outcome.events().map { $0["code"] } == ["usage"])
    #expect(outcome.err.hasPrefix("authctl: --username "), "\(outcome.err)")
    #expect(outcome.err.split(separator: "\n").count == 1)
    for endpoint in [LoopbackIdentityServer.Endpoint.signIn, .signUp, .passwordReset] {
      #expect(server.counters.requests(on: endpoint) == 0)
    }
  }

  @Test func `a blank name or password is told with the option that gives it`() async throws {
    let blank = try await authctl.login(url, as: " ")
    #expect(blank.err.contains("--username"))
    let nothing = try await authctl.login(url, password: "")
    #expect(nothing.err.contains("--password-stdin"))
  }
}
