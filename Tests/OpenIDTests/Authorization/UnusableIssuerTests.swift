import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationOpenID

/// A fault that would end a sign-in is reported at its beginning: no page is shown.
@Suite struct UnusableIssuerTests {
  private func failure(
    _ spoil: (inout IssuerMetadata) -> Void, _ change: (inout OpenIDClient) -> Void = { _ in }
  ) async -> AuthenticationError? {
    var bench = FlowBench()
    spoil(&bench.metadata)
    change(&bench.client)
    let failure = await bench.failure()
    if failure != nil { #expect(bench.presenter.urls.isEmpty) }
    return failure
  }

  @Test func `an issuer that says that it answers with no code, or to no code grant`() async {
    #expect(await failure { $0.responseTypes = ["id_token"] } == .clientRejected)
    #expect(await failure { $0.grantTypes = ["implicit"] } == .clientRejected)
    #expect(await failure { $0.responseTypes = ["code", "id_token"] } == nil)
  }

  @Test func `the issuer's response types do not count where the app names the endpoint itself`() async {
    #expect(
      await failure({ $0.responseTypes = ["id_token"] }) {
        $0.endpoints = [.authorization: "https://id.example.com/authorize"]
      } == nil)
  }

  @Test func `an issuer without a token endpoint, without one for the pushed requests it wants, without keys`() async {
    #expect(await failure { $0.endpoints[.token] = nil } == .endpointMissing)
    #expect(await failure { $0.requiresPushedAuthorizationRequests = true } == .endpointMissing)
    #expect(await failure { $0.endpoints[.keySet] = nil }?.reason == .signature)
    #expect(await failure({ $0.endpoints[.keySet] = nil }) { $0.scopes = ["email"] } == nil)
  }
}
