package import AuthenticationDomain
import Foundation

/// Signs in at an app team's own JSON backend.
///
/// Signing in fetches tokens (`POST /auth`), then the user (`GET /user`) unless the response already contained one. If
/// the sign-in fails after the tokens were fetched, they are revoked.
package struct APIAuthProvider: RemoteAuthProvider {
  package let base: ServiceURL
  package let contract: APIContract
  package let client: any HTTPClient
  let clock: any AuthenticationClock

  init(base: ServiceURL, contract: APIContract, client: any HTTPClient, clock: any AuthenticationClock) {
    self.base = base
    self.contract = contract
    self.client = client
    self.clock = clock
  }

  package var methods: [SignInMethod] { contract.methods }

  package var endsOtherSessions: Bool { contract.signOutEverywhereRequest != nil }

  package var createsAccounts: Bool { contract.signUpPath != nil || !contract.signUpPaths.isEmpty }

  package func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    if request.createsAccount { return try await signUp(request) }
    let credentials = request.credentials
    return try await open(
      contract.signInRequest(request), contract.signInPaths[credentials.method] ?? contract.signInPath,
      with: credentials, contract.refusals, contract.mapSignInRefusal)
  }

  private func signUp(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    let credentials = request.credentials
    guard let path = contract.signUpPaths[credentials.method] ?? contract.signUpPath else { throw .signUpUnsupported }
    let sent =
      if let request = try contract.signUpRequest(request) { request } else {
        APIRequest(.post, path, body: try signUpBody(request))
      }
    let refusals = contract.signUpRefusals + contract.refusals
    if contract.signUpReturnsTokens {
      return try await open(sent, path, with: credentials, refusals, contract.mapSignUpRefusal)
    }
    return try await open(sent, path, with: credentials, refusals, contract.mapSignUpRefusal) {
      _ throws(AuthenticationError) in
      try await signIn(SignInRequest(credentials, attributes: request.attributes))
    }
  }

  /// The body of a sign-in with, under `terms`, the versions of the terms that the user agrees to.
  private func signUpBody(_ request: SignInRequest) throws(AuthenticationError) -> APIContract.Body {
    let body = try contract.signInBody(request.credentials)
    let prefix = "terms."
    let agreed = request.attributes.filter { $0.key.hasPrefix(prefix) }
    guard !agreed.isEmpty, let data = try? JSONEncoder().encode(body),
      case .object(var members)? = try? BoundedJSON.decode(JSONValue.self, from: data)
    else { return body }
    let terms = agreed.map { (String($0.key.dropFirst(prefix.count)), JSONValue.string($0.value.reveal())) }
    members["terms"] = .object(Dictionary(uniqueKeysWithValues: terms))
    return members
  }

  package func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    try await refresh(session.tokens)
  }

  private func refresh(_ old: SessionTokens) async throws(AuthenticationError) -> SessionTokens {
    let response = try await client.send(refreshRequest(old))
    if contract.endsSession(response) {
      throw completed(
        .sessionRejected.with(\.providerCode, APIErrorResponseMapper.providerCode(of: response)), by: response)
    }
    guard response.isSuccess else { throw failure(response) }
    do throws(AuthenticationError) {
      return try tokens(response, by: contract.mapRefreshedTokens ?? contract.mapTokens)
    } catch {
      if APIErrorResponseMapper.providerCode(of: response) != nil { throw failure(response) }
      throw response.json?.isObject == true ? error.with(\.response, .unusable) : error
    }
  }

  private func refreshRequest(_ tokens: SessionTokens) throws(AuthenticationError) -> HTTPRequest {
    guard let token = tokens.refresh, contract.refreshing != .never else { throw .sessionExpired }
    let isInBody = contract.refreshing == .tokenInBody
    var request =
      if let request = contract.refreshRequest { try base.request(request(tokens)) } else {
        try base.request(APIRequest(.post, contract.refreshPath, body: isInBody ? contract.refreshBody(token) : nil))
      }
    if !isInBody, request.headers["Authorization"] == nil {
      request.headers["Authorization"] = bearer(token, of: tokens).reveal()
    }
    return request
  }

  private func bearer(_ token: Secret, of tokens: SessionTokens) -> Secret {
    contract.refreshing == .accessToken ? tokens.access.authorization : Secret("Bearer \(token.reveal())")
  }

  /// The tokens of a response, with the token that ``APIContract/refreshing`` names for the next refresh.
  private func tokens(
    _ response: HTTPResponse, by map: (HTTPResponse, Date) throws(AuthenticationError) -> SessionTokens
  ) throws(AuthenticationError) -> SessionTokens {
    let tokens = try map(response, clock.now)
    let refresh: Secret? =
      switch contract.refreshing {
      case .tokenInBody, .tokenInHeader: tokens.refresh
      case .accessToken: tokens.access.value
      case .never: nil
      }
    return SessionTokens(
      access: tokens.access, refresh: refresh, identity: tokens.identity, proofKey: tokens.proofKey,
      claims: tokens.claims)
  }

  package func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    guard let request = try await signOutRequest(tokens) else { return }
    let response = try await client.send(request)
    if response.isSuccess || (contract.isRevoked ?? contract.endsSession)(response) { return }
    throw failure(response)
  }

  /// Nil if there is nothing to send: the backend has no such path, or has ended the session.
  private func signOutRequest(_ tokens: SessionTokens) async throws(AuthenticationError) -> HTTPRequest? {
    let isOver = tokens.access.expiresAt.map { $0 <= clock.now } ?? false
    let canRefresh = tokens.refresh != nil && ![.accessToken, .never].contains(contract.refreshing)
    if let request = contract.signOutRequest {
      guard isOver, canRefresh else { return try base.request(request(tokens), tokens.access) }
      do throws(AuthenticationError) {
        let tokens = try await refresh(tokens)
        return try base.request(request(tokens), tokens.access)
      } catch {
        guard error == .sessionRejected else { throw error }
        return nil
      }
    }
    guard let path = contract.signOutPath else { return nil }
    let body = contract.refreshing == .tokenInBody ? tokens.refresh.map(contract.refreshBody) : nil
    var request = try base.request(APIRequest(.post, path, body: body ?? [String: String]()))
    // If the access token has expired, sending it would make the backend refuse the refresh token as well.
    if !canRefresh || !isOver {
      request.headers["Authorization"] = tokens.access.authorization.reveal()
    } else if contract.refreshing == .tokenInHeader, let token = tokens.refresh {
      request.headers["Authorization"] = bearer(token, of: tokens).reveal()
    }
    return request
  }

  package func endSessions(otherThan session: AuthSession) async throws(AuthenticationError) {
    guard let request = contract.signOutEverywhereRequest else { throw .unsupportedMethod }
    let response = try await client.send(base.request(request(session), session.accessToken, of: session.user))
    if response.isSuccess { return }
    if contract.refusesAccessToken(response) { throw .accessTokenRefused }
    throw failure(response)
  }

  /// The meaning of a response that no table and no rule of the contract explains.
  package func failure(_ response: HTTPResponse) -> AuthenticationError {
    completed(APIErrorResponseMapper.map(response, now: clock.now), by: response)
  }

  package func completed(_ error: AuthenticationError, by response: HTTPResponse) -> AuthenticationError {
    contract.completed(error, by: response, at: clock.now)
  }

  /// No backend needs so many requests for a sign-in.
  private static let longestSignIn = 8

  /// - Parameter granted: the result of a success without tokens; nil where it has them.
  private func open(
    _ request: APIRequest?, _ path: String, with credentials: any Credentials, _ refusals: [APIRefusal],
    _ refusal: (HTTPResponse) -> AuthenticationError?,
    granted: ((HTTPResponse) async throws(AuthenticationError) -> SignInOutcome)? = nil
  ) async throws(AuthenticationError) -> SignInOutcome {
    var request =
      if let request { request } else { APIRequest(.post, path, body: try contract.signInBody(credentials)) }
    for _ in 0..<Self.longestSignIn {
      let response = try await client.send(base.request(request))
      if let refusal = refusals.error(of: response) {
        throw completed(refusal.described(for: credentials), by: response)
      }
      if let next = try contract.mapNextRequest(response, credentials) {
        request = next
        continue
      }
      if let challenge = try contract.mapSignInStep(response, credentials) { return .challenge(challenge) }
      if let challenge = contract.mapChallenge(response) { return .challenge(challenge) }
      if let refusal = refusal(response) { throw completed(refusal.refusing(credentials), by: response) }
      guard response.isSuccess else { throw failure(response) }
      if let granted { return try await granted(response) }
      return .session(try await session(from: response, for: credentials))
    }
    throw .unexpectedResponse
  }

  private func session(
    from response: HTTPResponse, for credentials: any Credentials
  ) async throws(AuthenticationError) -> AuthSession {
    let tokens = try tokens(response, by: contract.mapTokens)
    do throws(AuthenticationError) {
      try contract.checkSignIn(response)
      let included = try contract.mapIncludedUser(response)
      let known = if let included { included } else { try contract.mapNamedUser(credentials) }
      let user = if let known { known } else { try await user(tokens.access) }
      return AuthSession(user: user, tokens: tokens)
    } catch {
      await discard(tokens, by: clock)
      throw error
    }
  }

  private func user(_ token: AccessToken) async throws(AuthenticationError) -> User {
    let response = try await client.send(base.request(APIRequest(.get, contract.checkedUserPath), token))
    guard response.isSuccess else { throw failure(response) }
    return try contract.mapUser(response)
  }
}

extension APIAuthProvider: SessionValidatingProvider {
  /// Sends `GET /user` to check the session.
  ///
  /// - Returns: false if the access token is refused, true if the response contains a user.
  /// - Throws: for every other response.
  package func isValid(_ session: AuthSession) async throws(AuthenticationError) -> Bool {
    let response = try await client.send(
      base.request(APIRequest(.get, contract.checkedUserPath), session.accessToken, of: session.user))
    if response.isSuccess {
      _ = try contract.mapUser(response)
      return true
    }
    if contract.refusesAccessToken(response) { return false }
    throw failure(response)
  }
}

extension APIContract {
  package var checkedUserPath: String {
    get throws(AuthenticationError) {
      guard let userPath else {
        throw AuthenticationError(
          .unsupportedMethod, "The backend's contract has no path for the user.",
          suggestion: "Set APIContract.mapIncludedUser, so that a sign-in needs none.")
      }
      return userPath
    }
  }
}
