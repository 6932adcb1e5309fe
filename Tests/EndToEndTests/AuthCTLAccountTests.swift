import AuthenticationKit
import AuthenticationPasskeys
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// The account of a signed-in user.
@Suite(.serialized) struct AuthCTLAccountTests {
  let authctl: AuthCTL
  let clock = TravelClock()
  let server: LoopbackIdentityServer
  let url: URL

  init() async throws {
    authctl = try AuthCTL()
    server = LoopbackIdentityServer(options: .init(accessTokenLifetime: .seconds(3_600)), clock: clock)
    url = try await server.start()
  }

  func signedIn() async throws {
    #expect(try await authctl.login(url).status == 0)
    server.resetCounters()
  }

  var requests: Int {
    LoopbackIdentityServer.Endpoint.allCases.reduce(0) { $0 + server.counters.requests(on: $1) }
  }

  @Test func `a changed password is the one that signs in`() async throws {
    try await signedIn()
    let change = try await authctl.account(
      "change-password", "--password-stdin", input: ["correct horse", "a longer horse"])
    #expect(change.status == 0)
    #expect(change.out == #"{"event":"done"}"# + "\n")
    #expect(try await authctl.login(url, password: "correct horse").status == 4)
    #expect(try await authctl.login(url, password: "a longer horse").status == 0)
  }

  @Test(arguments: [
    ("wrong horse", "a longer horse", 4, "invalid_credentials"), ("correct horse", "short", 4, "weak_password"),
    ("correct horse", "", 64, "empty_password"), ("", "", 64, "empty_password"),
  ])
  func `a change that is refused changes nothing`(
    old: String, new: String, status: Int32, code: String
  ) async throws {
    try await signedIn()
    let change = try await authctl.account("change-password", "--password-stdin", input: [old, new])
    #expect(change.status == status)
    #expect(change.failures == [code])
    #expect(change.err.split(separator: "\n").count == 1)
    #expect(try await authctl.login(url).status == 0)
  }

  @Test func `a deleted account is deleted, and no user is signed in`() async throws {
    try await signedIn()
    let deletion = try await authctl.account("delete", "--yes")
    #expect(deletion.status == 0)
    #expect(deletion.out == #"{"event":"done"}"# + "\n")
    let status = try await authctl.run("status", "--json")
    #expect(status.status == 3)
    #expect(try status.events().first?["state"] == "signed_out")
    #expect(server.counters.liveFamilies == 0)
    #expect(try await authctl.login(url).status == 4)
  }

  @Test func `deleting an account needs a fresh sign-in, and leaves the session until then`() async throws {
    try await signedIn()
    clock.travel(.seconds(301))
    let refused = try await authctl.account("delete", "--yes")
    #expect(refused.status == 4)
    #expect(refused.failures == ["recent_sign_in_required"])
    #expect(refused.err.contains("authctl login"))
    #expect(try await authctl.run("token").status == 0)
    try await signedIn()
    #expect(try await authctl.account("delete", "--yes").status == 0)
  }

  @Test func `a script that does not say --yes deletes nothing`() async throws {
    try await signedIn()
    let outcome = try await authctl.account("delete")
    #expect(outcome.status == 64)
    #expect(outcome.err.contains("--yes"))
    #expect(requests == 0)
  }

  @Test func `a session that is ended elsewhere is over there`() async throws {
    try await signedIn()
    let other = try await authctl.run(
      "login", "--profile", "other", "--base-url", url.absoluteString, "--username", "ada", "--password-stdin",
      input: "correct horse\n")
    #expect(other.status == 0)
    let sessions = try await authctl.account("sessions").events()
    #expect(sessions.map { $0["current"] } == ["1", "0"])
    #expect(sessions.allSatisfy { $0["last_used_at"]?.hasSuffix("Z") == true })
    let id = try #require(sessions.last?["id"])
    #expect(try await authctl.run("account", "sessions").out.hasPrefix("1  this one  last used "))

    #expect(try await authctl.account("sessions", "--end", id).out == #"{"event":"done"}"# + "\n")
    #expect(try await authctl.run("token", "--profile", "other", "--min-ttl", "3600").status == 3)
    #expect(try await authctl.run("token", "--min-ttl", "3600").status == 0)
    #expect(try await authctl.account("sessions").events().count == 1)
  }

