/// The account services of a provider, for the user who is signed in. What the provider does not declare throws
/// ``AuthenticationError/Code/unsupportedMethod``; ``abilities`` says what works.
///
/// ```swift
/// if root.account.abilities.contains(.changePassword) {
///   try await root.account.changePassword(from: old, to: new)
/// }
/// ```
public struct AccountServices: Sendable {
  private let provider: any RemoteAuthProvider
  let manager: AuthManager
  let onChange: @Sendable (AccountAbility) async -> Void

  /// Composes the services of a provider.
  ///
  /// - Parameters:
  ///   - provider: offers those that it conforms to.
  ///   - manager: whose session they use.
  ///   - onChange: runs after each change, before that call returns.
  public init(
    _ provider: any RemoteAuthProvider, of manager: AuthManager,
    onChange: @escaping @Sendable (AccountAbility) async -> Void = { _ in }
  ) {
    self.provider = provider
    self.manager = manager
    self.onChange = onChange
  }

  /// The same services with one more side effect: it runs after each change, before those of this value.
  public func intercept(_ onChange: @escaping @Sendable (AccountAbility) async -> Void) -> AccountServices {
    AccountServices(provider, of: manager) { [earlier = self.onChange] ability in
      await onChange(ability)
      await earlier(ability)
    }
  }

  /// What the provider can do.
  public var abilities: Set<AccountAbility> {
    var abilities: Set<AccountAbility> = []
    func add<Ability>(_ ability: AccountAbility, _ type: Ability.Type) {
      if part(type) != nil { abilities.insert(ability) }
    }
    add(.signUp, (any SignUpProvider).self)
    add(.resetPassword, (any PasswordResetProvider).self)
    add(.changePassword, (any PasswordChangeProvider).self)
    add(.verify, (any AddressProvider).self)
    add(.link, (any LinkingProvider).self)
    add(.factors, (any FactorProvider).self)
    add(.sessions, (any SessionListProvider).self)
    add(.delete, (any AccountDeletionProvider).self)
    add(.profile, (any ProfileProvider).self)
    return abilities.intersection(provider.accountAbilities ?? abilities)
  }

  func part<Ability>(_ type: Ability.Type) -> Ability? { provider.part(type) }

  func ability<Ability>(
    _ ability: AccountAbility, _ type: Ability.Type
  ) throws(AuthenticationError) -> Ability {
    guard let part = part(type), provider.accountAbilities?.contains(ability) ?? true else {
      throw .cannot(ability)
    }
    return part
  }
}

extension AuthenticationError {
  fileprivate static func cannot(_ ability: AccountAbility) -> Self {
    Self(
      .unsupportedMethod, "This provider does not offer the account service '\(ability.id)'.",
      suggestion: "Offer only what AccountServices.abilities contains.")
  }
}

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

  /// - Throws: ``AuthenticationError/Code/security`` if the provider speaks of another user.
  private func ask(
    _ ask: (any ProfileProvider, AuthSession) async throws(AuthenticationError) -> User
  ) async throws(AuthenticationError) -> User {
    let provider = try ability(.profile, (any ProfileProvider).self)
    let session = try await withSession { session throws(AuthenticationError) in
      let user = try await ask(provider, session)
      if user.id != session.user.id { throw .otherUser }
      return AuthSession(user: user, tokens: session.tokens)
    }
    try await manager.take(session, upgrading: false)
    return session.user
  }
}

extension AuthenticationError {
  static let otherUser = refused(
    by: .subject, "The provider answered about another user than the one who is signed in.")
}

extension AccountServices: PasswordResetUseCase, PasswordChangeUseCase, AddressUseCase, AccountChallengeUseCase {
  /// Refuses a blank account before anything is sent.
  public func resetPassword(of account: String) async throws(AuthenticationError) -> AccountOutcome {
    let provider = try ability(.resetPassword, (any PasswordResetProvider).self)
    if account.allSatisfy(\.isWhitespace) { throw .blankUserName }
    return try await uninterrupted { () async throws(AuthenticationError) in
      try await conclude(.resetPassword, try await provider.resetPassword(of: account), of: nil)
    }
  }

  /// Refuses an empty password before anything is sent.
  public func changePassword(
    from old: Secret, to new: Secret
  ) async throws(AuthenticationError) -> AccountOutcome {
    try await changePassword(from: old, to: new, proof: nil)
  }

