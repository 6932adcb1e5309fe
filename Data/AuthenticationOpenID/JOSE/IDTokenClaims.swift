import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The claims of an ID token as they were sent (OpenID Connect Core §2): well-formed, but not checked.
struct IDTokenClaims: Sendable, Redacted {
  let issuer: String?
  let subject: String?
  let audiences: [String]
  let authorizedParty: String?
  let issuedAt: Date?
  let expiresAt: Date?
  let notBefore: Date?
  let authenticatedAt: Date?
  let authenticationContext: String?
  let nonce: String?
  let accessTokenHash: String?
  let codeHash: String?
  let name: String?
  let hasFullName: Bool
  let email: String?
  let isEmailVerified: Bool?
  let phoneNumber: String?
  let picture: String?
  let locale: String?

  /// Throws ``SecurityCheck/idToken`` if a claim that is checked has a value of the wrong type. A claim that is only
  /// shown to people is then treated as absent.
  init(_ object: JSONObject) throws(AuthenticationError) {
    do throws(JSONObject.WrongKind) {
      issuer = try object.string("iss")
      subject = try object.string("sub")
      audiences = try object.strings("aud", orOne: true) ?? []
      authorizedParty = try object.string("azp")
      issuedAt = try object.date("iat")
      expiresAt = try object.date("exp")
      notBefore = try object.date("nbf")
      authenticatedAt = try object.date("auth_time")
      authenticationContext = try object.string("acr")
      nonce = try object.string("nonce")
      accessTokenHash = try object.string("at_hash")
      codeHash = try object.string("c_hash")
    } catch {
      throw .refused(by: .idToken, "The ID token's '\(error.name)' is of the wrong kind.")
    }
    let text = { (name: String) in (try? object.string(name)) ?? nil }
    name = DisplayNameClaims.name(of: subject, text)
    hasFullName = DisplayNameClaims.full.contains { text($0)?.isEmpty == false }
    email = (try? object.string("email")) ?? nil
    isEmailVerified = object.flag("email_verified")
    phoneNumber = (try? object.string("phone_number")) ?? nil
    picture = (try? object.string("picture")) ?? nil
    locale = (try? object.string("locale")) ?? nil
  }
}

extension JSONObject {
  /// Seconds since 1970, with or without a fraction (RFC 7519 §2); what is later than the year 9999 is its end.
  fileprivate func date(_ name: String) throws(WrongKind) -> Date? {
    try number(name).map { Date(timeIntervalSince1970: min(max($0, -Date.latestSeconds), Date.latestSeconds)) }
  }
}
