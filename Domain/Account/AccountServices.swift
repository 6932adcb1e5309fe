/// The account services of a provider, for the person who is signed in. What the provider does not declare throws
/// ``AuthenticationError/Code/unsupportedMethod``; ``abilities`` says what works.
///
/// ```swift
/// if root.account.abilities.contains(.changePassword) {
///   try await root.account.changePassword(from: old, to: new)
/// }
/// ```
public struct AccountServices: Sendable {
  private let provider: any RemoteAuthProvider
  private let manager: AuthManager
  private let onChange: @Sendable (AccountAbility) async -> Void

  /// Composes the services of a provider.
  ///
  /// - Parameters:
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

  /// Asks with a valid session, and once more with a refreshed one if the provider refuses its access token.
  func withSession<Answer>(
    _ ask: (AuthSession) async throws(AuthenticationError) -> Answer
  ) async throws(AuthenticationError) -> Answer {
    let session = try await manager.validSession()
    do throws(AuthenticationError) {
      return try await ask(session)
    } catch {
      guard error.code == .accessTokenRefused else { throw error }
      return try await ask(try await manager.validSession(rejecting: session.accessToken))
    }
  }

  func changed(_ ability: AccountAbility) async { await onChange(ability) }

  /// Asks with a valid session, and concludes with what came of it.
  func conclude(
    _ ability: AccountAbility, _ ask: (AuthSession) async throws(AuthenticationError) -> AccountStep
  ) async throws(AuthenticationError) -> AccountOutcome {
    let (step, session) = try await withSession { session throws(AuthenticationError) in
      (try await ask(session), session)
    }
    return try await conclude(ability, step, of: session)
  }

  /// Keeps the session that a service returned.
  ///
  /// - Throws: ``AuthenticationError/Code/security`` if it is the session of another person.
  func conclude(
    _ ability: AccountAbility, _ step: AccountStep, of session: AuthSession?
  ) async throws(AuthenticationError) -> AccountOutcome {
    switch step {
    case .challenge(let challenge): return .challenge(challenge)
    case .session(let changed):
      if let session {
        guard changed.user.id == session.user.id else { throw .otherPerson }
        try await take(changed, upgrading: true)
      }
    case .done: break
    }
    await changed(ability)
    return .done
  }

  func take(_ session: AuthSession, upgrading: Bool = false) async throws(AuthenticationError) {
    try await manager.take(session, upgrading: upgrading)
  }

  /// Signs out here, unless somebody else has signed in meanwhile.
  func leave(_ user: User) async throws(AuthenticationError) {
    if manager.state.user?.id == user.id { try await manager.clear(losing: SignOutLoss(of: user)) }
  }

  /// The session of who is signed in; nil if nobody is.
  func sessionIfAny() async throws(AuthenticationError) -> AuthSession? {
    do throws(AuthenticationError) {
      return try await manager.validSession()
    } catch {
      let isNobody = [.notSignedIn, .sessionExpired, .ambiguousLoss].contains(error.code)
      guard isNobody || error.code.disposition == .endsSession else { throw error }
      return nil
    }
  }
}

/// A provider around another one, whose abilities it passes on.
package protocol WrappingAuthProvider: RemoteAuthProvider {
  var upstream: any RemoteAuthProvider { get }
}

extension RemoteAuthProvider {
  /// The provider, or what it wraps, as a type that has an ability.
  func part<Ability>(_ type: Ability.Type) -> Ability? {
    if let part = self as? Ability { return part }
    return (self as? any WrappingAuthProvider)?.upstream.part(type)
  }
}

extension AuthenticationError {
  fileprivate static func cannot(_ ability: AccountAbility) -> Self {
    Self(
      .unsupportedMethod, "This provider does not offer the account service '\(ability.id)'.",
      suggestion: "Offer only what AccountServices.abilities contains.")
  }
}
