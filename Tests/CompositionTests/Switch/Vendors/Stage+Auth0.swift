import AuthenticationKit
import AuthenticationOpenID
import AuthenticationTesting
import AuthenticationTestingServers
import Foundation

extension Stage {
  static func auth0() async throws -> Self {
    let clock = ManualClock()
    var options = LoopbackAuth0.Options()
    options.accessTokenLifetime = .seconds(3_600)
    let server = LoopbackAuth0(options, clock: clock)
    server.addAccount(.ada, phone: "+491701234567")
    try await server.start()
    var application = Auth0Application(domain: "tenant.eu.auth0.com", clientID: "app")
    application.endpoint = server.issuer
    application.redirect = .address("com.example.app:/callback")
    application.presenter = VisitingBrowser { try await server.visit($0) }
    let ada = Person(
      fields: [
        .userName: "ada@example.com", .password: "correct horse", .phoneNumber: "+491701234567",
        .emailAddress: "ada@example.com",
      ]
    ) { _ in
      guard let message = server.messages.last else { throw Person.NothingAtHand() }
      return .code(Secret(message.code))
    }
    return Stage(provider: .auth0(application), clock: clock, person: ada, server: server)
  }
}
