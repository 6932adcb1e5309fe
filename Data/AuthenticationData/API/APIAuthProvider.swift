package import AuthenticationDomain
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Signs in at an app team's own JSON backend. (The ancestor's term: `APIAuthenticationUseCase`.)
///
/// Signing in fetches tokens (`POST /auth`), then the user (`GET /user`) unless the response already contained one. If
/// the sign-in fails after the tokens were fetched, they are revoked.
package struct APIAuthProvider: RemoteAuthProvider {
  let base: APIBase
  let contract: APIContract
  let client: any HTTPClient
  let clock: any AuthenticationClock

  package var methods: [SignInMethod] { contract.methods }

  package func signIn(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    try await open(
      contract.signInRequest(credentials), contract.signInPaths[credentials.method] ?? contract.signInPath,
      with: credentials, refusal: contract.mapSignInRefusal)
  }

  package func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    guard let token = session.tokens.refresh else { throw .sessionExpired }
    return try await refresh(with: token)
  }

  private func refresh(with token: RefreshToken) async throws(AuthenticationError) -> SessionTokens {
    let response = try await client.send(base.post(contract.refreshPath, contract.refreshBody(token)))
    guard response.isSuccess else {
      if contract.endsSession(response) { throw .sessionRejected }
      throw APIErrorResponseMapper.map(response, now: clock.now)
    }
    return try contract.mapTokens(response, clock.now)
  }

  package func revoke(_ tokens: SessionTokens) async throws(AuthenticationError) {
    guard let request = try await signOutRequest(tokens) else { return }
    let response = try await client.send(request)
    if response.isSuccess || contract.endsSession(response) { return }
    throw APIErrorResponseMapper.map(response, now: clock.now)
  }

  /// Nil if there is nothing to send: the backend has no such path, or has ended the session.
  private func signOutRequest(_ tokens: SessionTokens) async throws(AuthenticationError) -> HTTPRequest? {
    let isOver = tokens.access.expiresAt.map { $0 <= clock.now } ?? false
    if let request = contract.signOutRequest {
      guard isOver, let token = tokens.refresh else { return try base.request(request(tokens), tokens.access) }
      do throws(AuthenticationError) {
        let tokens = try await refresh(with: token)
        return try base.request(request(tokens), tokens.access)
      } catch {
        guard error.code == .sessionRejected else { throw error }
        return nil
      }
    }
    guard let path = contract.signOutPath else { return nil }
    var request = try base.post(path, tokens.refresh.map(contract.refreshBody) ?? [String: String]())
    // If the access token has expired, sending it would make the backend refuse the refresh token as well.
    if tokens.refresh == nil || !isOver { request.headers["Authorization"] = tokens.access.authorization.reveal() }
    return request
  }

  private func open(
    _ request: APIRequest?, _ path: String, with credentials: any Credentials,
    refusal: (HTTPResponse) -> AuthenticationError?
  ) async throws(AuthenticationError) -> SignInOutcome {
    let sent =
      if let request { try base.request(request) } else { try base.post(path, contract.signInBody(credentials)) }
    let response = try await client.send(sent)
    if let challenge = try contract.mapSignInStep(response, credentials) { return .challenge(challenge) }
    if let challenge = contract.mapChallenge(response) { return .challenge(challenge) }
    if let refusal = refusal(response) { throw refusal.refusing(credentials).waiting(as: response, clock.now) }
    guard response.isSuccess else { throw APIErrorResponseMapper.map(response, now: clock.now) }
    let tokens = try contract.mapTokens(response, clock.now)
    do throws(AuthenticationError) {
      try contract.checkSignIn(response)
      let included = try contract.mapIncludedUser(response)
      let user = if let included { included } else { try await user(tokens.access) }
      return .session(AuthSession(user: user, tokens: tokens))
    } catch {
      // In a separate task: a cancelled call could not send the request.
      await Task { try? await revoke(tokens) }.value
      throw error
    }
  }

  private func user(_ token: AccessToken) async throws(AuthenticationError) -> User {
    let response = try await client.send(base.get(contract.userPath, token))
    guard response.isSuccess else { throw APIErrorResponseMapper.map(response, now: clock.now) }
    return try contract.mapUser(response)
  }
}

extension APIAuthProvider: SignUpProvider {
  package func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    guard let path = contract.signUpPaths[credentials.method] ?? contract.signUpPath else { throw .signUpUnsupported }
    return try await open(
      contract.signUpRequest(credentials), path, with: credentials, refusal: contract.mapSignUpRefusal)
  }
}

extension APIAuthProvider: SessionValidatingProvider {
  /// Sends `GET /user` to check the session.
  ///
  /// - Returns: false for 401, true if the response contains a user.
  /// - Throws: for every other response.
  package func isValid(_ session: AuthSession) async throws(AuthenticationError) -> Bool {
    let response = try await client.send(base.get(contract.userPath, session.accessToken))
    if response.isSuccess {
      _ = try contract.mapUser(response)
      return true
    }
    if response.status == 401 { return false }
    throw APIErrorResponseMapper.map(response, now: clock.now)
  }
}
