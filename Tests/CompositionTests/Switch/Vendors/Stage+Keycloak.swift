import AuthenticationKit
import AuthenticationOpenID
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation

extension Stage {
  static func keycloak() async throws -> Self {
    let clock = ManualClock()
    var options = LoopbackKeycloak.Options()
    options.refreshTokenLifetime = .seconds(36_000)
    let server = LoopbackKeycloak(options, clock: clock)
    var realm = KeycloakRealm(url: try await server.start().absoluteString, name: "demo", clientID: "app")
    realm.redirect = .address("com.example.app:/callback")
    realm.presenter = VisitingBrowser { try await server.visit($0) }
    var ada = Person(fields: [.userName: "ada", .password: "correct horse"])
    ada.actElsewhere = {
      await server.waitForDevice()
      server.approveDevice()
      await clock.waitForSleepers()
      clock.advance(by: .seconds(5))
    }
    return Stage(provider: .keycloak(realm), clock: clock, person: ada, server: server)
  }
}
