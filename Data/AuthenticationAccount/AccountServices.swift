public import AuthenticationDomain

extension AuthManager {
  /// The account services of the provider, for the signed-in user.
  public nonisolated var account: any AccountUseCase { account { _ in } }

  /// The account services of the provider, with a side effect.
  ///
  /// ```swift
  /// let account = root.manager.account(onChange: { ability in log("changed: \(ability)") })
  /// try await account.perform(.changePassword(from: old, to: new))
  /// ```
  ///
  /// - Parameter onChange: runs after each change, before that call returns.
  public nonisolated func account(
    onChange: @escaping @Sendable (AccountAbility) async -> Void
  ) -> any AccountUseCase {
    AccountServices(of: self, onChange: onChange)
  }
}

/// The account services of a provider, for the signed-in user.
package struct AccountServices: AccountUseCase {
  private let provider: any RemoteAuthProvider
  private let manager: AuthManager
  private let onChange: @Sendable (AccountAbility) async -> Void

  /// Composes the services.
  ///
  /// - Parameters:
  ///   - provider: the provider of the services. By default the manager's provider.
  ///   - manager: whose session they use.
  ///   - onChange: runs after each change, before that call returns. By default nothing.
  package init(
    _ provider: (any RemoteAuthProvider)? = nil, of manager: AuthManager,
    onChange: @escaping @Sendable (AccountAbility) async -> Void = { _ in }
  ) {
    self.provider = provider ?? manager.provider
    self.manager = manager
    self.onChange = onChange
  }

  package var abilities: Set<AccountAbility> {
    let abilities = provider.part((any AccountProvider).self)?.accountAbilities ?? []
    return provider.createsAccounts ? abilities.union([.signUp]) : abilities
  }

  private func provider(for ability: AccountAbility) throws(AuthenticationError) -> any AccountProvider {
    guard let provider = provider.part((any AccountProvider).self),
      ability == .answer || provider.accountAbilities.contains(ability)
    else { throw .unsupportedAbility(ability) }
    return provider
  }

  /// An input that cannot be right is refused before anything is sent. A caller whose task is cancelled leaves at once;
  /// the change continues, and its result is kept: otherwise its tokens would be lost, and the user signed out.
  @discardableResult
  package func perform(_ request: AccountRequest) async throws(AuthenticationError) -> AccountOutcome {
    let provider = try provider(for: request.change.ability)
    if request.proof != nil, !provider.takesProofs { throw .proofUnsupported }
    try request.validate()
    return try await AbandonableCall.run(on: manager.taskPreference) { () async throws(AuthenticationError) in
      let change = Task(executorPreference: manager.taskPreference) {
        await Result.of { () async throws(AuthenticationError) in
          try await manager.whileInFlight { () async throws(AuthenticationError) in
            try await perform(request, by: provider)
          }
        }
      }
      return try await change.value.get()
    }
  }

  private func perform(
    _ request: AccountRequest, by provider: any AccountProvider
  ) async throws(AuthenticationError) -> AccountOutcome {
    let session: AuthSession?
    let outcome: AccountOutcome
    switch request.change {
    case .resetPassword: (outcome, session) = (try await provider.perform(request, for: nil), nil)
    case .answer:
      session = try await sessionIfAny()
      outcome = try await provider.perform(request, for: session)
    default:
      (outcome, session) = try await withSession { session throws(AuthenticationError) in
        (try await provider.perform(request, for: session), session)
      }
    }
    var isKept = false
    switch outcome {
    case .challenge(let challenge):
      switch request.change {
      // These have no outcome but that they are done: nothing must take the step for that.
      case .unlink, .remove, .rename, .end, .deleteAccount: throw .challengeRequired(challenge)
      default: return outcome
      }
    case .session(let changed): isKept = try await keep(changed, insteadOf: session)
    case .done: break
    }
    var failure: AuthenticationError?
    if case .deleteAccount = request.change, let user = session?.user {
      do throws(AuthenticationError) {
        try await manager.erase(user, because: .accountDeleted)
      } catch {
        failure = error
      }
    }
    await onChange(request.change.ability)
    if let failure { throw failure }
    return isKept ? outcome : .done
  }

  /// Keeps the session that a service returned; one of another user, or without a session here, is revoked.
  ///
  /// - Returns: whether it is the session now.
  @discardableResult
  private func keep(_ changed: AuthSession, insteadOf session: AuthSession?) async throws(AuthenticationError) -> Bool {
    // With the tokens of the request the response tells of the user alone: they may have been refreshed since.
    let hasNewTokens = changed.tokens != session?.tokens
    guard changed.user.isSame(as: session?.user) else {
      if hasNewTokens { await manager.discard(changed) }
      if session != nil { throw .otherUser }
      return false
    }
    try await manager.take(changed, upgrading: hasNewTokens)
    return true
  }

  @discardableResult
  package func refreshUser() async throws(AuthenticationError) -> User {
    let provider = try provider(for: .profile)
    let (user, session) = try await withSession { session throws(AuthenticationError) in
      (try await provider.user(of: session), session)
    }
    let changed = AuthSession(user: user.keepingClaims(of: session.user), tokens: session.tokens)
    try await keep(changed, insteadOf: session)
    return changed.user
  }

  package func linkedMethods() async throws(AuthenticationError) -> [LinkedMethod] {
    let provider = try provider(for: .link)
    return try await withSession { session throws(AuthenticationError) in
      try await provider.linkedMethods(of: session)
    }
  }

  package func factors() async throws(AuthenticationError) -> [EnrolledFactor] {
    let provider = try provider(for: .factors)
    return try await withSession { session throws(AuthenticationError) in try await provider.factors(of: session) }
  }

  package var acceptsConditionalPasskeys: Bool {
    provider.part((any AccountProvider).self)?.acceptsConditionalPasskeys ?? false
  }

  /// Nil if the provider does not tell, or if another session is in use by the time it has.
  package func acceptedPasskeys() async throws(AuthenticationError) -> AcceptedPasskeys? {
    guard let provider = provider.part((any AccountProvider).self) else { return nil }
    let (accepted, user) = try await withSession { session throws(AuthenticationError) in
      (try await provider.acceptedPasskeys(of: session), session.user)
    }
    return user.isSame(as: manager.state.user) ? accepted : nil
  }

  package func sessions() async throws(AuthenticationError) -> [RemoteSession] {
    let provider = try provider(for: .sessions)
    return try await withSession { session throws(AuthenticationError) in try await provider.sessions(of: session) }
  }

  /// Asks with a valid session, and once more with a refreshed one if the provider refuses its access token.
  private func withSession<Value>(
    _ ask: (AuthSession) async throws(AuthenticationError) -> Value
  ) async throws(AuthenticationError) -> Value {
    let session = try await manager.validSession(byHand: true)
    do throws(AuthenticationError) {
      let value = try await ask(session)
      manager.noteProviderReached()
      return value
    } catch {
      guard error == .accessTokenRefused else { throw error }
      return try await ask(try await manager.validSession(rejecting: session.accessToken))
    }
  }

  /// The session of the signed-in user; nil if no user is signed in.
  private func sessionIfAny() async throws(AuthenticationError) -> AuthSession? {
    do throws(AuthenticationError) {
      return try await manager.validSession(byHand: true)
    } catch {
      let isSignedOut = [.notSignedIn, .sessionExpired, .ambiguousLoss].contains(error)
      guard isSignedOut || error.disposition == .endsSession else { throw error }
      return nil
    }
  }
}

extension AuthenticationError {
  fileprivate static let otherUser = refused(
    by: .subject, "The provider responded about another user than the one who is signed in.")
}
