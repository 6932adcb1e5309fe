import AuthenticationData
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@Suite struct LoopbackIssuerTests {
  private func started(
    _ change: (inout LoopbackOpenIDIssuer.Options) -> Void = { _ in }, clock: ManualClock = ManualClock()
  ) async throws -> IssuerCaller {
    var options = LoopbackOpenIDIssuer.Options()
    change(&options)
    let issuer = LoopbackOpenIDIssuer(options, clock: clock)
    try await issuer.start()
    return IssuerCaller(issuer: issuer)
  }

  @Test func `an issuer with a path publishes both of its documents`() async throws {
    let caller = try await started { $0.path = "/tenant" }
    let document = try await caller.get(.discovery)
    #expect(document.text("issuer") == caller.issuer.identifier)
    #expect(document.text("token_endpoint") == caller.issuer.identifier + "/token")
    #expect(document.response.headers["Date"] == "Thu, 01 Jan 2026 00:00:00 GMT")
    #expect(caller.issuer.url(.oauthMetadata).path() == "/.well-known/oauth-authorization-server/tenant")
    #expect(try await caller.get(.oauthMetadata).text("issuer") == caller.issuer.identifier)
  }

  @Test func `a code buys tokens once, and used again ends the sign-in`() async throws {
    let caller = try await started()
    let redirect = try await caller.authorize()
    #expect(redirect["state"] == "s" && redirect["iss"] == caller.issuer.identifier)
    let answer = try await caller.redeem(redirect["code"])
    #expect(answer.status == 200 && answer.text("token_type") == "Bearer" && answer.text("id_token") != nil)
    #expect(caller.issuer.counters.liveSignIns == 1)
    #expect(try await caller.redeem(redirect["code"]).text("error") == "invalid_grant")
    #expect(caller.issuer.counters.liveSignIns == 0)
  }

  @Test func `a code is worth nothing without the verifier it was asked with`() async throws {
    let caller = try await started()
    let code = try await caller.authorize()["code"]
    let other = String(repeating: "x", count: 43)
    #expect(try await caller.redeem(code, verifier: other).text("error") == "invalid_grant")
    #expect(try await caller.redeem(code).status == 200)
  }

  @Test func `a plain challenge, and a user who declines, get no code`() async throws {
    let caller = try await started()
    #expect(try await caller.authorize(["code_challenge_method": "plain"])["error"] == "invalid_request")
    #expect(try await caller.authorize(["redirect_uri": "https://evil.example/callback"]).isEmpty)
    caller.issuer.user = .declines
    #expect(try await caller.authorize()["error"] == "access_denied")
  }

  @Test func `a spent refresh token ends the sign-in once its grace is over`() async throws {
    let clock = ManualClock()
    let caller = try await started({ $0.reuseGrace = .seconds(10) }, clock: clock)
    let first = try await caller.redeem(caller.authorize()["code"]).text("refresh_token")
    let second = try await caller.refresh(first).text("refresh_token")
    #expect(second != nil && second != first)
    #expect(try await caller.refresh(first).status == 200)
    clock.advance(by: .seconds(10))
    #expect(try await caller.refresh(first).text("error") == "invalid_grant")
    #expect(try await caller.refresh(second).text("error") == "invalid_grant")
    #expect(caller.issuer.counters.reusesDetected == 1)
  }

  @Test func `a device waits, is told to slow down, and gets tokens once it is approved`() async throws {
    let clock = ManualClock()
    let caller = try await started(clock: clock)
    let start = try await caller.post(["client_id": "app", "scope": "openid"], to: .deviceAuthorization)
    let ask = {
      try await caller.post([
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": "app",
        "device_code": start.text("device_code"),
      ])
    }
    #expect(try await ask().text("error") == "authorization_pending")
    #expect(try await ask().text("error") == "slow_down")
    caller.issuer.approveDevice(start.text("user_code"))
    clock.advance(by: .seconds(10))
    #expect(try await ask().text("access_token") != nil)
  }

  @Test func `a strong resource asks for a recent sign-in of its class`() async throws {
    let clock = ManualClock()
    let caller = try await started(clock: clock)
    let weak = try await caller.redeem(caller.authorize()["code"]).text("access_token") ?? ""
    let answer = try await caller.get(.strongResource, headers: ["Authorization": "Bearer \(weak)"])
    #expect(answer.status == 401)
    #expect(answer.response.headers["WWW-Authenticate"]?.contains("acr_values=\"urn:example:gold\"") == true)
    let code = try await caller.authorize(["acr_values": "urn:example:gold"])["code"]
    let strong = try await caller.redeem(code).text("access_token") ?? ""
    #expect(try await caller.get(.strongResource, headers: ["Authorization": "Bearer \(strong)"]).status == 200)
    clock.advance(by: .seconds(61))
    #expect(try await caller.get(.strongResource, headers: ["Authorization": "Bearer \(strong)"]).status == 401)
  }

  @Test func `quirks replace and remove members of answers`() async throws {
    let caller = try await started()
    caller.issuer.quirks.tokenAnswer = ["expires_in": "300", "refresh_token": .absent]
    caller.issuer.quirks.redirectParameters = ["iss": .absent, "state": "other"]
    let redirect = try await caller.authorize()
    #expect(redirect["iss"] == nil && redirect["state"] == "other")
    let answer = try await caller.redeem(redirect["code"])
    #expect(answer.text("expires_in") == "300" && answer.text("refresh_token") == nil)
    caller.issuer.set(.error("invalid_code", status: 403), onGrant: "authorization_code", times: 1)
    #expect(try await caller.redeem("x").status == 403)
    #expect(try await caller.redeem("x").status == 400)
    #expect(caller.issuer.tokenRequests(for: "authorization_code").count == 3)
  }
}
