import AuthenticationKit
import AuthenticationTestingServers
import Foundation

/// An OpenID Connect issuer with a login page of its own, and a page for the codes of devices.
final class OwnIssuer: ShowcaseProvider {
  private let server: LoopbackOpenIDIssuer
  let line = ProductLine.openID

  init(clock: any AuthenticationClock, recorder: Recorder) {
    var options = LoopbackOpenIDIssuer.Options()
    options.accessTokenLifetime = .seconds(120)
    options.reuseGrace = .seconds(60)
    options.deviceInterval = .seconds(1)
    options.onExchange = { recorder.receive($0) }
    server = LoopbackOpenIDIssuer(options, clock: clock)
    server.person = .types
  }

  var address: String { server.identifier }
  var resource: URL { server.url(.resource) }

  func start() async throws(LoopbackServerError) {
    try await server.start(port: UInt16(URL(string: server.identifier)?.port ?? 0))
  }

  func stop() async { await server.stop() }
  func expireTokens() { server.revokeAllAccessTokens() }
  func loseAnswer() { server.set(.usual(.dropAfterProcessing), onGrant: "refresh_token", times: 1) }
  func endSessions(of user: User) { server.revokeAllSignIns() }
}
