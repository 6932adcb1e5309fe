import AuthenticationDomain
import AuthenticationKit
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

/// Refreshing a session at the issuer, and when that ends it. // failure rows 18, 23
@Suite(.timeLimit(.minutes(10))) struct RefreshTests {
  typealias Fault = LoopbackOpenIDIssuer.Fault

  private func refusal(_ bench: ProviderBench, _ session: AuthSession) async throws -> AuthenticationError? {
    let provider = try bench.provider()
    return await failure { try await provider.refresh(session) }
  }

  @Test func `a refresh sends the token and nothing that it does not need, rules 17, 30`() async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    let tokens = try await bench.provider().refresh(session)
    #expect(tokens.refresh != nil && tokens.refresh != session.tokens.refresh)
    #expect(tokens.access.value != session.accessToken.value)
    let request = try #require(bench.loopback.tokenRequests(for: "refresh_token").first)
    let token = try #require(session.tokens.refresh).reveal()
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == "grant_type=refresh_token&refresh_token=\(FormBody.encode(token))&client_id=app")
    #expect(request.query == "")
  }

  @Test func `a refresh token that is not replaced stays in use, rule 17`() async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.quirks.refreshAnswer = ["refresh_token": .absent, "id_token": .absent, "scope": .absent]
    let refreshed = session.refreshed(with: try await bench.provider().refresh(session))
    #expect(refreshed.tokens.refresh == session.tokens.refresh)
    #expect(refreshed.tokens.identity == session.tokens.identity)
    #expect(refreshed.accessToken.scopes == session.accessToken.scopes)
  }

  @Test(
    arguments: [
      (["sub": "248289761002"], .subject), (["aud": ["other"]], .audience), (["iss": "https://evil.example"], .issuer),
    ] as [([String: JSON], FailureReason)])
  func `an ID token about another user or for another client discards the response, rule 25`(
    claims: [String: JSON], check: FailureReason
  ) async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.quirks.refreshedIDTokenClaims = claims
    let error = try await refusal(bench, session)
    #expect(error == .security)
    #expect(error?.reason == check)
    #expect(bench.loopback.requests(on: .revocation).map { $0.form["token_type_hint"] } == ["access_token"])
  }

  @Test func `an ID token is left out where the sign-in brought none`() async throws {
    let bench = try await ProviderBench()
    let signedIn = try await bench.signedIn()
    let session = AuthSession(user: signedIn.user, tokens: signedIn.tokens.withoutIdentity)
    #expect(try await bench.provider().refresh(session).identity == nil)
  }

  @Test(
    arguments: [(["iss": "https://evil.example"], .issuer), (["aud": ["other"]], .audience)]
      as [([String: JSON], FailureReason)])
  func `one of another issuer or client is refused even so`(claims: [String: JSON], check: FailureReason) async throws {
    let bench = try await ProviderBench()
    let signedIn = try await bench.signedIn()
    let session = AuthSession(user: signedIn.user, tokens: signedIn.tokens.withoutIdentity)
    bench.loopback.quirks.refreshedIDTokenClaims = claims
    #expect(try await refusal(bench, session)?.reason == check)
  }

  // The issuer would not sign it: nothing in this response can be trusted.
  @Test(
    arguments: [
      (["sub": "248289761002"], .subject), (["aud": ["other"]], .audience), (["iss": "https://evil.example"], .issuer),
      (["sub": .absent], .subject), (["sub": 1], .subject),
    ] as [([String: JSON], FailureReason)])
  func `one about another user or for another client is refused also where its signature is wrong, rule 25`(
    claims: [String: JSON], check: FailureReason
  ) async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.quirks.refreshedIDTokenClaims = claims
    bench.loopback.quirks.signature = .altered
    let error = try await refusal(bench, session)
    #expect(error == .security)
    #expect(error?.reason == check)
  }

  // Zitadel adds each application of a project.
  @Test(
    arguments: [
      ["aud": ["app", "other"]], ["aud": ["app", "other"], "azp": "app"], ["aud": "app", "azp": "app"],
    ] as [[String: JSON]])
  func `tokens of a refresh are kept if the issuer has added an audience`(claims: [String: JSON]) async throws {
    var bench = try await ProviderBench()
    let told = Log()
    bench.client.onDroppedIDToken = { told.append($0.code) }
    let session = try await bench.signedIn()
    bench.loopback.quirks.refreshedIDTokenClaims = claims
    let tokens = try await bench.provider().refresh(session)
    #expect(tokens.identity != nil && tokens.identity != session.tokens.identity)
    #expect(told.lines.isEmpty)
  }

  @Test func `an ID token whose signature is wrong is left out, and the app is told why`() async throws {
    var bench = try await ProviderBench()
    let told = Log()
    bench.client.onDroppedIDToken = { told.append("\($0.code) \($0.reason?.description ?? "")") }
    let session = try await bench.signedIn()
    bench.loopback.quirks.signature = .altered
    let tokens = try await bench.provider().refresh(session)
    #expect(tokens.refresh != nil && tokens.identity == nil)
    #expect(told.lines == ["security signature"])
    bench.loopback.quirks.signature = .valid
    #expect(try await bench.provider().refresh(session.refreshed(with: tokens)).identity != nil)
    #expect(told.lines.count == 1, "of a good one there is nothing to tell")
  }

  @Test func `text that is no ID token at all is left out, and the app is told`() async throws {
    var bench = try await ProviderBench()
    let told = Log()
    bench.client.onDroppedIDToken = { told.append("\($0.reason?.description ?? "")") }
    let session = try await bench.signedIn()
    bench.loopback.quirks.refreshAnswer = ["id_token": "not.a.token"]
    #expect(try await bench.provider().refresh(session).identity == nil)
    #expect(told.lines == ["id_token"])
  }

  // A provider writes another auth_time when the user signs in again elsewhere; the old refresh token may be spent.
  @Test(
    arguments: [["nonce": "other"], ["auth_time": 1], ["at_hash": "AAAA"], ["exp": 1]] as [[String: JSON]])
  func `an ID token that cannot be believed is left out of a refresh, and ends no session, rule 25`(
    claims: [String: JSON]
  ) async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.quirks.refreshedIDTokenClaims = claims
    let refreshed = session.refreshed(with: try await bench.provider().refresh(session))
    #expect(refreshed.tokens.refresh != session.tokens.refresh)
    #expect(refreshed.tokens.identity == session.tokens.identity)
    #expect(try await bench.provider().refresh(refreshed).refresh != nil)
    #expect(bench.loopback.counters.reusesDetected == 0)
  }

  @Test func `keys that cannot be fetched end no session`() async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.rotateKeys()
    bench.loopback.set(.usual(.status(503)), on: .keys)
    let refreshed = session.refreshed(with: try await bench.provider().refresh(session))
    #expect(refreshed.tokens.refresh != session.tokens.refresh)
    #expect(refreshed.tokens.identity == session.tokens.identity)
  }

  @Test func `a refresh token that stays in use is not revoked with the discarded tokens`() async throws {
    let bench = try await ProviderBench { $0.rotatesRefreshTokens = false }
    let session = try await bench.signedIn()
    bench.loopback.quirks.refreshedIDTokenClaims = ["sub": "248289761002"]
    #expect(try await refusal(bench, session)?.reason == .subject)
    #expect(bench.loopback.requests(on: .revocation).map { $0.form["token_type_hint"] } == ["access_token"])
    bench.loopback.quirks.refreshedIDTokenClaims = [:]
    #expect(try await bench.provider().refresh(session).refresh == session.tokens.refresh)
  }

  // failure row 26: a clock that was changed after the sign-in.
  @Test(arguments: [-86_400, 86_400]) func `a clock that is wrong ends no session`(offset: Int) async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.quirks.clockOffset = .seconds(offset)
    bench.loopback.quirks.refreshedIDTokenClaims = ["auth_time": .absent]
    #expect(try await bench.provider().refresh(session).identity != nil)
  }

  // failure row 35
  @Test func `an ID token that cannot be checked now is left out, and the tokens are kept`() async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.set(.usual(.status(500)), on: .keys)
    let tokens = try await bench.provider().refresh(session)
    #expect(tokens.refresh != nil && tokens.identity == nil)
    #expect(session.refreshed(with: tokens).tokens.identity == session.tokens.identity)
    #expect(bench.loopback.counters.revocations == 0)
  }

  @Test func `a refused refresh ends the session`() async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.revokeAllSignIns()
    let error = try await refusal(bench, session)
    #expect(error == .sessionRejected)
    #expect(error?.providerCode == "invalid_grant")
  }

  @Test(arguments: [
    Fault.body("", status: 400, contentType: "text/plain", headers: ["Cache-Control": "no-store"]),
    .body("", status: 400, headers: ["Cache-Control": "private, No-Store"]),
  ])
  func `so does one without words, where the token endpoint itself gave it`(fault: Fault) async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.set(fault, onGrant: "refresh_token")
    #expect(try await refusal(bench, session) == .sessionRejected)
  }

  @Test func `an empty response ends no session where the issuer may have refused a resource`() async throws {
    var bench = try await ProviderBench()
    bench.client.resources = ["https://api.example.com"]
    let session = try await bench.signedIn()
    bench.loopback.set(.body("", status: 400, headers: ["Cache-Control": "no-store"]), onGrant: "refresh_token")
    #expect(try await refusal(bench, session) == .unexpectedResponse)
  }

  @Test(arguments: [
    Fault.body("", status: 400), .body("", status: 400, headers: ["Cache-Control": "no-cache"]),
    .body("<html>Bad Request</html>", status: 400, contentType: "text/html", headers: ["Cache-Control": "no-store"]),
    .body("", status: 401, headers: ["Cache-Control": "no-store"]),
    .body("", status: 403, headers: ["Cache-Control": "no-store"]),
    .body("", status: 404, headers: ["Cache-Control": "no-store"]),
    .body("", status: 500, headers: ["Cache-Control": "no-store"]),
    .body("", status: 200, headers: ["Cache-Control": "no-store"]),
    .body(" ", status: 400, headers: ["Cache-Control": "no-store"]),
    .usual(.html), .usual(.empty), .usual(.truncatedJSON), .usual(.status(429)), .usual(.status(503)),
    .usual(.basicChallenge), .error("invalid_client", status: 401), .error("invalid_grant", status: 500),
    .error("invalid_scope"), .error("temporarily_unavailable"), .error("invalid_dpop_proof"),
    .usual(.dropAfterProcessing), .usual(.huge()),
  ])
  func `nothing else ends it`(fault: Fault) async throws {
    let bench = try await ProviderBench()
    let session = try await bench.signedIn()
    bench.loopback.set(fault, onGrant: "refresh_token")
    let error = try await refusal(bench, session)
    #expect(error != nil && error != .sessionRejected)
  }

  @Test func `a session without a refresh token is not refreshed`() async throws {
    let bench = try await ProviderBench()
    let session = AuthSession.sample(receivedAt: bench.clock.now, canRefresh: false)
    #expect(try await refusal(bench, session) == .sessionExpired)
    #expect(bench.loopback.allRequests.isEmpty)
  }
}
