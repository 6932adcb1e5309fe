import AuthenticationDomainTesting
import AuthenticationKit
import AuthenticationTestingServers
import Foundation

extension Tour: Stage {
  /// Tells of the step, and plays it.
  func play(_ step: ShowcaseStep) async throws {
    tell(step.lasting.flatMap { $0.isOn(self) ? $0.ending : nil } ?? step.sentence)
    try await step.play(self)
  }

  var resource: URL { baseURL.appending(path: "api/notes") }

  var secondProcess: SecondProcess {
    SecondProcess(
      line: .api, address: baseURL.absoluteString, resource: resource, folder: folder, secondsAhead: secondsAhead)
  }

  func setProviderDown(_ isDown: Bool) async throws {
    isProviderDown = isDown
    if isDown { await server.stop() } else { try await server.start(port: UInt16(baseURL.port ?? 0)) }
  }

  func expireTokens() { server.revokeAllAccessTokens() }
  func loseAnswer() { server.loseNextRefresh() }

  func endSessions() {
    if let user = app?.currentUser { server.revokeFamilies(ofUser: user.id) }
  }

  func relaunch() throws { _ = try launch() }
  func report(_ outcomes: [String: Int]) { self.outcomes = outcomes }
  func report(secondProcess outcome: String) { secondOutcome = outcome }
}
