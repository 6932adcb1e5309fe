import AuthenticationData
import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension OpenIDConnectProvider {
  /// Creates the session of fetched tokens after everything that came with them is checked; if a check fails, the
  /// tokens are revoked.
  ///
  /// - Parameter mayLackIDToken: for plain OAuth grants, for which OpenID Connect requires no ID token. A check of one
  ///   that is set requires it nevertheless: the dialect's own (``IssuerDialect/checkIdentity``), and `max_age`.
  func session(
    with tokens: SessionTokens, from response: HTTPResponse, askedFor scopes: [String], mayLackIDToken: Bool = false,
    expecting change: (inout IDTokenExpectations) -> Void = { _ in }
  ) async throws(AuthenticationError) -> AuthSession {
    let now = environment.clock.now
    var expectations = expectations(for: tokens, at: now)
    change(&expectations)
    do throws(AuthenticationError) {
      try tokens.checkBinding()
      let isChecked = client.dialect.checkIdentity != nil || expectations.requirements.maxAge != nil
      guard isChecked || scopes.contains("openid") && !(mayLackIDToken && tokens.identity == nil) else {
        return AuthSession(user: try await userWithoutIDToken(tokens), tokens: tokens.withoutIdentity)
      }
      guard let identity = tokens.identity else {
        throw .refused(
          by: .idToken,
          isChecked ? "No ID token came that could be checked." : "An ID token was asked for, and none came.")
      }
      let token = try await issuer.idToken(identity, expecting: expectations, serverDate: response.date(now: now))
      try client.dialect.checkIdentity?(JSONMembers(unverified: identity.value) ?? JSONMembers([:]))
      return try await completed(AuthSession(user: token.user, tokens: tokens), of: token, askedFor: scopes)
    } catch {
      await discard(tokens, isSparing: expectations.requirements != AuthenticationRequirements())
      throw error
    }
  }

  /// The expected values for every ID token of this client (OpenID Connect Core §3.1.3.7).
  func expectations(for tokens: SessionTokens, at now: Date) -> IDTokenExpectations {
    var expectations = IDTokenExpectations(
      issuer: client.issuer, clientID: client.clientID, trustedAudiences: client.trustedAudiences,
      algorithms: client.algorithms, accessToken: tokens.access.value, now: now, tolerance: client.clockTolerance)
    expectations.issuerAliases = client.dialect.issuerAliases
    expectations.audience = client.dialect.audience
    return expectations
  }

  /// Adds the name and address that the scopes request and the ID token lacks. If the endpoint does not respond, the
  /// sign-in still succeeds; if it responds about another person, the sign-in fails.
  private func completed(
    _ session: AuthSession, of token: IDToken, askedFor scopes: [String]
  ) async throws(AuthenticationError) -> AuthSession {
    let user = session.user
    let lacksName = !token.hasFullName && scopes.contains("profile")
    let lacksEmail = user.email == nil && scopes.contains("email")
    guard lacksName || lacksEmail, try await issuer.metadata().userInfoEndpoint != nil else { return session }
    do throws(AuthenticationError) {
      guard let info = try await promptUserInfo(for: session) else { return session }
      return AuthSession(user: user.completed(by: info, renaming: !token.hasFullName), tokens: session.tokens)
    } catch {
      guard error.code != .security, error.code != .cancelled else { throw error }
      return session
    }
  }

  /// Nil if the endpoint takes longer than 5 seconds: a name is not worth a longer wait.
  private func promptUserInfo(for session: AuthSession) async throws(AuthenticationError) -> UserInfo? {
    let task = Task { () async -> Result<UserInfo, AuthenticationError> in
      do throws(AuthenticationError) { return .success(try await userInfo(for: session)) } catch {
        return .failure(error)
      }
    }
    defer { task.cancel() }
    let answer = await environment.clock.wait(for: task, atMost: .seconds(5))
    if Task.isCancelled { throw .cancelled }
    return try answer?.get()
  }

  /// Plain OAuth does not identify the person, so the issuer is asked. If it cannot tell, each sign-in gets a new id,
  /// so that two people never get the same one. An outage is thrown: a new id would turn a known person into an unknown
  /// one.
  private func userWithoutIDToken(_ tokens: SessionTokens) async throws(AuthenticationError) -> User {
    if let user = client.dialect.user { return try await user(tokens) }
    let metadata = try await issuer.metadata()
    if let endpoint = metadata.userInfoEndpoint {
      let response = try await userInfoResponse(for: tokens, at: endpoint)
      if response.isSuccess, let info = try? UserInfoResponseMapper.map(response) {
        return User(id: info.subject).completed(by: info)
      }
      try throwOutage(response)
    }
    if let endpoint = try await issuer.endpoint(\.introspectionEndpoint) {
      do throws(AuthenticationError) {
        let answer = try await introspect(tokens.access, at: endpoint)
        if answer.isActive, let subject = answer.subject { return User(id: subject, name: answer.userName) }
      } catch  where [.clientRejected, .unexpectedAnswer, .endpointMissing].contains(error.code) {}
    }
    return User(id: Base64URL.encode(environment.randomBytes(16)))
  }

  private func throwOutage(_ response: HTTPResponse) throws(AuthenticationError) {
    guard response.status == 429 || (500...599).contains(response.status) else { return }
    throw OAuthErrorResponseMapper.map(response, now: environment.clock.now)
  }
}

extension IDToken {
  fileprivate var user: User {
    User(
      id: subject, name: name, email: email, isEmailVerified: isEmailVerified, phoneNumber: phoneNumber,
      picture: picture, locale: locale)
  }
}

extension User {
  /// Whether an address is verified is said together with the address.
  ///
  /// - Parameter renames: whether the endpoint's name counts more than this one.
  fileprivate func completed(by info: UserInfo, renaming renames: Bool = false) -> User {
    User(
      id: id, name: renames ? info.name ?? name : name ?? info.name, email: email ?? info.email, isNew: isNew,
      isEmailVerified: email == nil ? info.isEmailVerified : isEmailVerified,
      phoneNumber: phoneNumber ?? info.phoneNumber, picture: picture ?? info.picture, locale: locale ?? info.locale)
  }
}
