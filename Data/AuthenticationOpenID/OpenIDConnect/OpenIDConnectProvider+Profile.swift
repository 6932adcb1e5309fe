import AuthenticationData
public import AuthenticationDomain

/// What the issuer knows about the person, by its UserInfo endpoint (OpenID Connect Core §5.3). Nothing can be changed.
extension OpenIDConnectProvider: ProfileProvider {
  /// What the endpoint says; what it leaves out is kept as it was.
  ///
  /// - Throws: ``AuthenticationError/Code/endpointMissing`` if the issuer has no such endpoint, and
  ///   ``AuthenticationError/Code/security`` with ``SecurityCheck/subject`` if it speaks of another person.
  public func user(of session: AuthSession) async throws(AuthenticationError) -> User {
    if let user = client.dialect.user {
      let user = try await user(session.tokens)
      try User.check(user.id, is: session.user.id)
      return user
    }
    let metadata = try await issuer.metadata()
    guard let endpoint = metadata.userInfoEndpoint else { throw .missing("UserInfo") }
    let response = try await userInfoResponse(for: session.tokens, at: endpoint)
    if response.status == 401 { throw .accessTokenRefused }
    guard response.isSuccess else { throw OAuthErrorResponseMapper.map(response, now: environment.clock.now) }
    let info = try UserInfoResponseMapper.map(response)
    try info.check(isAbout: session.user.id)
    return session.user.updated(with: info)
  }
}

extension User {
  /// Whether an address is verified is said together with the address.
  fileprivate func updated(with info: UserInfo) -> User {
    User(
      id: id, name: info.name ?? name, email: info.email ?? email, isNew: isNew,
      isEmailVerified: info.email == nil ? isEmailVerified : info.isEmailVerified,
      phoneNumber: info.phoneNumber ?? phoneNumber, picture: info.picture ?? picture, locale: info.locale ?? locale,
      createdAt: createdAt, isAnonymous: isAnonymous, claims: claims)
  }
}
