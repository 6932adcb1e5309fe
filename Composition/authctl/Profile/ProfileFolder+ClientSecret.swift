import AuthenticationKit
import Foundation

extension ProfileFolder {
  /// The secret of the profile's client; nil where it has none, or none any more after `logout`.
  func clientSecret(of profile: Profile) throws(AuthenticationError) -> Secret? {
    guard profile.hasClientSecret else { return nil }
    return try secrets(profile.storage).read(key(profile)).map { Secret(String(decoding: $0, as: UTF8.self)) }
  }

  /// Keeps it where the session is kept.
  func save(_ secret: Secret?, for profile: Profile) throws(AuthenticationError) {
    guard let secret else { return try secrets(profile.storage).delete(key(profile)) }
    try secrets(profile.storage).write(Data(secret.reveal().utf8), for: key(profile))
  }

  func forgetClientSecret(of profile: Profile) throws(AuthenticationError) {
    guard profile.hasClientSecret else { return }
    try secrets(profile.storage).delete(key(profile))
  }

  private func key(_ profile: Profile) -> String { "client-secret.\(name).\(profile.realm)" }

  // MARK: Of a login that is under way

  /// The secret that a login was begun with: its next step takes it too. The kept one of an earlier session stays.
  func begunClientSecret(of profile: Profile) throws(AuthenticationError) -> Secret? {
    guard profile.hasClientSecret else { return nil }
    return try secrets(profile.storage).read(begunKey(profile)).map { Secret(String(decoding: $0, as: UTF8.self)) }
  }

  func saveBegun(_ secret: Secret?, for profile: Profile) throws(AuthenticationError) {
    guard let secret else { return }
    try secrets(profile.storage).write(Data(secret.reveal().utf8), for: begunKey(profile))
  }

  func forgetBegunClientSecret(of profile: Profile) throws(AuthenticationError) {
    guard profile.hasClientSecret else { return }
    try secrets(profile.storage).delete(begunKey(profile))
  }

  private func begunKey(_ profile: Profile) -> String { "begun-\(key(profile))" }
}
