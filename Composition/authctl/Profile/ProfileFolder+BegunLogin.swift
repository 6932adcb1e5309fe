import AuthenticationKit
import Foundation

/// The login that is under way, kept for whoever cleans up where its process is killed: what it was begun with, and no
/// secret.
extension ProfileFolder {
  private var beginning: String { "login" }

  /// Notes a login at an issuer, in place of an earlier one that never came to its end.
  func begin(_ profile: Profile, options: ProfileOptions, console: Console) throws {
    forgetBegunLogin(options: options, console: console)
    guard profile.openID != nil, let data = try? JSONEncoder().encode(profile) else { return }
    try files.write(data, for: beginning)
  }

  /// The login is over: it left nothing.
  func endLogin() { try? files.delete(beginning) }

  /// Forgets a login that never came to its end, with the verifier it left.
  func forgetBegunLogin(options: ProfileOptions, console: Console) {
    guard let data = try? files.read(beginning) else { return }
    if let profile = try? JSONDecoder().decode(Profile.self, from: data) {
      (try? OpenProfile(profile, in: self, options: options, console: console))?.forgetBegunSignIns()
    }
    endLogin()
  }
}
