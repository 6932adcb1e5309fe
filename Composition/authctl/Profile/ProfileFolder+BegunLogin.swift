import AuthenticationKit
import Foundation

/// The login that is under way, kept for whoever cleans up where its process is killed: what it was begun with. Its
/// client's secret is kept where secrets are.
extension ProfileFolder {
  private var beginning: String { "login" }

  /// Notes a login, in place of an earlier one that never came to its end.
  func begin(_ profile: Profile, secret: Secret?, options: ProfileOptions, console: Console) async throws {
    await forgetBegunLogin(options: options, console: console)
    guard let data = try? JSONEncoder().encode(profile) else { return }
    try files.write(data, for: beginning)
    try saveBegun(secret, for: profile)
  }

  /// The login that waits for its next step, or was killed; nil if there is none.
  func begunLogin() -> Profile? {
    (try? files.read(beginning)).flatMap { try? BoundedJSON.decode(Profile.self, from: $0) }
  }

  /// The login is over: it left nothing.
  func endLogin() {
    if let profile = begunLogin() { try? forgetBegunClientSecret(of: profile) }
    try? files.delete(beginning)
  }

  /// Forgets a login that never came to its end, with the verifier it left.
  func forgetBegunLogin(options: ProfileOptions, console: Console) async {
    guard let profile = begunLogin() else { return endLogin() }
    if let opened = try? OpenProfile(profile, in: self, options: options, console: console) {
      opened.forgetBegunSignIns()
      await opened.root.attempts.forgetPending()
    }
    endLogin()
  }
}
