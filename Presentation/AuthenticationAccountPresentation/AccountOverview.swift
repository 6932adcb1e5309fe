public import AuthenticationAccount
import AuthenticationDomain

/// The content of an account page.
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
  package init(methods: [LinkedMethod]?, sessions: [RemoteSession]?, factors: [EnrolledFactor]?, canDelete: Bool) {
    self.methods = methods
    self.sessions = sessions
    self.factors = factors
    self.canDelete = canDelete
  }

  init(_ account: any AccountUseCase) async throws(AuthenticationError) {
    let abilities = account.abilities
    methods = abilities.contains(.link) ? try await account.linkedMethods() : nil
    sessions = abilities.contains(.sessions) ? try await account.sessions() : nil
    factors = abilities.contains(.factors) ? try await account.factors() : nil
    canDelete = abilities.contains(.delete)
  }
}
