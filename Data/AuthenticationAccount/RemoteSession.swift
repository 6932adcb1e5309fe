public import Foundation

/// A session of the user on some device.
public struct RemoteSession: Sendable, Hashable, Identifiable {
  /// The provider's own id of it.
  public let id: String
  /// Whether it is the one that asks.
  public let isCurrent: Bool
  /// A label for the user, such as a browser's name.
  public let label: String?
  /// When it was last used (UTC), if the provider says so.
  public let lastUsedAt: Date?

  /// For a provider.
  public init(id: String, isCurrent: Bool, label: String? = nil, lastUsedAt: Date? = nil) {
    self.id = id
    self.isCurrent = isCurrent
    self.label = label
    self.lastUsedAt = lastUsedAt
  }
}
