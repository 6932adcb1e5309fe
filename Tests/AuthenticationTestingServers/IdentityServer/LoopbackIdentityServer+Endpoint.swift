#if Tools
extension LoopbackIdentityServer {
  /// The endpoints of the server, by path.
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
    /// Returns the user of an access token.
    case user = "/user"
    /// Asks for a passkey, which signs in at ``challenge``.
    case passkey = "/auth/passkey"
    /// Deletes the account of a user with a recent sign-in, or changes its profile.
    case account = "/account"
    /// Changes the password, with the old one.
    case password = "/account/password"
    /// Sends a code for a forgotten password; after the code another password is asked for.
    case passwordReset = "/account/password/reset"
    /// Sends a code to another address; after the code that address counts.
    case address = "/account/address"
    /// Takes the answer to a step of an account service, or sends another code.
    case accountChallenge = "/account/challenge"
    /// Lists, links and unlinks ways to sign in: a password, and passkeys.
    case linkedMethods = "/account/methods"
    /// Lists, enrols and removes second factors and passkeys.
    case factors = "/account/factors"
    /// Tells the ids of all passkeys that are accepted.
    case acceptedPasskeys = "/account/passkeys"
    /// Lists and ends sessions.
    case sessions = "/account/sessions"
    /// A resource that any bearer may read and write.
    case notes = "/api/notes"
    /// A resource that needs a scope which no token has.
    case admin = "/api/admin"

    /// Below the base URL, with a slash in front.
    public var path: String { rawValue }

    var methods: [String] {
      switch self {
      case .signIn, .challenge, .refresh, .signUp, .signOut, .passkey, .passwordReset, .accountChallenge: ["POST"]
      case .password, .address: ["PUT"]
      case .account: ["DELETE", "PATCH"]
      case .linkedMethods, .factors: ["GET", "POST", "DELETE"]
      case .sessions: ["GET", "DELETE"]
      case .user, .admin, .acceptedPasskeys: ["GET"]
      case .notes: ["GET", "POST"]
      }
    }

    /// Also for one member of a collection, such as `/account/sessions/7`.
    init?(path: String) {
      if let endpoint = Self(rawValue: path) {
        self = endpoint
      } else {
        guard let slash = path.lastIndex(of: "/"), let collection = Self(rawValue: String(path[..<slash])),
          collection.isCollection
        else { return nil }
        self = collection
      }
    }

    private var isCollection: Bool { self == .linkedMethods || self == .factors || self == .sessions }

    /// Part of the protected API, not of the identity server.
    var isResource: Bool { self == .notes || self == .admin }
  }
}
#endif
