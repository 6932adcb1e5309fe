import AuthenticationDomainTesting
import AuthenticationKit
import AuthenticationTesting
import Foundation

extension ShowcaseWorld {
  var lines: [ProductLine] { providers.map(\.line) }
  var line: ProductLine { provider.line }
  /// Of the identity server.
  var apiURL: URL { URL(string: providers[0].address) ?? URL(filePath: "/") }
  /// Where a browser is sent to sign in.
  var issuerOrigins: [String] { providers.filter { $0.line.id == ProductLine.openID.id }.map(\.address) }

  func recordIntent(_ name: String) { recorder.begin(name) }

  /// An element after each change; of several that were not taken yet, one.
  func changes() -> AsyncStream<Void> { recorder.changes() }

  /// Follows the link of a mail as a browser does.
  ///
  /// - Returns: the link into the app to which it leads; nil where the message has none.
  func follow(_ message: Int) -> Secret? {
    recorder.letter(message)?.link.flatMap { supabase.follow($0) }.map { Secret($0.absoluteString) }
  }

  /// All there is to show, as it is now.
  var snapshot: Backstage {
    var backstage = Backstage()
    recorder.write(into: &backstage)
    backstage.session = root.manager.state.activeSession.map(card)
    backstage.clockOffset = secondsAhead
    for step in switches { backstage.switches[step.id] = step.lasting?.isOn(self) }
    return backstage
  }

  private func card(_ active: ActiveSession) -> Backstage.SessionCard {
    let tokens = active.session.tokens
    let place = storage.isLocked ? "files, locked now" : "files"
    return Backstage.SessionCard(
      user: active.session.user.name ?? active.session.user.id, accessToken: tokens.access.value.fingerprint,
      refreshToken: tokens.refresh?.value.fingerprint,
      secondsLeft: tokens.access.expiresAt.map { Int($0.timeIntervalSince(clock.now)) },
      lifetime: tokens.access.lifetime.map { Int($0.components.seconds) }, freshness: "\(active.freshness)",
      storage: active.unsaved == nil ? place : "\(place): not saved yet")
  }
}
