import AuthenticationKit
import AuthenticationTestingServers
import Foundation
import Testing

/// An ability that a provider lacks is exit 64, and named.
@Suite(.serialized) struct AuthCTLAccountOfferTests {
  static let subcommands = [
    ["sign-up", "--username", "ada"], ["reset-password", "--username", "ada"], ["change-password", "--password-stdin"],
    ["verify", "--email", "ada@example.com"], ["link"], ["unlink", "1"], ["factors"], ["sessions"],
    ["delete", "--yes"],
  ]

  @Test func `a provider without account services is sent nothing`() async throws {
    let authctl = try AuthCTL()
    let issuer = LoopbackOpenIDIssuer()
    try await issuer.start()
    let login = try await authctl.run(
      "login", "--issuer", issuer.identifier, "--client-id", "app", "--flow", "password", "--username", "ada",
      "--password-stdin", input: "correct horse\n")
    #expect(login.status == 0)
    let before = issuer.allRequests.count
    for subcommand in Self.subcommands {
      let outcome = try await authctl.run(["account"] + subcommand + ["--json"], input: "x\ny\n")
      #expect(outcome.status == 64, "\(subcommand): \(outcome.err)")
      #expect(outcome.failures == ["unsupported_method"])
      #expect(outcome.err.contains("'openid'") && outcome.err.contains("'account \(subcommand[0])'"))
      #expect(outcome.err.split(separator: "\n").count == 1)
    }
    #expect(issuer.allRequests.count == before)
    #expect(try await authctl.run("status").status == 0)
  }

  @Test func `a backend that does not know a service is said not to offer it`() async throws {
    let authctl = try AuthCTL()
    let server = LoopbackIdentityServer()
    let url = try await server.start()
    _ = try await authctl.login(url)
    server.set(.status(404), on: .sessions)
    let outcome = try await authctl.account("sessions")
    #expect(outcome.status == 64)
    #expect(outcome.failures == ["unsupported_method"])
    #expect(outcome.err.contains("'api'") && outcome.err.contains("'account sessions'"))
    #expect(try await authctl.account("factors").status == 0)
  }

  @Test func `a factor that the provider does not know is exit 64`() async throws {
    let authctl = try AuthCTL()
    let server = LoopbackIdentityServer()
    _ = try await authctl.login(try await server.start())
    let outcome = try await authctl.account("factors", "--enrol", "otp")
    #expect(outcome.status == 64)
    #expect(outcome.failures == ["unsupported_method"])
  }

  @Test(arguments: [["sign-up", "--username", "ada"], ["reset-password", "--username", "ada"]])
  func `without a profile it must be said where the account is`(subcommand: [String]) async throws {
    let outcome = try await AuthCTL().run(["account"] + subcommand, input: "x\n")
    #expect(outcome.status == 64)
    #expect(outcome.err.contains("--base-url"))
  }
}
