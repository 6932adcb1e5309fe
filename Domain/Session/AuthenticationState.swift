/// What is known about who is signed in.
public enum AuthenticationState: Sendable, Equatable {
  /// The store has not been read yet.
  case unknown
  /// The store is locked or corrupt: whether anyone is signed in is not known now.
  case unavailable(AuthenticationError)
  /// Nobody is signed in, for this reason.
  case signedOut(SignOutReason)
  /// The provider asks for a second step, and nobody is signed in yet.
  case challenged(Challenge)
  /// A person is signed in, even if the provider cannot be reached.
  case signedIn(ActiveSession)

  /// The session in use and its freshness; nil in every state but `signedIn`.
  public var activeSession: ActiveSession? {
    if case .signedIn(let active) = self { active } else { nil }
  }

  /// The session in use, valid or not; nil in every state but `signedIn`.
  public var session: AuthSession? { activeSession?.session }
  /// Who is signed in; nil in every state but `signedIn`, so also before the store was read.
  public var user: User? { session?.user }
}

/// A session in use, its freshness, and whether it is saved.
public struct ActiveSession: Sendable, Equatable {
  /// Whether the access token is valid, waits for a refresh, or has expired.
  public enum Freshness: Sendable {
    /// The access token was within its lifetime when this was published, or its lifetime is not known.
    case fresh
    /// The access token needs a refresh, and the provider has not been reached for it: still signed in.
    case stale
    /// The access token has expired and there is no refresh token: the person must sign in again.
    case expired
  }

  /// Who is signed in, and with which tokens.
  public let session: AuthSession
  /// Whether its access token can be used, refreshed, or neither.
  public let freshness: Freshness
  /// Why the store does not hold this session yet; nil if it does. It is saved as soon as the store accepts it.
  public let unsaved: AuthenticationError?

  /// The value of ``AuthenticationState/signedIn(_:)``: for a control of your own, and for tests.
  public init(session: AuthSession, freshness: Freshness = .fresh, unsaved: AuthenticationError? = nil) {
    self.session = session
    self.freshness = freshness
    self.unsaved = unsaved
  }
}

/// Why nobody is signed in: an open set.
public struct SignOutReason: Sendable, Hashable, CustomStringConvertible {
  /// The reason in logs: stable.
  public let description: String
  /// A reason of your own.
  public init(_ description: String) { self.description = description }

  /// The store holds no session.
  public static let absent = Self("absent")
  /// The person, or the app, signed out.
  public static let requested = Self("requested")
  /// The provider refused to refresh the session.
  public static let rejected = Self("rejected")
  /// The response to a refresh was lost, and the provider refused the token that the lost response replaced.
  /// ``AuthManager/formerUser`` says who was signed in.
  public static let ambiguousLoss = Self("ambiguous_loss")
  /// Another process signed out.
  public static let elsewhere = Self("elsewhere")
}
