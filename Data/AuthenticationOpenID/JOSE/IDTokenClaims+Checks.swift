import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension IDTokenClaims {
  /// Checks claims whose signature was verified by the rules of OpenID Connect Core §3.1.3.7.
  func checked(
    against expected: IDTokenExpectations, algorithm: SignatureAlgorithm
  ) throws(AuthenticationError) -> IDToken {
    guard let issuer, issuer.isSame(as: expected.issuer) || expected.issuerAliases.hasSame(as: issuer) else {
      throw .refused(by: .issuer, "The ID token was issued by another issuer, or does not say by which.")
    }
    try checkAudience(expected)
    guard let subject, (1...255).contains(subject.utf8.count), subject.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw .refused(by: .subject, "The ID token names no subject of 1 to 255 ASCII characters.")
    }
    let (issuedAt, expiresAt) = try checkLifetime(expected)
    if let nonce = expected.nonce, !self.nonce.isSame(as: nonce) {
      throw .refused(by: .nonce, "The ID token answers another request: its nonce is another, or missing.")
    }
    try checkHash(accessTokenHash, of: expected.accessToken, algorithm.hash, "access token")
    try checkHash(codeHash, of: expected.code, algorithm.hash, "authorization code")
    try checkAuthentication(expected)
    if let original = expected.continuing {
      try checkContinues(original.claims, trusting: expected.trustedAudiences, aliases: expected.issuerAliases)
    }
    return IDToken(
      issuer: issuer, subject: subject, audiences: audiences, authorizedParty: authorizedParty, issuedAt: issuedAt,
      expiresAt: expiresAt, authenticatedAt: authenticatedAt, authenticationContext: authenticationContext,
      name: name, hasFullName: hasFullName, email: email, isEmailVerified: isEmailVerified,
      phoneNumber: phoneNumber, picture: picture, locale: locale)
  }

  private func checkAudience(_ expected: IDTokenExpectations) throws(AuthenticationError) {
    let own = expected.audience ?? expected.clientID
    guard audiences.hasSame(as: own) else {
      throw .refused(by: .audience, "The ID token is meant for another client.")
    }
    guard audiences.allSatisfy({ $0.isSame(as: own) || expected.trustedAudiences.hasSame(as: $0) }) else {
      throw .refused(by: .audience, "The ID token is also meant for an audience that is not trusted.")
    }
    if let authorizedParty {
      guard authorizedParty.isSame(as: expected.clientID) else {
        throw .refused(by: .audience, "The ID token was issued to another client (azp).")
      }
    } else if audiences.count > 1 || expected.audience != nil {
      throw .refused(by: .audience, "The ID token has several audiences and does not say which it was issued to (azp).")
    }
  }

  private func checkLifetime(
    _ expected: IDTokenExpectations
  ) throws(AuthenticationError) -> (issuedAt: Date, expiresAt: Date) {
    guard let issuedAt, let expiresAt else {
      throw .refused(by: .idToken, "The ID token does not say when it was issued and when it expires.")
    }
    let tolerance = expected.tolerance / .seconds(1)
    guard expected.now < expiresAt.addingTimeInterval(tolerance) else {
      throw .refused(by: .lifetime, "The ID token has expired.")
    }
    let latest = expected.now.addingTimeInterval(tolerance)
    guard issuedAt <= latest else { throw .refused(by: .lifetime, "The ID token was issued in the future.") }
    if let notBefore, notBefore > latest { throw .refused(by: .lifetime, "The ID token is not valid yet (nbf).") }
    return (issuedAt, expiresAt)
  }

  private func checkHash(
    _ hash: String?, of secret: Secret?, _ function: SignatureAlgorithm.Hash, _ what: String
  ) throws(AuthenticationError) {
    guard let hash, let secret else { return }
    guard function.leftHalf(of: secret.reveal()).isSame(as: hash) else {
      throw .refused(by: .tokenHash, "The ID token belongs to another \(what).")
    }
  }

  /// `max_age`, and `acr` as an essential claim (OpenID Connect Core §3.1.2.1, §5.5.1.1). `acr_values` asks for a
  /// voluntary claim: what it says is for the app to judge.
  private func checkAuthentication(_ expected: IDTokenExpectations) throws(AuthenticationError) {
    if let maxAge = expected.requirements.maxAge {
      guard let authenticatedAt else {
        throw .refused(by: .authentication, "The ID token does not say when the person signed in (auth_time).")
      }
      let tolerance = expected.tolerance / .seconds(1)
      let age = expected.now.timeIntervalSince(authenticatedAt)
      guard age <= maxAge / .seconds(1) + tolerance, age >= -tolerance else {
        throw .refused(by: .authentication, "The person did not sign in as recently as was asked (max_age).")
      }
    }
    guard let values = expected.essentialContexts else { return }
    guard let authenticationContext, values.isEmpty || values.hasSame(as: authenticationContext) else {
      throw .refused(by: .authentication, "The user did not sign in in any way that was required (acr).")
    }
  }
}
