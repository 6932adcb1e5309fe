import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

/// A command that is asked to end while a refresh token, which is good for one use, is at the provider.
@Suite(.serialized) struct AuthCTLInterruptionTests {
  let authctl: AuthCTL
  let issuer: LoopbackOpenIDIssuer
  private static let waiting = "authctl: Waiting for the provider's response, so that the session is kept."

  init() async throws {
    authctl = try AuthCTL()
    issuer = LoopbackOpenIDIssuer()
    try await issuer.start()
    _ = try await authctl.login(issuer)
    issuer.hold(.token)
  }

  private func expectKeptSession() async throws {
    let token = try await authctl.run("token")
    #expect(token.status == 0, "\(token.err)")
    #expect(try authctl.store(issuer).read()?.refreshJournal == nil)
    #expect(issuer.tokenRequests(for: "refresh_token").count == 1)
  }

  @Test(
    arguments: [SIGINT, SIGTERM, SIGHUP],
    [
      ["token", "--min-ttl", "100000"], ["token", "--min-ttl", "100000", "--format", "header"], ["request"],
    ])
  func `a signal ends it after the response is stored`(signal: Int32, command: [String]) async throws {
    let told = Pipe()
    issuer.revokeAllAccessTokens()
    let url = command == ["request"] ? [issuer.url(.resource).absoluteString] : []
    let running = try authctl.start(command + url, telling: told)
    await issuer.waitForRequest(on: .token, count: 2)
    running.send(signal)
    for await line in told.lines() where line == Self.waiting { break }
    issuer.release(.token)
    #expect(await running.status() == 128 + signal)
    try await expectKeptSession()
  }

  @Test func `a second signal ends it at once`() async throws {
    let told = Pipe()
    let running = try authctl.start(["token", "--min-ttl", "100000"], telling: told)
    await issuer.waitForRequest(on: .token, count: 2)
    running.send(SIGTERM)
    for await line in told.lines() where line == Self.waiting { break }
    running.send(SIGTERM)
    // The signal itself: nothing of the process ran afterwards.
    #expect(await running.status() == SIGTERM)
    issuer.release(.token)
  }

  @Test func `the end of its time does not lose the response`() async throws {
    let told = Pipe()
    let running = try authctl.start(["token", "--min-ttl", "100000", "--timeout", "1"], telling: told)
    await issuer.waitForRequest(on: .token, count: 2)
    for await line in told.lines() where line == Self.waiting { break }
    issuer.release(.token)
    #expect(await running.status() == 5)
    try await expectKeptSession()
  }

  @Test func `of processes that wait for one refresh, each interrupted, none loses the session`() async throws {
    let told = Pipe()
    let commands = try (0..<5).map { _ in
      try authctl.start(["token", "--min-ttl", "100000", "--verbose"], telling: told)
    }
    await issuer.waitForRequest(on: .token, count: 2)
    let lines = told.lines()
    var waiting = 0
    for await line in lines where line == "Waiting for another process that refreshes this session." {
      waiting += 1
      if waiting == 4 { break }
    }
    for command in commands { command.send(SIGINT) }
    for await line in lines where line == Self.waiting { break }
    issuer.release(.token)
    for command in commands { #expect(await command.status() == 130) }
    try await expectKeptSession()
  }
}
