import AuthenticationKit
import AuthenticationOpenID
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import VendorServers

extension Stage {
  static func keycloak() async throws -> Self {
    let clock = ManualClock()
    var options = LoopbackKeycloak.Options()
    options.refreshTokenLifetime = .seconds(36_000)
    let server = LoopbackKeycloak(options, clock: clock)
    var client = OpenIDClient.keycloak(
      url: try await server.start().absoluteString, realm: "demo", clientID: "app")
    client.redirect = .address("com.example.app:/callback")
    client.presenter = VisitingBrowser { try await server.visit($0) }
    var ada = SampleUser(fields: [.userName: "ada", .password: "correct horse"])
    ada.actElsewhere = {
      await server.waitForDevice()
      server.approveDevice()
      await clock.waitForSleepers()
      clock.advance(by: .seconds(5))
    }
    return Stage(provider: .openIDConnect(client), clock: clock, user: ada, server: server)
  }
}
