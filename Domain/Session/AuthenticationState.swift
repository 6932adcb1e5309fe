/// What is known about who is signed in.
public enum AuthenticationState: Sendable, Equatable {
  /// The store has not been read yet.
  case unknown
  /// The store is locked or corrupt: whether somebody is signed in cannot be told now.
  case unavailable(AuthenticationError)
  case signedOut(SignOutReason)
  /// The provider asks for a second step, and nobody is signed in yet.
  case challenged(Challenge)
  case signedIn(ActiveSession)

  public var activeSession: ActiveSession? {
    if case .signedIn(let active) = self { active } else { nil }
  }

  public var session: AuthSession? { activeSession?.session }
  public var user: User? { session?.user }
}

/// A session in use, and how far it can be trusted.
public struct ActiveSession: Sendable, Equatable {
  public enum Freshness: Sendable {
    /// The access token is within its lifetime.
    case fresh
    /// The access token needs renewal, and the provider has not been reached for it: still signed in.
    case stale
    /// The access token is over and there is nothing to renew it with: the person must sign in again.
    case expired
  }

  public let session: AuthSession
  public let freshness: Freshness
  /// Why the store does not hold this session yet; nil when it does. It is saved as soon as the store accepts it.
  public let unsaved: AuthenticationError?

  public init(session: AuthSession, freshness: Freshness = .fresh, unsaved: AuthenticationError? = nil) {
    self.session = session
    self.freshness = freshness
    self.unsaved = unsaved
  }
}

/// Why nobody is signed in: an open set.
public struct SignOutReason: Sendable, Hashable, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }

  /// The store holds no session.
  public static let absent = Self("absent")
  /// The person, or the app, signed out.
  public static let requested = Self("requested")
  /// The provider refused to renew the session.
  public static let rejected = Self("rejected")
  /// Another process signed out.
  public static let elsewhere = Self("elsewhere")
}
