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
    client.presenter = VisitingBrowser(issuer: server)
    client.allowsDiscouragedPasswordGrant = true
    var ada = Person(fields: [.userName: "ada", .password: "correct horse"])
    ada.actElsewhere = {
      await server.waitForDevice()
      server.approveDevice()
      await clock.waitForSleepers()
      clock.advance(by: .seconds(5))
    }
    return Stage(provider: .openIDConnect(client), clock: clock, person: ada, server: server)
  }
}

/// A browser without a window, in which the person agrees.
private struct VisitingBrowser: AuthorizationPresenter {
  let issuer: LoopbackOpenIDIssuer

  func present(
    redirectingTo redirect: RedirectURI, answering state: String,
    _ makeURL: @Sendable (_ redirectURI: String) async throws(AuthenticationError) -> URL
  ) async throws(AuthenticationError) -> URL {
    let page = try await makeURL("com.example.app:/callback")
    guard let url = try? await issuer.visit(page) else { throw .cancelled }
    return url
  }
}
