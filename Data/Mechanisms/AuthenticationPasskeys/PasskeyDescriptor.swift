public import Foundation

/// Names a passkey that a server knows (WebAuthn Level 3 §5.8.3).
public struct PasskeyDescriptor: Sendable, Hashable {
  /// The credential's id.
  public let id: Data
  /// How to reach the authenticator, such as `internal` or `hybrid`: hints, some of which may be unknown.
  public let transports: [String]

  init(id: Data, transports: [String] = []) {
    self.id = id
    self.transports = transports
  }
}
