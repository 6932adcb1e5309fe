package import AuthenticationDomain

extension APIAuthProvider: PasswordResetProvider, PasswordChangeProvider, AddressProvider, LinkingProvider,
  FactorProvider, SessionListProvider, AccountDeletionProvider, ProfileProvider
{
  package var accountAbilities: Set<AccountAbility>? {
    let createsAccounts = contract.signUpPath != nil || !contract.signUpPaths.isEmpty
    let abilities = contract.account.abilities.union(createsAccounts ? [.signUp] : [])
    return contract.userPath == nil ? abilities.subtracting([.profile]) : abilities
  }

  package func answer(
    _ answer: ChallengeAnswer, for session: AuthSession?
  ) async throws(AuthenticationError) -> AccountStep {
    if contract.account.answer == nil { return try await signIn(with: answer).step }
    return try await ask(contract.account.answer, answer, session)
  }

  package func resetPassword(of account: String) async throws(AuthenticationError) -> AccountStep {
    try await ask(contract.account.resetPassword, account, nil)
  }

  package func changePassword(
    from old: Secret, to new: Secret, of session: AuthSession
  ) async throws(AuthenticationError) -> AccountStep {
    try await changePassword(from: old, to: new, of: session, proof: nil)
  }

  package func changePassword(
    from old: Secret, to new: Secret, of session: AuthSession, proof: ChallengeAnswer?
  ) async throws(AuthenticationError) -> AccountStep {
    let change = APIAccountContract.PasswordChange(old: old, new: new)
    let step = try await ask(contract.account.changePassword, change, session, proof)
    guard step == .done, let credentials = contract.account.credentialsAfterChange?(change, session) else {
      return step
    }
    return (try? await signIn(with: credentials))?.step ?? .done
  }

  package func verify(
    _ address: AccountAddress, of session: AuthSession
  ) async throws(AuthenticationError) -> AccountStep {
    try await ask(contract.account.verify, address, session)
  }

  package func linkedMethods(of session: AuthSession) async throws(AuthenticationError) -> [LinkedMethod] {
    try await ask(contract.account.linkedMethods, (), session)
  }

  package func link(
    _ credentials: any Credentials, to session: AuthSession
  ) async throws(AuthenticationError) -> AccountStep {
    try await ask(contract.account.link, credentials, session)
  }

  package func unlink(_ method: LinkedMethod, from session: AuthSession) async throws(AuthenticationError) {
    try await ask(contract.account.unlink, method, session)
  }

  package func factors(of session: AuthSession) async throws(AuthenticationError) -> [EnrolledFactor] {
    try await ask(contract.account.factors, (), session)
  }

  package func enrol(
    _ kind: Challenge.Kind, for session: AuthSession
  ) async throws(AuthenticationError) -> AccountStep {
    try await enrol(kind, for: session, proof: nil)
  }

  package func enrol(
    _ kind: Challenge.Kind, for session: AuthSession, proof: ChallengeAnswer?
  ) async throws(AuthenticationError) -> AccountStep {
    try await ask(contract.account.enrol, kind, session, proof)
  }

  @discardableResult
  package func remove(
    _ factor: EnrolledFactor, of session: AuthSession
  ) async throws(AuthenticationError) -> AuthSession? {
    try await remove(factor, of: session, proof: nil)
  }

  @discardableResult
  package func remove(
    _ factor: EnrolledFactor, of session: AuthSession, proof: ChallengeAnswer?
  ) async throws(AuthenticationError) -> AuthSession? {
    try await ask(contract.account.removeFactor, factor, session, proof)
    return nil
  }

  package func sessions(of session: AuthSession) async throws(AuthenticationError) -> [RemoteSession] {
    try await ask(contract.account.sessions, (), session)
  }

  package func end(_ remote: RemoteSession, of session: AuthSession) async throws(AuthenticationError) {
    try await end(remote, of: session, proof: nil)
  }

  package func end(
    _ remote: RemoteSession, of session: AuthSession, proof: ChallengeAnswer?
  ) async throws(AuthenticationError) {
    try await ask(contract.account.endSession, remote, session, proof)
  }

  package func deleteAccount(of session: AuthSession) async throws(AuthenticationError) {
    try await deleteAccount(of: session, proof: nil)
  }

  package func deleteAccount(of session: AuthSession, proof: ChallengeAnswer?) async throws(AuthenticationError) {
    try await ask(contract.account.deleteAccount, (), session, proof)
  }

  package func user(of session: AuthSession) async throws(AuthenticationError) -> User {
    let response = try await client.send(base.get(contract.checkedUserPath, session.accessToken, of: session.user))
    guard response.isSuccess else { throw refusal(response) }
    return try contract.mapUser(response)
  }

  package func update(
    _ changes: ProfileChanges, of session: AuthSession
  ) async throws(AuthenticationError) -> User {
    try await ask(contract.account.update, changes, session)
  }

  private func ask<Input, Output>(
    _ ability: APIAbility<Input, Output>?, _ input: Input, _ session: AuthSession?, _ proof: ChallengeAnswer? = nil
  ) async throws(AuthenticationError) -> Output {
    guard let ability else { throw .notInContract }
    var request = try ability.request(input, session)
    if let proof, let session {
      guard let addProof = contract.account.addProof else { throw .notInContract }
      request = try addProof(request, proof, session)
    }
    let response = try await client.send(base.request(request, session?.accessToken, of: session?.user))
    if let challenge = contract.account.mapProof(response) {
      guard var refusal = contract.refusals.error(of: response) else { throw .challengeRequired(challenge) }
      if proof != nil { refusal.challenge = challenge }
      throw refusal.waiting(as: response, clock.now)
    }
    do throws(AuthenticationError) {
      if let outcome = try ability.outcome(response, input, session) { return outcome }
    } catch {
      throw error.waiting(as: response, clock.now)
    }
    throw refusal(response)
  }

  private func refusal(_ response: HTTPResponse) -> AuthenticationError {
    // What a status alone means at a sign-in, 401 above all, is here a refusal of the access token first.
    let isOfToken = contract.account.refusesAccessToken(response)
    if let error = contract.refusals.error(of: response, readingBody: isOfToken) {
      return error.waiting(as: response, clock.now)
    }
    if isOfToken { return .accessTokenRefused }
    return APIErrorResponseMapper.map(response, now: clock.now)
  }
}

extension SignInOutcome {
  /// The same as the outcome of an account service.
  fileprivate var step: AccountStep {
    switch self {
    case .session(let session): .session(session)
    case .challenge(let challenge): .challenge(challenge)
    }
  }
}

extension AuthenticationError {
  fileprivate static let notInContract = Self(
    .unsupportedMethod, "The backend's contract does not offer this service.",
    suggestion: "Set it in APIContract.account.")
}
