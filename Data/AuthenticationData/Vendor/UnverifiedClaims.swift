package import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension JSONMembers {
  private static let longestToken = 64 << 10

  /// The claims of a JWT (RFC 7519 §7.2) whose signature is not checked: only for a token that came from its issuer
  /// itself over TLS, for one from the app's own storage, or for an early check that a server repeats.
  ///
  /// - Returns: nil unless it has three segments, the second of them a JSON object.
  package init?(unverified token: Secret) {
    let text = token.reveal()
    guard text.utf8.count <= Self.longestToken else { return nil }
    let segments = text.split(separator: ".", omittingEmptySubsequences: false)
    guard segments.count == 3, let payload = Data(lenientBase64: String(segments[1])) else { return nil }
    self.init(json: payload)
  }

  /// The person that an ID token's claims are about (OpenID Connect Core §5.1); nil if there is no `sub`.
  package var user: User? {
    guard let subject = self["sub"] else { return nil }
    return User(
      id: subject, name: DisplayNameClaims.name(of: subject) { self[$0] }, email: self["email"],
      isEmailVerified: flag("email_verified"), phoneNumber: self["phone_number"], picture: self["picture"],
      locale: self["locale"])
  }
}
