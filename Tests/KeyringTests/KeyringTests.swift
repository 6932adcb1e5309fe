import AuthenticationDomain
import Foundation
import Testing

@testable import AuthenticationData

/// On a real GNOME Keyring: one after the other, since there is one keyring, which some of them lock or stop.
@Suite(.serialized, .timeLimit(.minutes(10))) enum KeyringTests {
  /// A new name, so that nothing of another test is found.
  static func storage(limit: Duration = .seconds(10), promptTimeout: Duration? = nil) -> SecretServiceStorage {
    SecretServiceStorage(service: "test \(UUID().uuidString)", limit: limit, promptTimeout: promptTimeout)
  }

  static func thrown(_ body: () throws(AuthenticationError) -> Void) -> AuthenticationError? {
    do { try body() } catch { return error }
    return nil
  }
}
