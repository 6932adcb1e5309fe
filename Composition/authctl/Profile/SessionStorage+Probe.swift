import AuthenticationKit
import Foundation

extension SessionStorage {
  /// Throws where no session could be stored now.
  ///
  /// Saves a stand-in at a place of its own: the session, rewritten, could undo what another process did meanwhile.
  func checkSaving() throws(AuthenticationError) {
    let store = place("probe").store
    try store.save(.standIn())
    try store.delete()
  }
}

extension SessionRecord {
  /// As large as a session gets, so that a disk which is nearly full is noticed.
  fileprivate static func standIn() throws(AuthenticationError) -> Self {
    let token = try AccessToken(Secret(String(repeating: "-", count: 1 << 16)), receivedAt: Date(), lifetime: nil)
    return Self(session: AuthSession(user: User(id: "probe"), tokens: SessionTokens(access: token)))
  }
}
