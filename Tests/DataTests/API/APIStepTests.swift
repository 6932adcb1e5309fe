import AuthenticationAccount
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationData

/// A backend whose responses have a meaning only together with the request.
@Suite struct APIStepTests {
  let clock = ManualClock()
  let asked = Challenge(kind: .emailCode, handle: Secret("attempt-1"))

  func provider(
    _ client: ScriptedHTTPClient, _ change: (inout BackendDescription) -> Void
  ) throws -> any AccountProvider {
    var backend = BackendDescription()
    change(&backend)
    return try backend.provider(over: client, clock: clock)
  }

  @Test(arguments: [
    (401, AuthenticationError?.none), (400, .wrongCode), (409, .invalidCredentials),
  ])
  func `the next step goes on with the handle of the last one, and a refusal is said with it`(
    _ status: Int, _ refusal: AuthenticationError?
  ) async throws {
    let provider = try provider(ScriptedHTTPClient { _ in .success(json(status, "{}")) }) { backend in
      backend.contract.mapSignInRefusal = { $0.status == 409 ? .invalidCredentials : nil }
      backend.contract.mapSignInStep = { response, credentials throws(AuthenticationError) in
        guard let answer = credentials as? ChallengeAnswer, response.status != 409 else { return nil }
        if response.status == 400 { throw .wrongCode }
        return Challenge(kind: .oneTimePassword, handle: answer.challenge.handle)
      }
    }
    do throws(AuthenticationError) {
      let outcome = try await provider.signIn(with: .answer(to: asked, code: Secret("123456")))
      #expect(outcome == .challenge(Challenge(kind: .oneTimePassword, handle: Secret("attempt-1"))))
      #expect(refusal == nil)
    } catch {
      #expect(error == refusal)
    }
  }

  @Test func `an account service may map a response by the change that it sent`() async throws {
    let client = ScriptedHTTPClient { _ in .success(json(200, "{}")) }
    let provider = try provider(client) { backend in
      backend.account.change = { change, _ in
        guard case .resetPassword(let account) = change else { return nil }
        return APIService(
          APIRequest(.get, "reset", query: ["for": account, "by": "a code & more"]),
          outcome: { _ in .challenge(Challenge(kind: .emailCode, destination: account, handle: Secret("reset-1"))) })
      }
    }
    let outcome = try await provider.resetPassword(of: "ada")
    guard case .challenge(let challenge) = outcome else { return #expect(Bool(false), "a challenge") }
    #expect(challenge.destination == "ada")
    #expect(
      client.requests.map(\.url.absoluteString) == [
        "https://api.example.com/reset?by=a%20code%20%26%20more&for=ada"
      ])
  }

  @Test func `a sign-out request that the contract defines carries the access token of the session`() async throws {
    let client = ScriptedHTTPClient(.success(json(204, "")))
    let provider = try provider(client) { $0.contract.signOutRequest = { _ in APIRequest(.delete, "session") } }
    try await provider.revoke(.sample(1, receivedAt: clock.now))
    #expect(client.requests.map(\.method.rawValue) == ["DELETE"])
    #expect(client.requests.map { $0.headers["Authorization"] } == ["Bearer access-1"])
  }

  @Test func `it is sent with a fresh token if that has expired`() async throws {
    let client = ScriptedHTTPClient(.success(json(200, Wire.tokens)), .success(json(204, "")))
    let provider = try provider(client) { $0.contract.signOutRequest = { _ in APIRequest(.delete, "session") } }
    try await provider.revoke(.sample(1, receivedAt: clock.now.addingTimeInterval(-7_200)))
    #expect(client.requests.map { $0.url.path() } == ["/auth/refresh", "/session"])
    #expect(client.requests.last?.headers["Authorization"] == "Bearer canary-access")
  }

  @Test func `it is not sent for a session that has ended, and fails if that is not known`() async throws {
    let expired = SessionTokens.sample(1, receivedAt: clock.now.addingTimeInterval(-7_200))
    let ended = ScriptedHTTPClient(.success(json(400, #"{"error":"invalid_grant"}"#)))
    try await provider(ended) { $0.contract.signOutRequest = { _ in APIRequest(.delete, "session") } }.revoke(expired)
    #expect(ended.requests.count == 1)
    let broken = ScriptedHTTPClient(.success(json(503, "{}")))
    let provider = try provider(broken) { $0.contract.signOutRequest = { _ in APIRequest(.delete, "session") } }
    #expect(await failure { try await provider.revoke(expired) } == .serverFailed)
  }
}
