#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Names a passkey that a server knows (WebAuthn Level 3 §5.8.3).
public struct PasskeyDescriptor: Sendable, Hashable {
  /// The credential's id.
  public let id: Data
  /// How to reach the authenticator, such as `internal` or `hybrid`: hints, some of which may be unknown.
  public let transports: [String]

  /// For a test, or an authenticator of your own.
  public init(id: Data, transports: [String] = []) {
    self.id = id
    self.transports = transports
  }
}

extension PasskeyDescriptor: Decodable {
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: PasskeyMember.self)
    try members.requirePublicKey()
    self.init(id: try members.bytes(.id), transports: members.list(.transports))
  }
}
