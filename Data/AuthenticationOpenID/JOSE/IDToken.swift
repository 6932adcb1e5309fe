#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A validated ID token: what an issuer asserted about a person (OpenID Connect Core §2, §3.1.3.7).
public struct IDToken: Sendable {
  /// `iss`.
  public let issuer: String
  /// `sub`: the person, stable at this issuer.
  public let subject: String
  /// `aud`.
  public let audiences: [String]
  /// `azp`.
  public let authorizedParty: String?
  /// `iat` (UTC).
  public let issuedAt: Date
  /// `exp` (UTC).
  public let expiresAt: Date
  /// `auth_time` (UTC): when the person last signed in at the issuer.
  public let authenticatedAt: Date?
  /// `acr`.
  public let authenticationContext: String?
  /// `name`, or else `preferred_username`, `nickname`, `given_name` or `cognito:username` (OpenID Connect Core §5.1).
  public let name: String?
  /// Whether ``name`` is one that no UserInfo endpoint knows better.
  let hasFullName: Bool
  /// `email`; see ``isEmailVerified``.
  public let email: String?
  /// `email_verified`; nil if the issuer does not say.
  public let isEmailVerified: Bool?
  /// `phone_number`.
  public let phoneNumber: String?
  /// `picture`: an address, as the issuer wrote it.
  public let picture: String?
  /// `locale` (BCP 47).
  public let locale: String?
}
