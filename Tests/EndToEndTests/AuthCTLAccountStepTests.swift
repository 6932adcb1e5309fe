import AuthenticationData
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// Account services that ask for a step: a code, another password.
@Suite(.serialized) struct AuthCTLAccountStepTests {
  let authctl: AuthCTL
  let clock = TravelClock()
  let server: LoopbackIdentityServer
  let url: URL

  init() async throws {
    authctl = try AuthCTL()
    var options = LoopbackIdentityServer.Options()
    options.resendDelay = .zero
    server = LoopbackIdentityServer(options: options, clock: clock)
    url = try await server.start()
  }

  func code(of name: String = "ada") throws -> String { try #require(server.code(ofUser: name)) }

  func wrong(_ code: String) -> String { code == "000000" ? "000001" : "000000" }

  @Test func `an address counts once its code was typed`() async throws {
    _ = try await authctl.login(url)
    let left = try await authctl.account("verify", "--email", "ada@elsewhere.example")
    #expect(left.status == 4)
    #expect(left.failures == ["challenge_required"])
    #expect(left.err.contains("authctl account verify --continue"))
    let event = try #require(try left.events().first)
    #expect(event["event"] == "challenge" && event["kind"] == "confirmation" && event["length"] == "6")
    #expect(event["destination"] == "a•••@elsewhere.example")
    #expect(event["attempts_left"] == "3" && event["expires_in"] != nil)
    #expect(try await authctl.run("token").status == 0, "the session is not in question")

    let right = try code()
    let done = try await authctl.account("verify", "--continue", input: [wrong(right), "12", right])
    #expect(done.status == 0)
    #expect(try done.events().map { $0["event"] } == ["challenge", "challenge", "challenge", "done"])
    #expect(try done.events()[1]["attempts_left"] == "2")
    #expect(server.counters.requests(on: .accountChallenge) == 2)
    #expect(try await authctl.login(url).out.contains("ada@elsewhere.example"))
    #expect(try await authctl.account("verify", "--continue").status == 3)
  }

  @Test func `after too many wrong codes no attempt is left`() async throws {
    _ = try await authctl.login(url)
    _ = try await authctl.account("verify", "--email", "ada@elsewhere.example")
    let wrong = wrong(try code())
    let outcome = try await authctl.account("verify", "--continue", input: [wrong, wrong, wrong])
    #expect(try outcome.events().compactMap { $0["attempts_left"] } == ["3", "2", "1", "0"])
  }

  @Test func `an address that is none is not sent`() async throws {
    _ = try await authctl.login(url)
    #expect(try await authctl.account("verify", "--email", "ada").failures == ["invalid_email_address"])
    #expect(try await authctl.account("verify", "--phone", "0170").failures == ["invalid_phone_number"])
    #expect(server.counters.requests(on: .address) == 0)
  }

  @Test func `a user who forgot the password chooses another one after a code`() async throws {
    let begun = try await authctl.account("reset-password", "--username", "ada", at: url)
    #expect(begun.status == 4)
    #expect(begun.failures == ["challenge_required"])
    let reset = try await authctl.account(
      "reset-password", "--continue", at: url,
      input: [code(), #"{"password":"short"}"#, #"{"password":"a longer horse"}"#])
    #expect(reset.status == 0, "\(reset.err)")
    let events = try reset.events()
    #expect(events.map { $0["event"] } == ["challenge", "challenge", "challenge", "done"])
    #expect(events.map { $0["kind"] } == ["email", "new_password", "new_password", nil])
    #expect(reset.err.contains("rules"))
    #expect(try await authctl.login(url).status == 4)
    #expect(try await authctl.login(url, password: "a longer horse").status == 0)
  }

  @Test func `a reset says nothing about whether there is such an account`() async throws {
    let known = try await authctl.account("reset-password", "--username", "ada", at: url)
    let unknown = try await authctl.account("reset-password", "--username", "unknown", at: url)
    #expect(known.status == unknown.status)
    // How many seconds are left may differ.
    let told = try [known, unknown].map { try $0.events().map { $0.filter { !$0.key.hasSuffix("_in") } } }
    #expect(told[0] == told[1] && !told[0].isEmpty)
    #expect(known.err == unknown.err)
  }

  @Test func `a code that has expired can be sent again`() async throws {
    _ = try await authctl.account("reset-password", "--username", "ada", at: url)
    let old = try code()
    clock.travel(.seconds(301))
    let expired = try await authctl.account("reset-password", "--continue", at: url, input: [old, #"{"resend":true}"#])
    #expect(expired.failures == ["challenge_required"])
    #expect(expired.err.hasPrefix("The code or link is no longer accepted (code_expired).\n"))
    let new = try code()
    #expect(new != old)
    let reset = try await authctl.account(
      "reset-password", "--continue", at: url, input: [old, new, #"{"password":"a longer horse"}"#])
    #expect(reset.status == 0)
    #expect(try await authctl.login(url, password: "a longer horse").status == 0)
  }

  @Test func `a step that is given up is forgotten`() async throws {
    _ = try await authctl.login(url)
    let outcome = try await authctl.account("verify", "--email", "a@elsewhere.example", input: [#"{"cancel":true}"#])
    #expect(outcome.status == 4)
    #expect(outcome.failures == ["declined"])
    #expect(try await authctl.account("verify", "--continue", input: [code()]).status == 3)
    #expect(server.counters.requests(on: .accountChallenge) == 0)
  }

  @Test(arguments: [["logout", "--local"], ["account", "delete", "--yes"]])
  func `a step does not outlive the session`(command: [String]) async throws {
    _ = try await authctl.login(url)
    _ = try await authctl.account("verify", "--email", "a@elsewhere.example")
    #expect(try await authctl.run(command).status == 0)
    _ = try await authctl.login(url, as: "grace", password: "battery staple")
    #expect(try await authctl.account("verify", "--continue", input: ["000000"]).failures == ["not_signed_in"])
    #expect(server.counters.requests(on: .accountChallenge) == 0)
  }

  @Test func `a step that the provider accepts no more is deleted by the next command`() async throws {
    _ = try await authctl.login(url)
    let realm = "api \(url.absoluteString)"
    let files = StorageLocation.files(in: authctl.home.url.appending(path: "profiles/default"))
    let store = SecurePendingSignIns(PrefixedStorage(files.realm(realm).secrets, prefix: "account-"), realm: realm)
    let challenge = Challenge(kind: .emailCode, handle: Secret("handle"), lifetime: .seconds(60))
    await store.save(
      PendingSignIn(
        attempt: "ada", method: "change-password", challenge: challenge, receivedAt: Date(timeIntervalSinceNow: -61)))
    #expect(await store.pending() != nil)
    #expect(try await authctl.account("verify", "--continue").status == 3)
    #expect(await store.pending() == nil)
  }

  @Test func `a new sign-in has no pending account step`() async throws {
    _ = try await authctl.login(url)
    _ = try await authctl.account("verify", "--email", "a@elsewhere.example")
    #expect(try await authctl.run("logout", "--local").status == 0)
    _ = try await authctl.login(url)
    #expect(try await authctl.account("verify", "--continue", input: [code()]).failures == ["not_signed_in"])
    #expect(server.counters.requests(on: .accountChallenge) == 0)
  }

  @Test func `one command does not go on with the step of another`() async throws {
    _ = try await authctl.login(url)
    _ = try await authctl.account("verify", "--email", "a@elsewhere.example")
    #expect(try await authctl.account("factors", "--continue", input: [code()]).status == 3)
    #expect(try await authctl.account("verify", "--continue", input: [code()]).status == 0)
  }

  @Test func `a second factor is asked for from then on, until it is removed`() async throws {
    _ = try await authctl.login(url)
    #expect(try await authctl.account("factors").out.isEmpty)
    _ = try await authctl.account("factors", "--enrol", "sms")
    #expect(try await authctl.account("factors", "--continue", input: [code()]).status == 0)
    #expect(try await authctl.account("factors").out == #"{"id":"sms","kind":"sms"}"# + "\n")
    #expect(try await authctl.login(url).failures == ["challenge_required"])
    #expect(try await authctl.run("login", "--continue", input: "\(code())\n").status == 0)
    #expect(try await authctl.account("factors", "--remove", "sms").status == 0)
    #expect(try await authctl.login(url).status == 0)
  }

  @Test func `a passkey that was not created is asked for anew`() async throws {
    _ = try await authctl.login(url)
    let left = try await authctl.account("factors", "--enrol", "passkey")
    #expect(left.failures == ["challenge_required"])
    #expect(left.err.hasSuffix("Begin again: this step is not kept.\n"))
    #expect(try await authctl.account("factors", "--continue").status == 3)
    #expect(try await authctl.account("factors").out.isEmpty)
  }

  @Test func `no code and no password is shown, or stays on disk`() async throws {
    var texts: [String] = []
    _ = try await authctl.login(url)
    let change = try await authctl.run(
      "account", "change-password", "--password-stdin", "--verbose", input: "correct horse\nhorse 161803\n")
    let left = try await authctl.run("account", "verify", "--email", "ada@elsewhere.example", "--verbose", "--json")
    let right = try code()
    let wrong = try await authctl.run(
      "account", "verify", "--continue", "--verbose", input: "\(wrong(right))\n\(right.dropLast())\n")
    for outcome in [change, left, wrong] { texts += [outcome.out, outcome.err] }
    #expect(
      texts.contains { $0.contains("PUT \(url.absoluteString)/account/password") }, "verbose output was collected")
    let files = try FileManager.default.subpathsOfDirectory(atPath: authctl.home.url.path)
    texts += files.compactMap { try? Data(contentsOf: authctl.home.url.appending(path: $0)) }
      .map { String(decoding: $0, as: UTF8.self) }
    #expect(texts.contains { $0.contains("a•••@elsewhere.example") }, "the step was on disk")
    for secret in ["correct horse", "161803", right, self.wrong(right)] {
      #expect(!texts.contains { $0.contains(secret) })
    }
  }
}
