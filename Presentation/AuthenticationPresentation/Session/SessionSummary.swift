public import AuthenticationDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a person may know of their session. It holds no token.
public struct SessionSummary: Sendable, Equatable {
  /// Whose session it is.
  public let user: User
  /// When the access token expires (UTC); nil if that is not known.
  public let expiresAt: Date?
  /// Whether the access token can be used, refreshed, or neither.
  public let freshness: ActiveSession.Freshness
  /// Why the session is not saved yet; nil if it is.
  public let unsaved: AuthenticationError?

  /// What is known of a session.
  public init(_ active: ActiveSession) {
    user = active.session.user
    expiresAt = active.session.accessToken.expiresAt
    freshness = active.freshness
    unsaved = active.unsaved
  }

  /// Whether the access token waits for a refresh for which the provider has not been reached.
  public var isStale: Bool { freshness == .stale }
}
