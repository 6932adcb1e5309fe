import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

/// An issuer over real HTTP, and the client's view of it.
struct IssuerBench {
  let loopback: LoopbackOpenIDIssuer
  let clock: ManualClock
  let issuer: Issuer

  init(_ change: (inout LoopbackOpenIDIssuer.Options) -> Void = { _ in }) async throws {
    var options = LoopbackOpenIDIssuer.Options()
    change(&options)
    clock = ManualClock()
    loopback = LoopbackOpenIDIssuer(options, clock: clock)
    let client = try SystemHTTPClient(maximumBodySize: 1 << 20)
    issuer = try Issuer(try await loopback.start(), client: client, clock: clock)
  }

  /// A new ID token, and when the issuer says it sent it.
  func sendToken() async throws -> (token: Secret, date: Date?) {
    let caller = IssuerCaller(issuer: loopback)
    let answer = try await caller.redeem(caller.authorize()["code"])
    let date = answer.response.date(now: clock.now)
    return (Secret(answer.text("id_token") ?? ""), date)
  }

  /// The issuer's keys as it publishes them, but that none names its algorithm.
  func keysWithoutAlgorithms() async throws -> [[String: String]] {
    let metadata = try await issuer.metadata()
    let url = try #require(metadata.endpoints[.keySet])
    let body = try await SystemHTTPClient().send(HTTPRequest(.get, url)).body
    return try JSONDecoder().decode([String: [[String: String]]].self, from: body)["keys", default: []].map { key in
      key.filter { $0.key != "alg" }
    }
  }

  func expectations(now: Date? = nil) -> IDTokenExpectations {
    IDTokenExpectations(issuer: issuer.identifier, clientID: "app", nonce: "n", now: now ?? clock.now)
  }

  func validate(_ token: Secret, serverDate: Date? = nil) async throws(AuthenticationError) -> IDToken {
    try await issuer.idToken(token, expecting: expectations(), serverDate: serverDate)
  }

  /// How a new token is refused; nil where it is believed.
  func refusal() async throws -> AuthenticationError? {
    let token = try await sendToken().token
    return await refusal(of: token)
  }

  func refusal(of token: Secret, serverDate: Date? = nil) async -> AuthenticationError? {
    do throws(AuthenticationError) {
      _ = try await validate(token, serverDate: serverDate)
      return nil
    } catch {
      return error
    }
  }

  var keyFetches: Int { loopback.requests(on: .keys).count }
}
