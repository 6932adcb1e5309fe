public import AuthenticationDomain

/// What an account page shows.
public struct AccountOverview: Sendable, Equatable {
  /// The ways to sign in; nil if the provider does not tell.
  public let methods: [LinkedMethod]?
  /// The sessions on all devices; nil if the provider does not tell.
  public let sessions: [RemoteSession]?
  /// Second factors and passkeys; nil if the provider does not tell.
  public let factors: [EnrolledFactor]?
  /// Whether the account can be deleted here.
  public let canDelete: Bool

  /// For a preview.
  package init(
    methods: [LinkedMethod]?, sessions: [RemoteSession]?, factors: [EnrolledFactor]?, canDelete: Bool
  ) {
    self.methods = methods
    self.sessions = sessions
    self.factors = factors
    self.canDelete = canDelete
  }

  init(_ parts: AccountParts) async throws(AuthenticationError) {
    methods = try await parts.methods?.linkedMethods()
    sessions = try await parts.sessions?.sessions()
    factors = try await parts.factors?.factors()
    canDelete = parts.deletion != nil
  }
}

/// What a person changes about their account.
public enum AccountChange: Sendable, Equatable {
  /// Removes a way to sign in.
  case unlink(LinkedMethod)
  /// Ends a session.
  case end(RemoteSession)
  /// Removes a second factor or a passkey.
  case remove(EnrolledFactor)
  /// Adds a second factor or a passkey.
  case enrol(Challenge.Kind)
}
