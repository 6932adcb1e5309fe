public import Foundation

/// A server's knowledge about passkeys (WebAuthn Level 3 §5.1.10). ``DevicePasskeys`` sends it.
public enum PasskeySignal: Sendable, Hashable {
  /// The server does not know this credential.
  case unknown(credentialID: Data)
  /// The server accepts these credentials of a user, and no other one: the others are hidden or removed.
  case accepted(credentialIDs: [Data], userHandle: Data)
  /// The names of the account to show.
  case details(userName: String, displayName: String, userHandle: Data)
}
