import AuthenticationData
import AuthenticationDomain
import AuthenticationOpenID
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@Suite(.timeLimit(.minutes(10))) struct LoopbackXTests {
  private func bench(_ server: LoopbackX, _ scopes: [String]? = nil) async throws -> DialectBench {
    var app = OpenIDClient.x(clientID: "app", endpoint: try await server.start().absoluteString)
    if let scopes { app.scopes = scopes }
    app.redirect = .address("com.example.app:/callback")
    app.presenter = VendorBrowser(server: server)
    return try DialectBench(.openIDConnect(app), at: server, clock: ManualClock())
  }

  @Test func `a refresh token serves once, and its second use ends the session`() async throws {
    let server = LoopbackX()
    let bench = try await bench(server)
    let session = try await bench.signIn(BrowserSignIn())
    #expect(session.user.id == "248289761001" && session.user.email == nil)
    #expect(session.accessToken.lifetime == .seconds(7_200))
    let refreshed = try await bench.refresh(session)
    #expect(await bench.refreshFailure(session) == .sessionRejected)
    #expect(await bench.refreshFailure(refreshed) == .sessionRejected)
  }

  @Test func `without offline.access there is no refresh token`() async throws {
    let session = try await bench(LoopbackX(), ["users.read", "tweet.read"]).signIn(BrowserSignIn())
    #expect(session.tokens.refresh == nil)
  }

  @Test func `a sign-out ends the session there`() async throws {
    let bench = try await bench(LoopbackX())
    let session = try await bench.signIn(BrowserSignIn())
    try await bench.provider.revoke(session.tokens)
    #expect(await bench.refreshFailure(session) == .sessionRejected)
  }
}
