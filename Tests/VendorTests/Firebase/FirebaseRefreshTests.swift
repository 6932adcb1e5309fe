import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationFirebase

@Suite struct FirebaseRefreshTests {
  @Test func `a refresh is a form, and its answer is spelled otherwise`() async throws {
    let answer =
      #"{"access_token":"\#(adaToken)","id_token":"x","refresh_token":"r-2","expires_in":"3600","user_id":"uid-1"}"#
    let bench = try FirebaseBench(json(200, answer))
    let tokens = try await bench.provider.refresh(.sample(receivedAt: bench.clock.now))
    let request = try #require(bench.client.requests.first)
    #expect(request.url.absoluteString == "https://securetoken.googleapis.com/v1/token?key=key")
    #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(bench.sent[0].hasPrefix("/v1/token grant_type=refresh_token&refresh_token="))
    #expect(!request.isIdempotent)
    #expect(tokens.refresh == Secret("r-2"))
    #expect(tokens.access.lifetime == .seconds(3_600))
  }

  @Test func `nothing is sent at a sign-out: Firebase has no such call`() async throws {
    let bench = try FirebaseBench()
    try await bench.provider.revoke(AuthSession.sample(receivedAt: bench.clock.now).tokens)
    #expect(bench.sent.isEmpty)
  }
}
