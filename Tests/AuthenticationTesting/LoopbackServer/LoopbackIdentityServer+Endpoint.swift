#if Tools
extension LoopbackIdentityServer {
  /// What the server serves, by its path.
  public enum Endpoint: String, Sendable, Hashable, CaseIterable {
    case signIn = "/auth"
    case refresh = "/auth/refresh"
    case signUp = "/auth/sign-up"
    case signOut = "/auth/sign-out"
    case user = "/user"
    case notes = "/api/notes"
    case admin = "/api/admin"

    public var path: String { rawValue }

    var methods: [String] {
      switch self {
      case .signIn, .refresh, .signUp, .signOut: ["POST"]
      case .user, .admin: ["GET"]
      case .notes: ["GET", "POST"]
      }
    }

    /// Part of the protected API, not of the identity server.
    var isResource: Bool { self == .notes || self == .admin }
  }
}
#endif
