import AuthenticationDomainTesting
import AuthenticationKit
import AuthenticationTesting
import Foundation

extension ShowcaseWorld: Stage {
  var switches: [ShowcaseStep] { ShowcaseStep.all }
  var app: MainRoot? { root }
  var resource: URL { provider.resource }

  var secondProcess: SecondProcess {
    SecondProcess(
      line: provider.line, address: provider.address, resource: resource, folder: folder.url,
      secondsAhead: secondsAhead)
  }

  /// Plays the step of this id; others are ignored.
  func perform(_ id: ShowcaseStep.ID) async {
    guard let step = switches.first(where: { $0.id == id }) else { return }
    let isEnding = step.lasting?.isOn(self) ?? false
    recorder.begin(isEnding ? step.lasting?.ending ?? step.title : step.title)
    do {
      try await step.play(self)
    } catch {
      recorder.step(.state, "the step failed", (error as? AuthenticationError)?.message ?? "\(error)")
    }
    recorder.touch()
  }

  func setProviderDown(_ isDown: Bool) async throws {
    guard isDown != isProviderDown else { return }
    isProviderDown = isDown
    if isDown { await provider.stop() } else { try await provider.start() }
  }

  func expireTokens() { provider.expireTokens() }
  func loseAnswer() { provider.loseAnswer() }

  func endSessions() {
    if let user = root.currentUser { provider.endSessions(of: user) }
  }

  func report(_ outcomes: [String: Int]) {
    for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) {
      recorder.step(.state, count == 1 ? "a call was answered" : "\(count) calls were answered", outcome)
    }
  }

  func report(secondProcess outcome: String) {
    recorder.step(.store, "a second process used the session", outcome)
  }
}
