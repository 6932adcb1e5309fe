import AuthenticationData
import AuthenticationDomain
import AuthenticationOpenID
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@Suite(.timeLimit(.minutes(10))) struct LoopbackGitHubTests {
  private func bench(
    _ server: LoopbackGitHub, _ clock: ManualClock, secret: String? = "secret"
  ) async throws -> DialectBench {
    var app = OpenIDClient.github(
      clientID: "app", clientSecret: secret.map { Secret($0) }, endpoint: try await server.start().absoluteString)
    app.redirect = .address("com.example.app:/callback")
    app.presenter = VendorBrowser(server: server)
    return try DialectBench(.openIDConnect(app), at: server, clock: clock)
  }

  @Test func `an OAuth app's token does not expire, and its user is a number, with the address from another endpoint`()
    async throws
  {
    let clock = ManualClock()
    let session = try await bench(LoopbackGitHub(clock: clock), clock).signIn(BrowserSignIn())
    #expect(session.accessToken.lifetime == nil && session.tokens.refresh == nil)
    #expect(session.accessToken.scopes == ["read:user", "user:email"])
    #expect(session.user.id == "248289761001" && session.user.email == "ada@example.com")
  }

  @Test(arguments: [false, true]) func `a GitHub App's token is refreshed once by each refresh token`(
    asText: Bool
  ) async throws {
    let clock = ManualClock()
    var options = LoopbackGitHub.Options()
    (options.tokenLifetime, options.sendsLifetimesAsText) = (.seconds(28_800), asText)
    let server = LoopbackGitHub(options, clock: clock)
    let bench = try await bench(server, clock)
    let session = try await bench.signIn(BrowserSignIn())
    #expect(session.accessToken.lifetime == .seconds(28_800))
    let refreshed = try await bench.refresh(session)
    #expect(refreshed.tokens.refresh != session.tokens.refresh)
    #expect(await bench.refreshFailure(session)?.providerCode == "bad_refresh_token")
    server.revokeAllTokens()
    #expect(await bench.refreshFailure(refreshed) == .sessionRejected)
  }

  @Test func `with a wrong secret a user does not sign in, whatever the status says`() async throws {
    let clock = ManualClock()
    let bench = try await bench(LoopbackGitHub(clock: clock), clock, secret: "wrong")
    let error = await failure { try await bench.provider.signIn(with: BrowserSignIn()) }
    #expect(error == .clientRejected && error?.providerCode == "incorrect_client_credentials")
  }

  @Test func `a session whose token was revoked is not valid`() async throws {
    let clock = ManualClock()
    let server = LoopbackGitHub(clock: clock)
    let bench = try await bench(server, clock)
    let session = try await bench.signIn(BrowserSignIn())
    let provider = try #require(bench.provider as? any SessionValidatingProvider)
    #expect(try await provider.isValid(session))
    server.revokeAllTokens()
    #expect(try await !provider.isValid(session))
  }

  @Test func `a client that does not ask for JSON gets a form`() async throws {
    let server = LoopbackGitHub()
    let url = try await server.start().appending(path: "login/oauth/access_token")
    let request = HTTPRequest(.post, url, headers: ["Content-Type": "application/x-www-form-urlencoded"])
    let response = try await SystemHTTPClient().send(request)
    #expect(response.status == 200)
    #expect(String(decoding: response.body, as: UTF8.self).contains("error=incorrect_client_credentials&"))
    await server.stop()
  }
}
