import AuthenticationKit
import AuthenticationOpenID
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation
import VendorServers

extension Stage {
  static func x() async throws -> Self {
    let clock = ManualClock()
    var options = LoopbackX.Options()
    options.accessTokenLifetime = .seconds(3_600)
    let server = LoopbackX(options, clock: clock)
    var app = OpenIDClient.x(clientID: "app", endpoint: try await server.start().absoluteString)
    app.redirect = .address("com.example.app:/callback")
    app.presenter = VisitingBrowser { try await server.visit($0) }
    return Stage(provider: .openIDConnect(app), clock: clock, user: SampleUser(fields: [:]), server: server)
  }
}
