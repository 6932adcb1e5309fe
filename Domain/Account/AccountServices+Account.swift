extension AccountServices: SessionListUseCase, AccountDeletionUseCase, ProfileUseCase {
  public func sessions() async throws(AuthenticationError) -> [RemoteSession] {
    let provider = try ability(.sessions, (any SessionListProvider).self)
    return try await withSession { session throws(AuthenticationError) in try await provider.sessions(of: session) }
  }

  public func end(_ session: RemoteSession) async throws(AuthenticationError) { try await end(session, proof: nil) }

  public func end(_ session: RemoteSession, proof: ChallengeAnswer?) async throws(AuthenticationError) {
    let provider = try ability(.sessions, (any SessionListProvider).self)
    try proof?.validate()
    try await changeAtOnce(.sessions) { own throws(AuthenticationError) in
      try await provider.end(session, of: own, proof: proof)
    }
  }

  public func deleteAccount() async throws(AuthenticationError) { try await deleteAccount(proof: nil) }

  /// If the store refuses to erase the session of the deleted account, that is thrown: the user is signed out here, and
  /// erasing is tried again.
  public func deleteAccount(proof: ChallengeAnswer?) async throws(AuthenticationError) {
    let provider = try ability(.delete, (any AccountDeletionProvider).self)
    try proof?.validate()
    try await uninterrupted { () async throws(AuthenticationError) in
      let user = try await withSession { session throws(AuthenticationError) in
        try await provider.deleteAccount(of: session, proof: proof)
        return session.user
      }
      var failure: AuthenticationError?
      do throws(AuthenticationError) { try await manager.accountDeleted(of: user) } catch { failure = error }
      await onChange(.delete)
      if let failure { throw failure }
    }
  }

  @discardableResult
  public func refreshUser() async throws(AuthenticationError) -> User {
    try await ask { provider, session throws(AuthenticationError) in try await provider.user(of: session) }
  }

  @discardableResult
  public func update(_ changes: ProfileChanges) async throws(AuthenticationError) -> User {
    try await uninterrupted { () async throws(AuthenticationError) in
      let user = try await ask { provider, session throws(AuthenticationError) in
        try await provider.update(changes, of: session)
      }
      await onChange(.profile)
      return user
    }
  }

  /// - Throws: ``AuthenticationError/Code/security`` if the provider speaks of another person.
  private func ask(
    _ ask: (any ProfileProvider, AuthSession) async throws(AuthenticationError) -> User
  ) async throws(AuthenticationError) -> User {
    let provider = try ability(.profile, (any ProfileProvider).self)
    let session = try await withSession { session throws(AuthenticationError) in
      let user = try await ask(provider, session)
      if user.id != session.user.id { throw .otherPerson }
      return AuthSession(user: user, tokens: session.tokens)
    }
    try await manager.take(session, upgrading: false)
    return session.user
  }
}

extension AuthenticationError {
  static let otherPerson = refused(
    by: .subject, "The provider answered about another person than the one who is signed in.")
}
