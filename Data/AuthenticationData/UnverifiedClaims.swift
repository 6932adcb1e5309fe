import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a JWT says (RFC 7519 §4), read without verifying anything: for a check that a server repeats, and for a token
/// from the app's own storage.
struct UnverifiedClaims: Sendable {
  private static let longestToken = 64 << 10

  private let claims: [String: JSONValue]

  /// Nil for a token that is not three parts with a JSON object in the middle (RFC 7515 §7.1).
  init?(_ token: Secret) {
    let parts = token.reveal().utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].count <= Self.longestToken,
      let payload = Data(lenientBase64: String(Substring(parts[1]))),
      let claims = try? JSONDecoder().decode([String: JSONValue].self, from: payload)
    else { return nil }
    self.claims = claims
  }

  subscript(name: String) -> JSONValue? { claims[name] }

  /// A claim that is text, and not empty.
  func text(_ name: String) -> String? { claims[name]?.text.flatMap { $0.isEmpty ? nil : $0 } }
}

extension UnverifiedClaims {
  /// The person that an ID token is about (OpenID Connect Core §5.1); nil if it has no `sub`.
  var user: User? {
    guard let subject = text("sub") else { return nil }
    return User(
      id: subject, name: text("name") ?? text("preferred_username"), email: text("email"),
      isEmailVerified: claims["email_verified"]?.flag, phoneNumber: text("phone_number"), picture: text("picture"),
      locale: text("locale"))
  }
}
