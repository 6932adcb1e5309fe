import AuthenticationData
import AuthenticationDomain
import AuthenticationTesting
import Foundation
import Testing

@testable import AuthenticationOpenID

/// Auth0's sessions, and its configurations.
@Suite struct Auth0SessionTests {
  @Test func `without rotation no refresh token comes back, and the first one stays`() async throws {
    let bench = try Auth0.bench([
      "/oauth/token": [json(200, #"{"access_token":"a-2","token_type":"Bearer","expires_in":86400}"#)]
    ])
    let session = AuthSession.sample(receivedAt: bench.clock.now)
    let refreshed = session.refreshed(with: try await bench.provider.refresh(session))
    #expect(refreshed.tokens.refresh == Secret("refresh-1"))
    #expect(bench.bodies("/oauth/token") == ["grant_type=refresh_token&refresh_token=refresh-1&client_id=app"])
  }

  @Test func `with rotation the newest counts, inside the overlap too`() async throws {
    let answer = { (number: Int) in
      json(
        200, #"{"access_token":"a-\#(number)","refresh_token":"r-\#(number)","token_type":"Bearer","expires_in":60}"#)
    }
    let bench = try Auth0.bench(["/oauth/token": [answer(2), answer(3)]])
    let session = AuthSession.sample(receivedAt: bench.clock.now)
    _ = try await bench.provider.refresh(session)
    // The answer was lost: the token that was just used works once more, and yields a further new one.
    let refreshed = session.refreshed(with: try await bench.provider.refresh(session))
    #expect(refreshed.tokens.refresh == Secret("r-3"))
  }

  @Test func `it offers the methods that the tenant has switched on, and nothing else`() async throws {
    let bench = try Auth0.bench(
      client: .auth0(domain: Auth0.domain, clientID: "app", methods: [.password, .browser]))
    #expect(bench.provider.methods == [.password, .browser])
    #expect(bench.product.processes.map(\.method) == [.password, .browser])
    #expect(await bench.signInFailure(EmailCredentials(address: "a@b.c")) == .unsupportedMethod)
    #expect(bench.http.requests.isEmpty)
  }

  @Test(arguments: [
    "", "tenant", "https://tenant.auth0.com", "tenant.auth0.com/x", "ada@tenant.auth0.com", "tenant.auth0.com?x",
    "a..b",
  ]) func `a malformed domain is refused by its key, and nothing is sent`(domain: String) {
    let error = refusal(of: .openIDConnect(.auth0(domain: domain, clientID: "app")))
    #expect(error == .invalidConfiguration)
    #expect(error?.message.contains("'domain'") == true)
  }

  @Test(arguments: ["http://id.example.com", "https://a:b@id.example.com", "https://id.example.com?x=1"])
  func `an endpoint that is http, or more than an address, is refused by its key`(endpoint: String) {
    let error = refusal(of: .openIDConnect(.auth0(domain: "tenant.auth0.com", clientID: "app", endpoint: endpoint)))
    #expect(error == .invalidConfiguration)
    #expect(error?.message.contains("'endpoint'") == true)
  }

  @Test func `other faults are refused too`() {
    let refused = { (client: OpenIDClient) in refusal(of: .openIDConnect(client)) }
    let domain = "tenant.auth0.com"
    #expect(refused(.auth0(domain: domain, clientID: "")) == .invalidConfiguration)
    var client = OpenIDClient.auth0(domain: domain, clientID: "app")
    #expect(refused(client) == nil)
    client.audience = ""
    #expect(refused(client)?.message.contains("'audience'") == true)
    for (key, client) in [
      ("methods", .auth0(domain: domain, clientID: "app", methods: [.anonymous])),
      ("organization", .auth0(domain: domain, clientID: "app", organization: "", methods: [])),
      ("connection", .auth0(domain: domain, clientID: "app", connection: "")),
    ] as [(String, OpenIDClient)] {
      #expect(refused(client)?.message.contains("'\(key)'") == true)
    }
  }
}
