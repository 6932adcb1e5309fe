public import AuthenticationDomain

/// The account services that an account page shows; what is nil is not shown.
public struct AccountParts: Sendable {
  /// The ways to sign in.
  public var methods: (any LinkingUseCase)?
  /// The sessions on all devices.
  public var sessions: (any SessionListUseCase)?
  /// Second factors and passkeys.
  public var factors: (any FactorUseCase)?
  /// Answers the challenges of the others.
  public var challenges: (any AccountChallengeUseCase)?
  /// Deletes the account: an app that creates accounts must offer it (App Review Guidelines 5.1.1(v)).
  public var deletion: (any AccountDeletionUseCase)?

  /// By default nothing is shown.
  public init(
    methods: (any LinkingUseCase)? = nil, sessions: (any SessionListUseCase)? = nil,
    factors: (any FactorUseCase)? = nil, challenges: (any AccountChallengeUseCase)? = nil,
    deletion: (any AccountDeletionUseCase)? = nil
  ) {
    self.methods = methods
    self.sessions = sessions
    self.factors = factors
    self.challenges = challenges
    self.deletion = deletion
  }

  /// What the provider can do.
  public init(_ services: AccountServices) {
    let abilities = services.abilities
    self.init(
      methods: abilities.contains(.link) ? services : nil, sessions: abilities.contains(.sessions) ? services : nil,
      factors: abilities.contains(.factors) ? services : nil, challenges: services,
      deletion: abilities.contains(.delete) ? services : nil)
  }
}
