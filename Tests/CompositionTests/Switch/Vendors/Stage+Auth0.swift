import AuthenticationKit
import AuthenticationOpenID
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import VendorServers

extension Stage {
  static func auth0() async throws -> Self {
    let clock = ManualClock()
    var options = LoopbackAuth0.Options()
    options.accessTokenLifetime = .seconds(3_600)
    let server = LoopbackAuth0(options, clock: clock)
    server.addAccount(.ada, phone: "+491701234567")
    try await server.start()
    var client = OpenIDClient.auth0(domain: "tenant.eu.auth0.com", clientID: "app", endpoint: server.issuer)
    client.redirect = .address("com.example.app:/callback")
    client.presenter = VisitingBrowser { try await server.visit($0) }
    let ada = SampleUser(
      fields: [
        .userName: "ada@example.com", .password: "correct horse", .phoneNumber: "+491701234567",
        .emailAddress: "ada@example.com",
      ]
    ) { _ in
      guard let message = server.messages.last else { throw SampleUser.NothingAtHand() }
      return .code(Secret(message.code))
    }
    return Stage(provider: .openIDConnect(client), clock: clock, user: ada, server: server)
  }
}
