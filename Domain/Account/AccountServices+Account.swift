extension AccountServices: SessionListUseCase, AccountDeletionUseCase, ProfileUseCase {
  public func sessions() async throws(AuthenticationError) -> [RemoteSession] {
    let provider = try ability(.sessions, (any SessionListProvider).self)
    return try await withSession { session throws(AuthenticationError) in try await provider.sessions(of: session) }
  }

  public func end(_ session: RemoteSession) async throws(AuthenticationError) {
    let provider = try ability(.sessions, (any SessionListProvider).self)
    try await changeAtOnce(.sessions) { own throws(AuthenticationError) in try await provider.end(session, of: own) }
  }

  public func deleteAccount() async throws(AuthenticationError) {
    let provider = try ability(.delete, (any AccountDeletionProvider).self)
    try await changeAtOnce(.delete) { [manager] session throws(AuthenticationError) in
      try await provider.deleteAccount(of: session)
      try await manager.accountDeleted(of: session.user)
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
