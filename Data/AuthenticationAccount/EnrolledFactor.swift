public import AuthenticationDomain
public import Foundation

/// A second factor or a passkey of an account.
public struct EnrolledFactor: Sendable, Hashable, Identifiable {
  /// The provider's own id of it.
  public let id: String
  /// The kind of its answer.
  public let kind: Challenge.Kind
  /// A label for the user, such as the user's name for it.
  public let label: String?
  /// When it was added (UTC), if the provider says so.
  public let createdAt: Date?

  /// For a provider.
  public init(id: String, kind: Challenge.Kind, label: String? = nil, createdAt: Date? = nil) {
    self.id = id
    self.kind = kind
    self.label = label
    self.createdAt = createdAt
  }
}
