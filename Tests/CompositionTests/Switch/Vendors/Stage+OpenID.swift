import AuthenticationKit
import AuthenticationOpenID
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation

extension Stage {
  static func openID() async throws -> Self {
    let clock = ManualClock()
    let server = LoopbackOpenIDIssuer(clock: clock)
    var client = OpenIDClient(issuer: try await server.start(), clientID: "app")
    client.redirect = .address("com.example.app:/callback")
    client.presenter = VisitingBrowser { try await server.visit($0) }
    client.allowsDiscouragedPasswordGrant = true
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
