import AuthenticationKit
import AuthenticationOpenID
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import VendorServers

extension Stage {
  /// A GitHub App whose tokens expire.
  static func gitHub() async throws -> Self {
    let clock = ManualClock()
    var options = LoopbackGitHub.Options()
    options.tokenLifetime = .seconds(3_600)
    let server = LoopbackGitHub(options, clock: clock)
    var app = OpenIDClient.github(
      clientID: "app", clientSecret: Secret("secret"), endpoint: try await server.start().absoluteString)
    app.redirect = .address("com.example.app:/callback")
    app.presenter = VisitingBrowser { try await server.visit($0) }
    var ada = SampleUser(fields: [:])
    ada.actElsewhere = {
      await server.waitForDevice()
      server.approveDevice()
      await clock.waitForSleepers()
      clock.advance(by: .seconds(5))
    }
    return Stage(provider: .openIDConnect(app), clock: clock, user: ada, server: server)
  }
}
