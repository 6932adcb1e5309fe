import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Maps a successful response of the device authorization endpoint (RFC 8628 §3.2).
enum DeviceAuthorizationResponseMapper {
  private struct Wire: Decodable {
    let device_code: String
    let user_code: String
    let verification_uri: String?
    /// Google's name for the member.
    let verification_url: String?
    let verification_uri_complete: String?
    let expires_in: WireSeconds
    let interval: WireSeconds?
  }

  /// Throws ``AuthenticationError/Code/unexpectedAnswer`` if the body is not such an object, and for values that must
  /// not be shown to a person: an address that is not https (or http to this machine), a code that a terminal does
  /// not print unchanged.
  static func map(_ response: HTTPResponse) throws(AuthenticationError) -> DeviceAuthorization {
    guard response.isJSON, !response.isFromOtherOrigin,
      let wire = try? BoundedJSON.decode(Wire.self, from: response.body), !wire.device_code.isEmpty,
      let address = wire.verification_uri ?? wire.verification_url, address.isShowableAddress,
      wire.verification_uri_complete?.isShowableAddress ?? true, wire.user_code.isShowableCode,
      let lifetime = try? wire.expires_in.lifetime()
    else {
      throw AuthenticationError(
        .unexpectedAnswer, "The answer is not a code for another device, or not one that can be shown.",
        suggestion: "Check what the issuer's device authorization endpoint answers.")
    }
    return DeviceAuthorization(
      code: Secret(wire.device_code),
      prompt: DeviceSignIn.Prompt(
        verificationURI: address, completeVerificationURI: wire.verification_uri_complete, userCode: wire.user_code,
        lifetime: lifetime),
      interval: (try? wire.interval?.lifetime()) ?? .seconds(5))
  }
}

extension String {
  fileprivate var isShowableAddress: Bool {
    utf8.count <= 2_048 && utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf8.contains($0) }
      && URL(string: self).flatMap(Origin.init)?.isSecure == true
  }

  fileprivate var isShowableCode: Bool {
    (1...64).contains(utf8.count) && utf8.allSatisfy { (0x20...0x7E).contains($0) && !"\"\\".utf8.contains($0) }
      && contains { $0 != " " }
  }
}