  public func changePassword(
    from old: Secret, to new: Secret, proof: ChallengeAnswer?
  ) async throws(AuthenticationError) -> AccountOutcome {
    let provider = try ability(.changePassword, (any PasswordChangeProvider).self)
    if old.isEmpty || new.isEmpty { throw .emptyPassword }
    try proof?.validate()
    return try await change(.changePassword) { session throws(AuthenticationError) in
      try await provider.changePassword(from: old, to: new, of: session, proof: proof)
    }
  }

  /// Refuses an address of a wrong shape before anything is sent.
  public func verify(_ address: AccountAddress) async throws(AuthenticationError) -> AccountOutcome {
    let provider = try ability(.verify, (any AddressProvider).self)
    try address.validate()
    return try await change(.verify) { session throws(AuthenticationError) in
      try await provider.verify(address, of: session)
    }
  }

  /// Refuses an answer that cannot be right before anything is sent.
  public func answer(_ answer: ChallengeAnswer) async throws(AuthenticationError) -> AccountOutcome {
    let ability = AccountAbility(id: "answer")
    guard let provider = part((any AccountChallengeProvider).self) else { throw .unsupportedMethod(.challengeAnswer) }
    try answer.validate()
    return try await uninterrupted { () async throws(AuthenticationError) in
      let session = try await sessionIfAny()
      return try await conclude(ability, try await provider.answer(answer, for: session), of: session)
    }
  }
}

extension AccountServices: LinkingUseCase, FactorUseCase {
  public func linkedMethods() async throws(AuthenticationError) -> [LinkedMethod] {
    let provider = try ability(.link, (any LinkingProvider).self)
    return try await withSession { session throws(AuthenticationError) in
      try await provider.linkedMethods(of: session)
    }
  }

  /// - Throws: ``AuthenticationError/Code/security`` if the provider returns the session of another user.
  @discardableResult
  public func link(_ credentials: any Credentials) async throws(AuthenticationError) -> AccountOutcome {
    let provider = try ability(.link, (any LinkingProvider).self)
    try credentials.validate()
    return try await change(.link) { session throws(AuthenticationError) in
      try await provider.link(credentials, to: session)
    }
  }

  public func unlink(_ method: LinkedMethod) async throws(AuthenticationError) {
    let provider = try ability(.link, (any LinkingProvider).self)
    try await changeAtOnce(.link) { session throws(AuthenticationError) in
      try await provider.unlink(method, from: session)
    }
  }

  public func factors() async throws(AuthenticationError) -> [EnrolledFactor] {
    let provider = try ability(.factors, (any FactorProvider).self)
    return try await withSession { session throws(AuthenticationError) in try await provider.factors(of: session) }
  }

  public func enrol(_ kind: Challenge.Kind) async throws(AuthenticationError) -> AccountOutcome {
    try await enrol(kind, proof: nil)
  }

  public func enrol(
    _ kind: Challenge.Kind, proof: ChallengeAnswer?
  ) async throws(AuthenticationError) -> AccountOutcome {
    let provider = try ability(.factors, (any FactorProvider).self)
    try proof?.validate()
    return try await change(.factors) { session throws(AuthenticationError) in
      try await provider.enrol(kind, for: session, proof: proof)
    }
  }

  public func remove(_ factor: EnrolledFactor) async throws(AuthenticationError) {
    try await remove(factor, proof: nil)
  }

  public func remove(_ factor: EnrolledFactor, proof: ChallengeAnswer?) async throws(AuthenticationError) {
    let provider = try ability(.factors, (any FactorProvider).self)
    try proof?.validate()
    _ = try await change(.factors) { session throws(AuthenticationError) in
      try await provider.remove(factor, of: session, proof: proof).map(AccountStep.session) ?? .done
    }
  }
}

extension AccountServices {
  /// Asks with a valid session, and once more with a refreshed one if the provider refuses its access token.
  func withSession<Answer>(
    _ ask: (AuthSession) async throws(AuthenticationError) -> Answer
  ) async throws(AuthenticationError) -> Answer {
    let session = try await manager.validSession(byHand: true)
    do throws(AuthenticationError) {
      let answer = try await ask(session)
      manager.noteProviderReached()
      return answer
    } catch {
      guard error.code == .accessTokenRefused else { throw error }
      return try await ask(try await manager.validSession(rejecting: session.accessToken))
    }
  }

  /// Changes something with a valid session. A caller whose task is cancelled leaves at once; the change goes on, and
  /// what it brings is kept: tokens that nobody took would be lost, and the user signed out.
  func change(
    _ ability: AccountAbility,
    _ ask: @escaping @Sendable (AuthSession) async throws(AuthenticationError) -> AccountStep
  ) async throws(AuthenticationError) -> AccountOutcome {
    try await uninterrupted { () async throws(AuthenticationError) in
      let (step, session) = try await withSession { session throws(AuthenticationError) in
        (try await ask(session), session)
      }
      return try await conclude(ability, step, of: session)
    }
  }

