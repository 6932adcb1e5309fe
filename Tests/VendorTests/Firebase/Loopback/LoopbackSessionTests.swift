import AuthenticationAccount
import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Testing
import VendorServers

/// How a session is refreshed, and how it ends.
@Suite(.timeLimit(.minutes(10))) struct LoopbackSessionTests {
  @Test func `a session is refreshed by the refresh token, which stays`() async throws {
    let bench = try await LoopbackBench()
    let user = try await bench.signedIn()
    let before = try await bench.root.manager.validSession()
    let after = try await bench.refreshed()
    #expect(after.user == user)
    #expect(after.accessToken.value != before.accessToken.value)
    #expect(after.tokens.refresh == before.tokens.refresh)
    #expect(bench.loopback.traffic.requests(on: "token").count == 1)
  }

  @Test func `an administrator ends it by revoking, disabling or deleting`() async throws {
    typealias End = @Sendable (LoopbackFirebase, String) -> Void
    let ends: [(AuthenticationError, End)] = [
      (.sessionRejected, { $0.revokeSessions(ofAccount: $1) }), (.userDisabled, { $0.setDisabled(true, account: $1) }),
      (.sessionRejected, { $0.deleteAccount($1) }),
    ]
    for (expected, end) in ends {
      let bench = try await LoopbackBench()
      end(bench.loopback, try await bench.signedIn().id)
      #expect(await failure { try await bench.refreshed() } == expected)
      #expect(bench.root.currentUser == nil)
    }
  }

  @Test func `an ID token that is refused elsewhere is refreshed, and only that ends the session`() async throws {
    let bench = try await LoopbackBench()
    let user = try await bench.signedIn()
    bench.loopback.traffic.set(.error("TOKEN_EXPIRED"), on: "lookup", times: 1)
    #expect(try await bench.root.manager.account.refreshUser().id == user.id)
    bench.clock.advance(by: .seconds(600))
    bench.loopback.revokeSessions(ofAccount: user.id)
    #expect(await failure { try await bench.root.manager.account.refreshUser() } == .sessionRejected)
    #expect(bench.root.currentUser == nil)
  }

  @Test(arguments: [
    VendorFault.usual(.html), .usual(.truncatedJSON), .usual(.status(503)), .error("QUOTA_EXCEEDED"),
    .error("API key not valid. Please pass a valid API key."), .usual(.dropAfterProcessing),
  ])
  func `a failure keeps it, and the next refresh succeeds`(fault: VendorFault) async throws {
    let bench = try await LoopbackBench()
    let user = try await bench.signedIn()
    bench.loopback.traffic.set(fault, on: "token")
    #expect(await failure { try await bench.refreshed() } != nil)
    #expect(bench.root.currentUser == user)
    bench.loopback.traffic.set(nil, on: "token")
    bench.clock.advance(by: .seconds(3_600))
    #expect(try await bench.root.manager.validSession().user == user)
  }

  @Test func `signing out is local: the service has no call for it`() async throws {
    let bench = try await LoopbackBench()
    try await bench.signedIn()
    let count = bench.loopback.traffic.operations.count
    try await bench.root.manager.signOut()
    #expect(await bench.root.manager.deliverRevocations().isEmpty)
    #expect(bench.loopback.traffic.operations.count == count)
    #expect(bench.root.currentUser == nil)
  }
}
