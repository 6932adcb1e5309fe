public import AuthenticationDomain
package import Foundation

/// The facts of a session that its user may see. It holds no token.
public struct SessionSummary: Sendable, Equatable {
  /// Whose session it is.
  public let user: User
  /// When the access token expires (UTC); nil if that is not known.
  package let expiresAt: Date?
  /// Whether the access token can be used, refreshed, or neither.
  package let freshness: ActiveSession.Freshness
  /// Why the session is not saved yet; nil if it is.
  package let unsaved: AuthenticationError?

  package init(_ active: ActiveSession) {
    user = active.session.user
    expiresAt = active.session.accessToken.expiresAt
    freshness = active.freshness
    unsaved = active.unsaved
  }
}
