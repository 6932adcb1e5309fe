import AuthenticationData
public import AuthenticationDomain

extension OpenIDConnectProvider {
  /// Validates an ID token of this issuer that the app got in another way, such as from the issuer's own SDK (OpenID
  /// Connect Core §3.1.3.7): by the issuer's keys, for this client, and not expired. Nothing is stored, and nobody is
  /// signed in.
  ///
  /// - Parameter nonce: the one the app had put into the request (§15.5.2). Without one, whoever has a token of somebody
  ///   else for this client could hand it in.
  ///
  /// Throws ``AuthenticationError/Code/security`` with the check that failed, and what keeps the issuer's keys from being
  /// fetched.
  public func validate(
    _ token: UnverifiedIDToken, nonce: String?
  ) async throws(AuthenticationError) -> IDToken {
    try await issuer.idToken(
      token,
      expecting: IDTokenExpectations(
        issuer: client.issuer, clientID: client.clientID, trustedAudiences: client.trustedAudiences,
        algorithms: client.algorithms, nonce: nonce, now: environment.clock.now, tolerance: client.clockTolerance))
  }
}
