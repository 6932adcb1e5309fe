import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The ID token of a session: validated before it was stored, and possibly expired since (OpenID Connect Core §12.2).
package struct StoredIDToken: Sendable {
  let claims: IDTokenClaims

  /// Throws ``AuthenticationError/Code/storageCorrupt`` if it is no longer a valid ID token.
  init(_ raw: RawIdentityToken) throws(AuthenticationError) {
    guard let jws = try? CompactJWS(raw.value.reveal()), let object = try? JSONObject(jws.payload),
      let claims = try? IDTokenClaims(object), claims.issuer != nil, claims.subject != nil
    else {
      throw AuthenticationError(
        .storageCorrupt, "The session's ID token cannot be read.", suggestion: "Signing in replaces it.")
    }
    self.claims = claims
  }
}

extension StoredIDToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "<stored ID token>" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension IDTokenClaims {
  /// Checks the ID token of a refresh by the rules of OpenID Connect Core §12.2.
  func checkContinues(
    _ original: IDTokenClaims, trusting trusted: Set<String>, aliases: Set<String> = []
  ) throws(AuthenticationError) {
    try parties.checkContinue(original.parties, trusting: trusted, aliases: aliases)
    guard authorizedParty.isSame(as: original.authorizedParty) else {
      throw .refused(by: .audience, "The refreshed ID token was issued to another client than the one of the sign-in.")
    }
    guard nonce == nil || nonce.isSame(as: original.nonce) else {
      throw .refused(by: .nonce, "The refreshed ID token has another nonce than the one of the sign-in.")
    }
    // One may be written with a fraction and the other without.
    if let authenticatedAt, let before = original.authenticatedAt, abs(authenticatedAt.timeIntervalSince(before)) >= 1 {
      throw .refused(by: .authentication, "The refreshed ID token is of another sign-in than the one of the session.")
    }
  }
}
