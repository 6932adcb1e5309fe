import AuthenticationData
public import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension OpenIDConnectProvider {
  /// Validates an ID token of this issuer that the app got in another way, such as from the issuer's own SDK (OpenID
  /// Connect Core §3.1.3.7): signed with the issuer's keys, for this client, and not expired. Nothing is stored, and no
  /// session begins.
  ///
  /// - Parameters:
  ///   - token: as it was received.
  ///   - nonce: the one the app sent with its request (§15.5.2). Without one, an attacker could pass in another person's
  ///     token for this client.
  /// - Throws: ``AuthenticationError/Code/security`` with the check that failed, and the errors of fetching the
  ///   issuer's keys.
  public func validate(
    _ token: UnverifiedIDToken, nonce: String?
  ) async throws(AuthenticationError) -> IDToken {
    var expectations = IDTokenExpectations(
      issuer: client.issuer, clientID: client.clientID, trustedAudiences: client.trustedAudiences,
      algorithms: client.algorithms, nonce: nonce, now: environment.clock.now, tolerance: client.clockTolerance)
    expectations.issuerAliases = client.dialect.issuerAliases
    expectations.audience = client.dialect.audience
    let checked = try await issuer.idToken(token, expecting: expectations)
    try client.dialect.checkIdentity?(JSONMembers(json: Data(token.jws.payload)) ?? JSONMembers([:]))
    return checked
  }
}
