import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

/// A whole life of a session through the composition root, over real HTTP, bound to a key and not.
@Suite(.timeLimit(.minutes(10))) struct OpenIDSessionTests {
  @Test(arguments: [false, true]) func `sign in, restart, refresh, step up, sign out`(isBound: Bool) async throws {
    var bench = try await ProviderBench()
    bench.client.bindsTokens = isBound
    bench.loopback.quirks.requiresNonceAtTokenEndpoint = isBound
    bench.loopback.quirks.requiresNonceAtResource = isBound
    let notes = HTTPRequest(.get, bench.loopback.url(.resource))
    let transfer = HTTPRequest(.post, bench.loopback.url(.strongResource), body: Data("{}".utf8))

    let first = try bench.root()
    #expect(try await first.useCase.signIn(with: .browser).name == "Ada Lovelace")
    #expect(try await first.apiClient.send(notes).status == 200)
    let session = try #require(first.manager.state.session)
    #expect(session.accessToken.type == (isBound ? "DPoP" : "Bearer"))

    let root = try bench.root { BrowserSignIn(SignInHints(requirements: $0)) }
    #expect(await root.manager.restore().user == session.user)
    bench.clock.advance(by: .seconds(299))
    #expect(try await root.apiClient.send(notes).status == 200)
    #expect(bench.loopback.counters.refreshesGranted == 1)
    let refreshed = try #require(root.manager.state.session)
    #expect(refreshed.tokens.proofKey == session.tokens.proofKey, "the same key")
    #expect(refreshed.accessToken != session.accessToken)

    bench.clock.advance(by: .seconds(100))
    #expect(try await root.apiClient.send(transfer).status == 200)
    await root.manager.deliverRevocations()
    #expect(
      bench.loopback.requests(on: .revocation).map { $0.form["token_type_hint"] } == ["access_token"],
      "what was replaced is taken back, without what could end the new session too")
    #expect(bench.loopback.counters.sessionsEnded == 0, "and the user's session at the issuer is not ended for it")

    try await root.manager.signOut()
    await root.manager.deliverRevocations()
    #expect(bench.loopback.counters.liveSignIns == 1, "the refresh token that was replaced, left to its own end")
    #expect(bench.loopback.counters.sessionsEnded == 1)
    #expect(await root.manager.hasPendingRevocations == false)
    let token = session.accessToken.value.reveal()
    #expect(bench.loopback.allRequests.allSatisfy { !$0.query.contains(token) }, "rule 30")
  }

  @Test func `no session begins where tokens are not bound though that was asked, rule 35`() async throws {
    var bench = try await ProviderBench()
    bench.client.bindsTokens = true
    bench.loopback.quirks.tokenAnswer = ["token_type": "Bearer"]
    let root = try bench.root()
    #expect(await failure { try await root.useCase.signIn(with: .browser) }?.reason == .tokenType)
    #expect(root.manager.state.session == nil)
    #expect(bench.loopback.counters.liveSignIns == 0)
  }

  @Test func `nor is one refreshed without its key, rule 35`() async throws {
    var bench = try await ProviderBench()
    bench.client.bindsTokens = true
    let session = try await bench.signedIn()
    bench.loopback.quirks.refreshAnswer = ["token_type": "Bearer"]
    let provider = try bench.provider()
    #expect(await failure { try await provider.refresh(session) }?.reason == .tokenType)
  }

  @Test func `a nonce that changes costs one more request, and never a third, rules 34, 35`() async throws {
    var bench = try await ProviderBench()
    bench.client.bindsTokens = true
    bench.loopback.quirks.requiresNonceAtResource = true
    bench.loopback.quirks.metadata = ["userinfo_endpoint": .absent]
    let root = try bench.root()
    _ = try await root.useCase.signIn(with: .browser)
    let notes = HTTPRequest(.get, bench.loopback.url(.resource))
    for requests in [2, 3] {
      #expect(try await root.apiClient.send(notes).status == 200)
      #expect(bench.loopback.requests(on: .resource).count == requests)
    }
    bench.loopback.rotateNonce()
    #expect(try await root.apiClient.send(notes).status == 200)
    #expect(bench.loopback.requests(on: .resource).count == 5)
  }

  @Test func `UserInfo is asked with a proof, and once more where a nonce is wanted, rules 34, 35`() async throws {
    var bench = try await ProviderBench()
    bench.client.bindsTokens = true
    let session = try await bench.signedIn()
    bench.loopback.quirks.requiresNonceAtResource = true
    #expect(try await bench.provider().userInfo(for: session).id == session.user.id)
  }

  @Test func `an outage of UserInfo is not answered with the same proof, rule 34`() async throws {
    var bench = try await ProviderBench()
    bench.client.bindsTokens = true
    let session = try await bench.signedIn()
    bench.loopback.set(.usual(.status(503)), on: .userInfo)
    let environment = AuthProviderConfiguration.Environment(
      httpClient: try SystemHTTPClient().retrying(clock: SleepRecorder()), clock: bench.clock)
    let provider = try OpenIDConnectProvider(bench.client, in: environment)
    let before = bench.loopback.requests(on: .userInfo).count
    #expect(await failure { try await provider.userInfo(for: session) } == .serverFailed)
    #expect(bench.loopback.requests(on: .userInfo).count == before + 1)
  }

  @Test func `a session that was bound stays usable where new ones are not`() async throws {
    var bench = try await ProviderBench()
    bench.client.bindsTokens = true
    _ = try await bench.root().useCase.signIn(with: .browser)
    bench.client.bindsTokens = false
    let root = try bench.root()
    let notes = HTTPRequest(.get, bench.loopback.url(.resource))
    #expect(try await root.apiClient.send(notes).status == 200)
    bench.clock.advance(by: .seconds(300))
    #expect(try await root.apiClient.send(notes).status == 200)
  }

  // RFC 9470 §4
  @Test func `a user who does not sign in strongly enough has the request refused`() async throws {
    let bench = try await ProviderBench()
    let root = try bench.root { _ in BrowserSignIn() }
    _ = try await root.useCase.signIn(with: .browser)
    let request = HTTPRequest(.get, bench.loopback.url(.strongResource))
    let error = await failure { try await root.apiClient.send(request) }
    #expect(error == .insufficientUserAuthentication)
    #expect(error?.requirements?.acrValues == ["urn:example:gold"])
    #expect(bench.loopback.requests(on: .strongResource).count == 2)
  }

  // failure row 18
  @Test func `a refused refresh signs the user out, an outage does not`() async throws {
    let bench = try await ProviderBench()
    let root = try bench.root()
    _ = try await root.useCase.signIn(with: .browser)
    bench.clock.advance(by: .seconds(300))
    bench.loopback.set(.usual(.html), onGrant: "refresh_token", times: 2)
    #expect(await failure { try await root.manager.validSession() } == .unexpectedResponse)
    #expect(root.manager.state.session != nil)
    bench.clock.advance(by: .seconds(120))
    _ = try await root.manager.validSession()
    bench.loopback.revokeAllSignIns()
    bench.clock.advance(by: .seconds(300))
    #expect(await failure { try await root.manager.validSession() } == .sessionRejected)
    #expect(root.manager.state == .signedOut(.rejected))
  }
}
