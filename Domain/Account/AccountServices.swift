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
