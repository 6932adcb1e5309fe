public import AuthenticationDomain

/// Changes the account of the signed-in user, and reads the provider's data about it.
///
/// An ability that the provider does not declare throws ``AuthenticationError/unsupportedMethod``; ``abilities`` lists
/// those that work.
///
/// ```swift
/// if account.abilities.contains(.changePassword) {
///   try await account.perform(.changePassword(from: old, to: new))
/// }
/// ```
public protocol AccountUseCase: Sendable {
  /// The abilities that work.
  var abilities: Set<AccountAbility> { get }

  /// Changes something: a request with the additions of the call.
  ///
  /// - Parameter request: the change, and the additions of the call.
  /// - Returns: that it is done, the session if it has changed, or the step that the provider asks first.
  /// - Throws: ``AuthenticationError``; ``AuthenticationError/challengeRequired`` if the service wants a proof with
  ///   the request: repeat it with ``AccountRequest/proof``.
  @discardableResult
  func perform(_ request: AccountRequest) async throws(AuthenticationError) -> AccountOutcome

  /// Asks the provider again about the user.
  @discardableResult
  func refreshUser() async throws(AuthenticationError) -> User

  /// The methods with which the user can sign in.
  func linkedMethods() async throws(AuthenticationError) -> [LinkedMethod]

  /// The second factors and passkeys of the user.
  func factors() async throws(AuthenticationError) -> [EnrolledFactor]

  /// The sessions of the user, this one included.
  func sessions() async throws(AuthenticationError) -> [RemoteSession]
}

extension AccountUseCase {
  /// Changes something, or answers the challenge that a change returned.
  ///
  /// ```swift
  /// do throws(AuthenticationError) {
  ///   try await account.perform(.deleteAccount)
  /// } catch where error == .challengeRequired {
  ///   guard let challenge = error.challenge else { throw error }
  ///   try await account.perform(
  ///     .deleteAccount, proof: ChallengeAnswer(to: challenge, .newPassword(Secret(typed))))
  /// }
  /// ```
  ///
  /// If the store refuses to erase the session of a deleted account, that is thrown: the user is signed out here, and
  /// erasing is tried again.
  ///
  /// - Parameters:
  ///   - change: the change.
  ///   - proof: the answer to the challenge of the error that an earlier call threw; nil if there was none.
  ///   - attributes: further data of the app. By default nothing.
  /// - Returns: that it is done, the session if it has changed, or the step that the provider asks first. A reset of a
  ///   password usually asks for one, also if there is no such account.
  /// - Throws: ``AuthenticationError/recentSignInRequired`` if the user must sign in first,
  ///   ``AuthenticationError/challengeRequired`` if the service asks for a step, which is answered by the same call
  ///   with `proof`, ``AuthenticationError/invalidCredentials`` or ``AuthenticationError/wrongCode`` if the proof is
  ///   wrong: the same challenge can be answered again, and ``AuthenticationError/security`` if the provider returns
  ///   the session of another user.
  @discardableResult
  public func perform(
    _ change: AccountChange, proof: ChallengeAnswer? = nil, attributes: [String: Secret] = [:]
  ) async throws(AuthenticationError) -> AccountOutcome {
    try await perform(AccountRequest(change, proof: proof, attributes: attributes))
  }

  /// Changes the profile of the user.
  ///
  /// - Returns: the user as the provider then describes them.
  @discardableResult
  public func update(_ changes: ProfileChanges) async throws(AuthenticationError) -> User {
    switch try await perform(.update(changes)) {
    case .session(let session): session.user
    case .challenge(let challenge): throw .challengeRequired(challenge)
    case .done: try await refreshUser()
    }
  }
}

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