  @Test func `a user who ends the session in use is signed out here`() async throws {
    try await signedIn()
    #expect(try await authctl.account("sessions", "--end", "1").status == 0)
    #expect(try await authctl.run("status").status == 3)
    #expect(server.counters.liveFamilies == 0)
  }

  @Test(arguments: [
    ["sessions", "--end", "271828"], ["unlink", "271828"], ["factors", "--remove", "271828"],
    ["factors", "--remove", "x", "--enrol", "sms"], ["verify"], ["verify", "--email", "a@b.example", "--continue"],
    ["link", "--method", "anonymous"], ["unlink"], ["frobnicate"],
  ])
  func `an unknown item or an invalid call is a usage error, and changes nothing`(arguments: [String]) async throws {
    try await signedIn()
    let outcome = try await authctl.run(["account"] + arguments + ["--json"])
    #expect(outcome.status == 64)
    #expect(outcome.failures == ["usage"])
    #expect(outcome.err.split(separator: "\n").count == 1)
    #expect(server.counters.liveFamilies == 1)
  }

  @Test func `the last way to sign in stays`() async throws {
    try await signedIn()
    let methods = try await authctl.account("link")
    #expect(methods.out == #"{"id":"password","label":"ada","method":"password"}"# + "\n")
    #expect(try await authctl.run("account", "link").out == "password  password  ada\n")
    let unlink = try await authctl.account("unlink", "password")
    #expect(unlink.status == 4)
    #expect(unlink.failures == ["last_method"])
  }

  @Test func `a passkey is a way to sign in, in place of the password that is unlinked`() async throws {
    try await signedIn()
    let authenticator = SoftwareAuthenticator(origin: "http://localhost").checking(relyingPartyID: "localhost")
    let enrolment = try await authctl.run(["account", "factors", "--enrol", "passkey", "--json"]) { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let options = object?["passkey"] else { return nil }
      let registration = try await authenticator.register(
        PasskeyCreationOptions(json: try JSONSerialization.data(withJSONObject: options)))
      return String(decoding: registration.json, as: UTF8.self)
    }
    #expect(enrolment.status == 0, "\(enrolment.err)")
    #expect(try enrolment.events().map { $0["event"] } == ["challenge", "done"])
    #expect(try await authctl.account("factors").events().map { $0["kind"] } == ["passkey"])
    #expect(try await authctl.account("unlink", "password").status == 0)
    #expect(try await authctl.login(url).status == 4)
    let link = try await authctl.account(
      "link", "--method", "password", "--username", "ada", "--password-stdin", input: ["another horse"])
    #expect(link.status == 0)
    #expect(try await authctl.login(url, password: "another horse").status == 0)
  }

  @Test func `without a session there is no account to look after`() async throws {
    #expect(try await authctl.account("sessions").status == 3)
    try await signedIn()
    _ = try await authctl.run("logout")
    server.resetCounters()
    let change = try await authctl.account("change-password", "--password-stdin", input: ["correct horse", "x"])
    #expect(change.status == 3)
    #expect(change.failures == ["not_signed_in"])
    #expect(requests == 0)
  }

  @Test func `an account whose access token has expired is looked after with a new one`() async throws {
    try await signedIn()
    clock.travel(.seconds(3_601))
    #expect(try await authctl.account("sessions").status == 0)
    #expect(server.counters.requests(on: .refresh) == 1)
    #expect(server.counters.requests(on: .sessions) == 2)
  }
}
