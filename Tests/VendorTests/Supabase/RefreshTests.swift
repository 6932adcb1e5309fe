import AuthenticationDomain
import AuthenticationKit
import AuthenticationSupabase
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing
import VendorServers

@Suite(.timeLimit(.minutes(10))) struct RefreshTests {
  @Test func `a refresh replaces both tokens`() async throws {
    let bench = try await SupabaseBench()
    try await bench.signedIn()
    let before = try await bench.root.manager.validSession()
    bench.clock.advance(by: .seconds(3_601))
    let after = try await bench.root.manager.validSession()
    #expect(after.accessToken.value != before.accessToken.value)
    #expect(after.tokens.refresh != nil && after.tokens.refresh != before.tokens.refresh)
    #expect(after.user == before.user)
    #expect(bench.requests("token refresh_token").map(\.query) == ["grant_type=refresh_token"])
    #expect(Set(try bench.body("token refresh_token").keys) == ["refresh_token"])
  }

  // failure row 23
  @Test(arguments: [#"{"access_token":"a"}"#, #"{"access_token":"a","refresh_token":""}"#])
  func `a refresh without a new refresh token keeps the one in use`(body: String) async throws {
    let bench = try await SupabaseBench()
    try await bench.signedIn()
    let before = try await bench.root.manager.validSession()
    bench.loopback.traffic.set(.body(body), on: "token refresh_token", times: 1)
    bench.clock.advance(by: .seconds(3_601))
    let after = try await bench.root.manager.validSession()
    #expect(after.accessToken.value == Secret("a"))
    #expect(after.tokens.refresh == before.tokens.refresh)
  }

  @Test func `a lost response loses no session: the parent of the active token still works`() async throws {
    let bench = try await SupabaseBench()
    try await bench.signedIn()
    bench.loopback.traffic.set(.usual(.dropAfterProcessing), on: "token refresh_token", times: 1)
    bench.clock.advance(by: .seconds(3_601))
    _ = try await bench.root.manager.validSession()
    #expect(bench.requests("token refresh_token").count == 2)
    bench.clock.advance(by: .seconds(3_601))
    _ = try await bench.root.manager.validSession()
    #expect(bench.loopback.liveSessions == 1)
  }

  @Test func `a token that was used up elsewhere ends the session, there and here`() async throws {
    let bench = try await SupabaseBench()
    try await bench.signedIn()
    let old = try await bench.root.manager.validSession()
    // Another client refreshes twice with this device's token.
    let other = try bench.relaunchedElsewhere()
    try await other.useCase.adopt(old)
    for _ in 1...2 {
      bench.clock.advance(by: .seconds(3_601))
      _ = try await other.manager.validSession()
    }
    #expect(await code { try await bench.root.manager.validSession() } == .sessionRejected)
    #expect(bench.root.currentUser == nil)
    #expect(bench.loopback.liveSessions == 0)
  }

  @Test(
    arguments: [
      ("refresh_token_not_found", .sessionRejected), ("refresh_token_already_used", .sessionRejected),
      ("session_not_found", .sessionRejected), ("session_expired", .sessionRejected),
      ("user_not_found", .sessionRejected), ("user_banned", .userDisabled), ("validation_failed", .sessionRejected),
    ] as [(String, AuthenticationError)])
  func `a refusal of our own refresh token signs out`(code vendor: String, expected: AuthenticationError) async throws {
    let bench = try await SupabaseBench()
    try await bench.signedIn()
    bench.loopback.traffic.set(.error(vendor), on: "token refresh_token")
    bench.clock.advance(by: .seconds(3_601))
    #expect(await code { try await bench.root.manager.validSession() } == expected)
    #expect(bench.root.currentUser == nil)
  }

  @Test(
    arguments: [
      ("conflict", .serverFailed), ("unexpected_failure", .serverFailed), ("hook_timeout", .serverFailed),
      ("hook_timeout_after_retry", .serverFailed), ("request_timeout", .serverFailed),
      ("over_request_rate_limit", .rateLimited), ("bad_jwt", .unexpectedResponse),
      ("no_authorization", .unexpectedResponse), ("a_code_of_tomorrow", .unexpectedResponse),
      ("invalid_credentials", .invalidCredentials), ("insufficient_aal", .insufficientUserAuthentication),
    ] as [(String, AuthenticationError)])
  func `any other refusal keeps the session`(code vendor: String, expected: AuthenticationError) async throws {
    let bench = try await SupabaseBench()
    let user = try await bench.signedIn()
    bench.loopback.traffic.set(.error(vendor), on: "token refresh_token")
    bench.clock.advance(by: .seconds(3_601))
    #expect(await code { try await bench.root.manager.validSession() } == expected)
    #expect(bench.root.currentUser == user)
  }

  @Test func `a gateway that does not know the app keeps the session`() async throws {
    let bench = try await SupabaseBench()
    let user = try await bench.signedIn()
    bench.loopback.traffic.set(
      .body(#"{"message":"Invalid API key","hint":"Double check it."}"#, status: 401), on: "token refresh_token")
    bench.clock.advance(by: .seconds(3_601))
    #expect(await code { try await bench.root.manager.validSession() } == .clientRejected)
    #expect(bench.root.currentUser == user)
  }

  @Test(
    arguments: [
      .usual(.html), .usual(.empty), .usual(.truncatedJSON), .usual(.huge()), .usual(.status(502)), .body("[]"),
      .body(#"{"refresh_token":"r"}"#), .body(#"{"access_token":7,"refresh_token":"r"}"#),
      .body(#"{"access_token":"a\nb","refresh_token":"r"}"#),
      .body(#"{"access_token":"a","refresh_token":"r","token_type":"mac"}"#), .body("{}", status: 400),
      .body(#"{"access_token":"\#(VendorToken.make(["sub": "another"]))","refresh_token":"r"}"#),
    ] as [VendorFault])
  func `a response that makes no sense keeps the session`(fault: VendorFault) async throws {
    let bench = try await SupabaseBench()
    let user = try await bench.signedIn()
    bench.loopback.traffic.set(fault, on: "token refresh_token")
    bench.clock.advance(by: .seconds(3_601))
    #expect(await code { try await bench.root.manager.validSession() } != nil)
    #expect(bench.root.currentUser == user)
  }

  // MARK: The end

  @Test func `a sign-out ends this session and no other`() async throws {
    let bench = try await SupabaseBench()
    try await bench.signedIn()
    let other = try bench.relaunchedElsewhere()
    try await other.manager.login(username: "ada@example.com", password: "correct horse")
    try await bench.root.manager.signOut()
    await bench.root.manager.deliverRevocations()
    #expect(bench.requests("logout").map(\.query) == ["scope=local"])
    #expect(bench.loopback.liveSessions == 1)
  }

  @Test func `a session that ended at the service counts as ended`() async throws {
    let bench = try await SupabaseBench()
    try await bench.signedIn()
    bench.loopback.endAllSessions()
    try await bench.root.manager.signOut()
    #expect(await bench.root.manager.deliverRevocations().isEmpty)
    #expect(!(await bench.root.manager.hasPendingRevocations))
  }

  @Test func `a sign-out whose access token has expired still ends the session`() async throws {
    let bench = try await SupabaseBench()
    try await bench.signedIn()
    bench.clock.advance(by: .seconds(3_601))
    try await bench.root.manager.signOut()
    #expect(await bench.root.manager.deliverRevocations().isEmpty)
    #expect(bench.loopback.liveSessions == 0)
  }
}
