import AuthenticationKit
import AuthenticationTestingServers
import Foundation
import Testing

/// A session whose provider gave no refresh token ends with its access token.
@Suite(.serialized) struct AuthCTLExpiredTests {
  let authctl: AuthCTL
  let server = LoopbackIdentityServer()
  let url: URL

  init() async throws {
    authctl = try AuthCTL()
    url = try await server.start()
    _ = try await authctl.login(url)
    let store = authctl.store(url)
    var record = try #require(try store.read())
    let session = try #require(record.session)
    let token = session.accessToken
    let old = try AccessToken(
      token.value, receivedAt: token.receivedAt.addingTimeInterval(-7_200), lifetime: token.lifetime)
    record.session = AuthSession(user: session.user, tokens: SessionTokens(access: old))
    try store.save(record)
  }

  @Test func `status says expired, and is exit 3`() async throws {
    let status = try await authctl.run("status", "--json")
    #expect(status.status == 3)
    let events = try status.events()
    #expect(events.map { $0["state"] } == ["expired"])
    #expect(events.first?["expires_at"] != nil)
    #expect(status.out.contains(#""id":"ada""#))
    #expect(status.err.hasPrefix("authctl: ") && status.err.split(separator: "\n").count == 1)
  }

  @Test(arguments: [["token"], ["request", "/api/notes"], ["account", "sessions"]])
  func `a command that needs a token exits with 3, and sends nothing`(command: [String]) async throws {
    let before = server.counters.requests(on: .refresh) + server.requests(on: .notes).count
    let arguments = command.map { $0.hasPrefix("/") ? url.absoluteString + $0 : $0 }
    let outcome = try await authctl.run(arguments)
    #expect(outcome.status == 3, "\(outcome.err)")
    #expect(outcome.out.isEmpty)
    #expect(server.counters.requests(on: .refresh) + server.requests(on: .notes).count == before)
  }
}
