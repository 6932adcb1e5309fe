public import AuthenticationDomain

/// A way to sign in to an account.
public struct LinkedMethod: Sendable, Hashable, Identifiable {
  /// The provider's own id of it.
  public let id: String
  /// Which method it is.
  public let method: SignInMethod
  /// A label for the user, such as an address at the other service.
  public let label: String?

  /// For a provider.
  public init(id: String, method: SignInMethod, label: String? = nil) {
    self.id = id
    self.method = method
    self.label = label
  }
}
