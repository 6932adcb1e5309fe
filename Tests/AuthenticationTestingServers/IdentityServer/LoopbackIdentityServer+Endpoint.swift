#if Tools
extension LoopbackIdentityServer {
  /// What the server serves, by its path.
  public enum Endpoint: String, Sendable, Hashable, CaseIterable {
    /// Trades a user name and a password for tokens.
    case signIn = "/auth"
    /// Takes the code that a user with a second factor was sent, or sends another one.
    case challenge = "/auth/challenge"
    /// Trades a refresh token for new tokens.
    case refresh = "/auth/refresh"
    /// Makes a user, and signs it in.
    case signUp = "/auth/sign-up"
    /// Ends the family of a token.
    case signOut = "/auth/sign-out"
    /// Tells who the bearer of an access token is.
    case user = "/user"
    /// A resource that any bearer may read and write.
    case notes = "/api/notes"
    /// A resource that needs a scope which nobody has.
    case admin = "/api/admin"

    /// Below the base URL, with a slash in front.
    public var path: String { rawValue }

    var methods: [String] {
      switch self {
      case .signIn, .challenge, .refresh, .signUp, .signOut: ["POST"]
      case .user, .admin: ["GET"]
      case .notes: ["GET", "POST"]
      }
    }

    /// Part of the protected API, not of the identity server.
    var isResource: Bool { self == .notes || self == .admin }
  }
}
#endif
