public import Foundation

/// A session in use, its freshness, and whether it is saved.
public struct ActiveSession: Sendable, Equatable {
  /// Whether the access token is valid, waits for a refresh, or has expired.
  public enum Freshness: Sendable {
    /// The access token was within its lifetime when this was published, or its lifetime is not known.
    case fresh
    /// The access token needs a refresh, and the provider has not been reached for it: still signed in.
    case stale
    /// The user must sign in again: the access token has expired and no other token can refresh it, which
    /// ``ActiveSession/expiresAt`` dates, or the provider seems to have forgotten the session (it refuses a refresh
    /// that worked before as `invalid_request` or `invalid_client`, twice, some time apart). The session stays stored.
    case expired
  }

  /// The user who is signed in, and the tokens.
  public let session: AuthSession
  /// Whether its access token can be used, refreshed, or neither.
  public let freshness: Freshness
  /// Why the store does not hold this session yet; nil if it does. It is saved as soon as the store accepts it.
  public let unsaved: AuthenticationError?
  /// Whether the provider refreshes the session only after the user has signed in again; until then the session is kept.
  public let needsInteraction: Bool

  /// When the session ends for want of a refresh (UTC): with its access token, if no other token can refresh it. Nil if
  /// one can, or if the lifetime of the access token is not known.
  public var expiresAt: Date? { session.tokens.outliveAccess ? nil : session.accessToken.expiresAt }

  /// The value of ``AuthenticationState/signedIn(_:)``: for a custom ``SessionControl``, and for tests.
  public init(
    session: AuthSession, freshness: Freshness = .fresh, unsaved: AuthenticationError? = nil,
    needsInteraction: Bool = false
  ) {
    self.session = session
    self.freshness = freshness
    self.unsaved = unsaved
    self.needsInteraction = needsInteraction
  }
}