  /// As ``change(_:_:)``, for a change that ends with the provider's response.
  func changeAtOnce(
    _ ability: AccountAbility, _ ask: @escaping @Sendable (AuthSession) async throws(AuthenticationError) -> Void
  ) async throws(AuthenticationError) {
    _ = try await change(ability) { session throws(AuthenticationError) -> AccountStep in
      try await ask(session)
      return .done
    }
  }

  /// The work is never cancelled, only left.
  func uninterrupted<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(AuthenticationError) -> Value
  ) async throws(AuthenticationError) -> Value {
    try await AbandonableCall<Value>().run(on: manager.taskExecutor) { [manager] _ in
      await Task(executorPreference: manager.taskExecutor) { () async -> Result<Value, AuthenticationError> in
        do throws(AuthenticationError) { return .success(try await work()) } catch { return .failure(error) }
      }.value
    }
  }

  /// Keeps the session that a service returned. One for nobody who is signed in here is revoked.
  ///
  /// - Throws: ``AuthenticationError/Code/security`` if it is the session of another user.
  func conclude(
    _ ability: AccountAbility, _ step: AccountStep, of session: AuthSession?
  ) async throws(AuthenticationError) -> AccountOutcome {
    switch step {
    case .challenge(let challenge): return .challenge(challenge)
    case .session(let changed) where changed.user.id != session?.user.id:
      await manager.discard(changed)
      if session != nil { throw .otherUser }
    case .session(let changed): try await manager.take(changed, upgrading: true)
    case .done: break
    }
    await onChange(ability)
    return .done
  }

  /// The session of who is signed in; nil if nobody is.
  func sessionIfAny() async throws(AuthenticationError) -> AuthSession? {
    do throws(AuthenticationError) {
      return try await manager.validSession(byHand: true)
    } catch {
      let isNobody = [.notSignedIn, .sessionExpired, .ambiguousLoss].contains(error.code)
      guard isNobody || error.code.disposition == .endsSession else { throw error }
      return nil
    }
  }
}

extension AccountServices {
  /// Erases the session here at once, whether or not the provider can be reached. What is left of it ends the others in
  /// the background, then is revoked; an app that is closed before that does not try again.
  ///
  /// ```swift
  /// try await root.account.signOutEverywhere(by: root.manager)
  /// let failures = await root.manager.deliverRevocations()
  /// if failures.contains(where: { $0.code == .otherSessionsRemain }) { tellTheUser() }
  /// ```
  ///
  /// - Throws: as ``SessionControl/signOut(losing:)`` does; ``AuthenticationError/Code/otherSessionsRemain`` if the
  ///   session has ended here and nothing of it was left to end the others with, because another process ended it, for
  ///   example.
  public func signOutEverywhere(
    by control: any SessionControl, losing loss: SignOutLoss? = nil
  ) async throws(AuthenticationError) {
    let provider = try ability(.sessions, (any SessionListProvider).self)
    let farewell = Farewell { session throws(AuthenticationError) in
      try await endOthers(than: session, at: provider)
      await onChange(.sessions)
    }
    let isSignedIn = await manager.readNow().session != nil
    let result: Result<Void, AuthenticationError> = await Farewell.$current.withValue(farewell) {
      do throws(AuthenticationError) { return .success(try await control.signOut(losing: loss)) } catch {
        return .failure(error)
      }
    }
    try result.get()
    if isSignedIn, !farewell.isTaken { throw .othersRemain(because: .notSignedIn) }
  }

  /// Tokens that an expired one is refreshed to are revoked as well.
  private func endOthers(
    than session: AuthSession, at provider: any SessionListProvider
  ) async throws(AuthenticationError) {
    do throws(AuthenticationError) {
      try await provider.endOthers(than: session)
    } catch {
      guard error.code == .accessTokenRefused, session.tokens.refresh != nil else { throw error }
      let refreshed = session.refreshed(with: try await provider.refresh(session))
      await manager.discard(refreshed)
      try await provider.endOthers(than: refreshed)
    }
  }
}

extension SessionListProvider {
  /// Tries each; throws the first failure.
  fileprivate func endOthers(than session: AuthSession) async throws(AuthenticationError) {
    var failure: AuthenticationError?
    for other in try await sessions(of: session) where !other.isCurrent {
      do throws(AuthenticationError) { try await end(other, of: session) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}
