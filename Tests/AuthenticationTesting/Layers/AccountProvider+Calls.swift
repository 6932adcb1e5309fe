package import AuthenticationAccount
package import AuthenticationDomain

extension AccountOutcome {
  /// Whether nothing is left to do.
  package var isDone: Bool { if case .challenge = self { false } else { true } }
}

/// The changes of an account as calls, for tests of a provider.
extension AccountProvider {
  package func resetPassword(of account: String) async throws(AuthenticationError) -> AccountOutcome {
    try await perform(AccountRequest(.resetPassword(of: account)), for: nil)
  }

  package func changePassword(
    from old: Secret, to new: Secret, of session: AuthSession, proof: ChallengeAnswer? = nil
  ) async throws(AuthenticationError) -> AccountOutcome {
    try await perform(AccountRequest(.changePassword(from: old, to: new), proof: proof), for: session)
  }

  package func verify(
    _ address: AccountAddress, of session: AuthSession
  ) async throws(AuthenticationError) -> AccountOutcome {
    try await perform(AccountRequest(.verify(address)), for: session)
  }

  package func answer(
    _ answer: ChallengeAnswer, for session: AuthSession?
  ) async throws(AuthenticationError) -> AccountOutcome {
    try await perform(AccountRequest(.answer(answer)), for: session)
  }

  @discardableResult
  package func link(
    _ credentials: any Credentials, to session: AuthSession
  ) async throws(AuthenticationError) -> AccountOutcome {
    try await perform(AccountRequest(.link(credentials)), for: session)
  }

  package func unlink(_ method: LinkedMethod, from session: AuthSession) async throws(AuthenticationError) {
    _ = try await perform(AccountRequest(.unlink(method)), for: session)
  }

  package func enrol(
    _ kind: Challenge.Kind, for session: AuthSession, proof: ChallengeAnswer? = nil
  ) async throws(AuthenticationError) -> AccountOutcome {
    try await perform(AccountRequest(.enrol(kind), proof: proof), for: session)
  }

  @discardableResult
  package func remove(
    _ factor: EnrolledFactor, of session: AuthSession, proof: ChallengeAnswer? = nil
  ) async throws(AuthenticationError) -> AccountOutcome {
    try await perform(AccountRequest(.remove(factor), proof: proof), for: session)
  }

  package func end(
    _ remote: RemoteSession, of session: AuthSession, proof: ChallengeAnswer? = nil
  ) async throws(AuthenticationError) {
    _ = try await perform(AccountRequest(.end(remote), proof: proof), for: session)
  }

  package func update(
    _ changes: ProfileChanges, of session: AuthSession
  ) async throws(AuthenticationError) -> User {
    guard case .session(let changed) = try await perform(AccountRequest(.update(changes)), for: session) else {
      throw AuthenticationError(.unexpectedResponse, "The provider did not return the user.")
    }
    return changed.user
  }

  package func deleteAccount(
    of session: AuthSession, proof: ChallengeAnswer? = nil, attributes: [String: Secret] = [:]
  ) async throws(AuthenticationError) {
    _ = try await perform(AccountRequest(.deleteAccount, proof: proof, attributes: attributes), for: session)
  }
}
