package import AuthenticationDomain

extension APIAuthProvider: AccountProvider {
  package var accountAbilities: Set<AccountAbility> {
    let abilities = contract.account.abilities
    return contract.userPath == nil ? abilities.subtracting([.profile]) : abilities
  }

  package var takesProofs: Bool { contract.account.addProof != nil }

  package func perform(
    _ request: AccountRequest, for session: AuthSession?
  ) async throws(AuthenticationError) -> AccountOutcome {
    let (account, proof) = (contract.account, request.proof)
    switch request.change {
    case .resetPassword(let name): return try await ask(account.resetPassword, name, nil)
    case .changePassword(let old, let new):
      return try await change(APIAccountContract.PasswordChange(old: old, new: new), session, proof)
    case .verify(let address): return try await ask(account.verify, address, session, proof)
    case .link(let credentials): return try await ask(account.link, credentials, session, proof)
    case .unlink(let method): try await ask(account.unlink, method, session, proof)
    case .enrol(let kind): return try await ask(account.enrol, kind, session, proof)
    case .remove(let factor): try await ask(account.removeFactor, factor, session, proof)
    case .end(let other): try await ask(account.endSession, other, session, proof)
    case .update(let changes):
      let user = try await ask(account.update, changes, session, proof)
      return session.map { .session(AuthSession(user: user, tokens: $0.tokens)) } ?? .done
    case .deleteAccount: try await ask(account.deleteAccount, (), session, proof)
    case .answer(let answer):
      if account.answer == nil {
        return AccountOutcome(try await signIn(SignInRequest(answer, attributes: request.attributes)))
      }
      return try await ask(account.answer, answer, session)
    }
    return .done
  }

  private func change(
    _ change: APIAccountContract.PasswordChange, _ session: AuthSession?, _ proof: ChallengeAnswer?
  ) async throws(AuthenticationError) -> AccountOutcome {
    let outcome = try await ask(contract.account.changePassword, change, session, proof)
    guard outcome == .done, let session,
      let credentials = contract.account.credentialsAfterChange?(change, session)
    else { return outcome }
    return (try? await signIn(SignInRequest(credentials))).map { AccountOutcome($0) } ?? .done
  }

  package func linkedMethods(of session: AuthSession) async throws(AuthenticationError) -> [LinkedMethod] {
    try await ask(contract.account.linkedMethods, (), session)
  }

  package func factors(of session: AuthSession) async throws(AuthenticationError) -> [EnrolledFactor] {
    try await ask(contract.account.factors, (), session)
  }

  package func sessions(of session: AuthSession) async throws(AuthenticationError) -> [RemoteSession] {
    try await ask(contract.account.sessions, (), session)
  }

  package func user(of session: AuthSession) async throws(AuthenticationError) -> User {
    let response = try await client.send(base.get(contract.checkedUserPath, session.accessToken, of: session.user))
    guard response.isSuccess else { throw refusal(response) }
    return try contract.mapUser(response)
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

extension AuthenticationError {
  fileprivate static let notInContract = Self(
    .unsupportedMethod, "The backend's contract does not offer this service.",
    suggestion: "Set it in APIContract.account.")
}
