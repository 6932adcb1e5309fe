import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One issuer: what it publishes about itself, and the keys it signs with; each fetched once while fresh.
final class Issuer: Sendable {
  let identifier: String
  private let client: any HTTPClient
  private let clock: any AuthenticationClock

  /// Throws ``AuthenticationError/Code/invalidConfiguration`` unless the identifier is an https URL (or http to this
  /// machine) without query and fragment (RFC 8414 §2).
  init(_ identifier: String, client: any HTTPClient, clock: any AuthenticationClock) throws(AuthenticationError) {
    self.identifier = identifier
    self.client = client
    self.clock = clock
  }

  /// The issuer's metadata (OpenID Connect Discovery §4, RFC 8414 §3).
  func metadata() async throws(AuthenticationError) -> IssuerMetadata {
    throw AuthenticationError(.unexpectedAnswer, "Not built yet.")
  }

  /// Validates an ID token with the issuer's keys; an unknown key leads to one refetch.
  func idToken(
    _ raw: RawIdentityToken, expecting expectations: IDTokenExpectations
  ) async throws(AuthenticationError) -> IDToken {
    throw AuthenticationError(.security, "Not built yet.")
  }
}
