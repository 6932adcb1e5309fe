import AuthenticationDomainTesting
import AuthenticationKit
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

/// A resource asks for claims that the token lacks (https://learn.microsoft.com/entra/identity-platform/claims-challenge),
/// over real HTTP.
@Suite(.timeLimit(.minutes(10))) struct ClaimsChallengeTests {
  private let claims = #"{"access_token":{"nbf":{"essential":true,"value":"1604106651"}}}"#

  private func challenged(_ times: Int) async throws -> (ProviderBench, MainRoot) {
    let bench = try await ProviderBench()
    let root = try bench.root()
    _ = try await root.useCase.signIn(with: BrowserSignIn())
    let sent = Data(claims.utf8).base64EncodedString()
    let challenge = "Bearer error=\"insufficient_claims\", claims=\"\(sent)\""
    bench.loopback.set(
      .body("{}", status: 401, headers: ["WWW-Authenticate": challenge]), on: .resource, times: times)
    return (bench, root)
  }

  private func refreshes(_ bench: ProviderBench) -> [String?] {
    bench.loopback.tokenRequests(for: "refresh_token").map { $0.form["claims"] }
  }

  @Test func `the refresh asks for the claims once, and the request is repeated`() async throws {
    let (bench, root) = try await challenged(1)
    let request = HTTPRequest(.post, bench.loopback.url(.resource))
    #expect(try await root.apiClient.send(request).status == 200)
    #expect(refreshes(bench) == [claims])
    bench.clock.advance(by: .seconds(60))
    _ = try await root.manager.refreshNow()
    #expect(refreshes(bench) == [claims, nil])
  }

  @Test(arguments: ["interaction_required", "invalid_grant"])
  func `claims that the issuer gives only with the user end no session`(code: String) async throws {
    let (bench, root) = try await challenged(2)
    bench.loopback.set(.error(code), onGrant: "refresh_token", times: 1)
    let error = await #expect(throws: AuthenticationError.self) {
      try await root.apiClient.send(HTTPRequest(.get, bench.loopback.url(.resource)))
    }
    #expect(error == .insufficientUserAuthentication && error?.requirements?.claims == claims)
    #expect(refreshes(bench) == [claims, nil])
    #expect(root.manager.state.activeSession?.freshness == .fresh)
    #expect(root.manager.state.activeSession?.needsInteraction == false)
  }

  @Test func `while the issuer is away the request fails, and the session stays`() async throws {
    let (bench, root) = try await challenged(1)
    bench.loopback.set(.usual(.status(503)), onGrant: "refresh_token")
    await #expect(throws: AuthenticationError.self) {
      try await root.apiClient.send(HTTPRequest(.get, bench.loopback.url(.resource)))
    }
    #expect(root.manager.state.session != nil)
  }
}
