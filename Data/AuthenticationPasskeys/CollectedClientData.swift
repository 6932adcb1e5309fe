import AuthenticationData
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the client tells the authenticator to sign (WebAuthn Level 3 §5.8.1). Members that are unknown are ignored; the
/// bytes that were read are those that are sent and hashed.
struct CollectedClientData: Sendable {
  enum Ceremony: String, Sendable {
    case registration = "webauthn.create"
    case assertion = "webauthn.get"
  }

  private struct Wire: Decodable {
    let type: String
    let challenge: String
    let origin: String
    let crossOrigin: Bool?
    let topOrigin: String?
  }

  /// Nil if it is another type than the two of WebAuthn.
  let ceremony: Ceremony?
  /// In base64url without padding, as every client writes it.
  let challenge: String
  /// Where the page or the app is that asked.
  let origin: String
  /// Whether it asked from within a page of another origin.
  let isCrossOrigin: Bool

  /// Nil unless this is JSON with a type, a challenge and an origin.
  init?(_ json: Data) {
    guard json.count <= maximumPasskeySize, let wire = try? BoundedJSON.decode(Wire.self, from: json) else {
      return nil
    }
    ceremony = Ceremony(rawValue: wire.type)
    challenge = wire.challenge
    origin = wire.origin
    isCrossOrigin = wire.crossOrigin == true || wire.topOrigin != nil
  }
}
