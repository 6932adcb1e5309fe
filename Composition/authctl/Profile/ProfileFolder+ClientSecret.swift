import AuthenticationKit
import Foundation

extension ProfileFolder {
  /// The secret of the profile's client; nil where it has none.
  func clientSecret(of profile: Profile) throws(AuthenticationError) -> Secret? {
    guard profile.openID?.hasSecret == true else { return nil }
    guard let data = try secrets(profile.storage).read(key(profile)) else {
      throw AuthenticationError(
        .storageCorrupt, "The client's secret is not where it was kept.",
        suggestion: "Log in again with --client-secret-file.")
    }
    return Secret(String(decoding: data, as: UTF8.self))
  }

  /// Keeps it where the session is kept.
  func save(_ secret: Secret?, for profile: Profile) throws(AuthenticationError) {
    guard let secret else { return }
    try secrets(profile.storage).write(Data(secret.reveal().utf8), for: key(profile))
  }

  private func key(_ profile: Profile) -> String { "client-secret.\(profile.realm)" }
}
