public import AuthenticationData
import AuthenticationDomain

/// Signs in at an app team's own JSON backend, and changes accounts there.
struct APIAccountProvider: AccountProvider, SessionValidatingProvider {
  private let api: APIAuthProvider
  private let account: APIAccountContract

  private var contract: APIContract { api.contract }

  init(_ api: APIAuthProvider, _ account: APIAccountContract) {
    self.api = api
    self.account = account
  }

  var methods: [SignInMethod] { api.methods }
  var createsAccounts: Bool { api.createsAccounts }
  var endsOtherSessions: Bool { api.endsOtherSessions || accountAbilities.contains(.sessions) }

  func endSessions(otherThan session: AuthSession) async throws(AuthenticationError) {
    guard api.endsOtherSessions else { return try await endListedSessions(otherThan: session) }
    try await api.endSessions(otherThan: session)
  }

  func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    try await api.signIn(request)
  }

  func refresh(_ session: AuthSession) async throws(AuthenticationError) -> SessionTokens {
    try await api.refresh(session)
  }

  func revoke(_ tokens: SessionTokens, keepingOtherSessions: Bool) async throws(AuthenticationError) {
    try await api.revoke(tokens, keepingOtherSessions: keepingOtherSessions)
  }

  var accountAbilities: Set<AccountAbility> {
    contract.userPath == nil ? account.abilities.subtracting([.profile]) : account.abilities
  }

  var takesProofs: Bool { account.addProof != nil }
  var acceptsConditionalPasskeys: Bool { account.acceptsConditionalPasskeys }

  func acceptedPasskeys(of session: AuthSession) async throws(AuthenticationError) -> AcceptedPasskeys? {
    guard let service = try account.acceptedPasskeys?(session) else { return nil }
    return try await outcome(of: service, session)
  }

  func perform(
    _ request: AccountRequest, for session: AuthSession?
  ) async throws(AuthenticationError) -> AccountOutcome {
    guard let service = try account.change(request.change, session) else {
      guard case .answer(let answer) = request.change else { throw .notInContract }
      return AccountOutcome(try await signIn(SignInRequest(answer, attributes: request.attributes)))
    }
    let outcome = try await outcome(of: service, session, request.proof)
    guard outcome == .done, case .changePassword(_, let new) = request.change, let session,
      let credentials = account.credentialsAfterChange?(new, session)
    else { return outcome }
    return (try? await signIn(SignInRequest(credentials))).map { AccountOutcome($0) } ?? .done
  }

  func linkedMethods(of session: AuthSession) async throws(AuthenticationError) -> [LinkedMethod] {
    try await list(account.linkedMethods, session)
  }

  func factors(of session: AuthSession) async throws(AuthenticationError) -> [EnrolledFactor] {
    try await list(account.factors, session)
  }

  func sessions(of session: AuthSession) async throws(AuthenticationError) -> [RemoteSession] {
    try await list(account.sessions, session)
  }

  func user(of session: AuthSession) async throws(AuthenticationError) -> User {
    let response = try await api.client.send(
      api.base.request(APIRequest(.get, contract.checkedUserPath), session.accessToken, of: session.user))
    guard response.isSuccess else { throw refusal(response) }
    return try contract.mapUser(response)
  }

  private func list<Value>(
    _ service: (@Sendable (AuthSession) throws(AuthenticationError) -> APIService<[Value]>)?, _ session: AuthSession
  ) async throws(AuthenticationError) -> [Value] {
    guard let service else { throw .notInContract }
    return try await outcome(of: service(session), session)
  }

  private func outcome<Output>(
    of service: APIService<Output>, _ session: AuthSession?, _ proof: ChallengeAnswer? = nil
  ) async throws(AuthenticationError) -> Output {
    var request = service.request
    if let proof, let session {
      guard let addProof = account.addProof else { throw .notInContract }
      request = try addProof(request, proof, session)
    }
    let response = try await api.client.send(api.base.request(request, session?.accessToken, of: session?.user))
    if let challenge = account.mapProof(response) {
      guard var refusal = contract.refusals.error(of: response) else { throw .challengeRequired(challenge) }
      if proof != nil { refusal.challenge = challenge }
      throw api.completed(refusal, by: response)
    }
    do throws(AuthenticationError) {
      if let outcome = try service.outcome(response) { return outcome }
    } catch {
      throw api.completed(error, by: response)
    }
    throw refusal(response)
  }

  private func refusal(_ response: HTTPResponse) -> AuthenticationError {
    // A status alone, 401 above all, is here a refusal of the access token first, unlike at a sign-in.
    let isOfToken = contract.refusesAccessToken(response)
    if let error = contract.refusals.error(of: response, readingBody: isOfToken) {
      return api.completed(error, by: response)
    }
    return isOfToken ? .accessTokenRefused : api.failure(response)
  }

  func isValid(_ session: AuthSession) async throws(AuthenticationError) -> Bool { try await api.isValid(session) }
}

extension AuthProviderConfiguration {
  /// An app team's own JSON backend with account services; the tokens may be sent to the origin of its base URL.
  ///
  /// ```swift
  /// let root = try MainRoot(.api(baseURL: "https://api.example.com", account: .standard))
  /// try await root.manager.account.perform(.deleteAccount)
  /// ```
  ///
  /// - Parameters:
  ///   - baseURL: an https address, or an http one of this machine; the contract's paths are below it.
  ///   - contract: the backend's paths, bodies and responses.
  ///   - account: the account services that the backend offers.
  ///   - realm: by default the origin. Give one to keep sessions when the backend moves.
  public static func api(
    baseURL: String, contract: APIContract = .standard, account: APIAccountContract, realm: String? = nil
  ) -> Self { api(baseURL: baseURL, contract: contract, realm: realm) { APIAccountProvider($0, account) } }
}

extension AuthenticationError {
  fileprivate static let notInContract = Self(
    .unsupportedMethod, "The backend's contract does not offer this service.",
    suggestion: "Set it in APIAccountContract.")
}
