import AuthenticationDomain
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import Testing

@testable import AuthenticationOpenID

/// An ID token that the app did not get by this library: OpenID Connect Core §3.1.3.7.
@Suite(.timeLimit(.minutes(10))) struct ForeignIDTokenTests {
  /// A token with the nonce `n`.
  private func token(of bench: ProviderBench) async throws -> Secret {
    let caller = IssuerCaller(issuer: bench.loopback)
    let answer = try await caller.redeem(caller.authorize()["code"])
    return Secret(answer.text("id_token") ?? "")
  }

  @Test func `it is believed by the issuer's keys`() async throws {
    let bench = try await ProviderBench()
    let token = try await token(of: bench)
    for nonce in ["n", nil] {
      let believed = try await bench.provider().validate(token, nonce: nonce)
      #expect(believed.user.id == LoopbackOpenIDIssuer.Account.ada.subject && believed.claims.audiences == ["app"])
    }
  }

  @Test(arguments: [
    ("other", nil, nil, FailureReason.nonce), ("n", "other", nil, .audience),
    ("n", nil, Duration.seconds(86_400), .lifetime),
  ])
  func `it is checked as any other`(
    nonce: String, clientID: String?, age: Duration?, check: FailureReason
  ) async throws {
    var bench = try await ProviderBench()
    let token = try await token(of: bench)
    if let clientID { bench.client.clientID = clientID }
    if let age { bench.clock.advance(by: age) }
    let provider = try bench.provider()
    #expect(await failure { try await provider.validate(token, nonce: nonce) }?.reason == check)
  }

  @Test func `one that another issuer signed is not believed, rule 21`() async throws {
    let token = try await token(of: ProviderBench())
    let provider = try await ProviderBench { $0.algorithm = .es256 }.provider()
    #expect(await failure { try await provider.validate(token, nonce: "n") }?.reason == .signature)
  }
}
