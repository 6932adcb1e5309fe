#if Tools
public import Foundation

extension LoopbackIdentityServer {
  /// A user of the embedded identity server.
  public struct Account: Sendable, Hashable {
    /// The name with which the user signs in; no two users share it.
    public let username: String
    /// The password, to be compared as it is.
    public internal(set) var password: String
    /// Sent with the user; by default the user name at example.com.
    public internal(set) var email: String
    /// The first part of the name in responses; by default the user name.
    public internal(set) var firstName: String
    /// The second part of the name in responses; may be empty.
    public internal(set) var lastName: String
    /// When the user signed in before the server started (UTC); nil for a user without a sign-in.
    public let lastAuthenticated: Date?
    /// Whether a code is asked for after the password; ``LoopbackIdentityServer/code(ofUser:)`` tells it.
    public internal(set) var hasSecondFactor: Bool
    /// The versions of the terms that the user agreed to at the sign-up.
    public internal(set) var terms: [String: String] = [:]

    /// A user to give to ``LoopbackIdentityServer/Options``.
    public init(
      username: String, password: String, email: String? = nil, firstName: String? = nil, lastName: String = "",
      lastAuthenticated: Date? = nil, hasSecondFactor: Bool = false
    ) {
      self.username = username
      self.password = password
      self.email = email ?? "\(username)@example.com"
      self.firstName = firstName ?? username
      self.lastName = lastName
      self.lastAuthenticated = lastAuthenticated
      self.hasSecondFactor = hasSecondFactor
    }

    /// A returning user: `ada`, `correct horse`.
    public static let ada = Account(
      username: "ada", password: "correct horse", firstName: "Ada", lastName: "Lovelace",
      lastAuthenticated: Date(timeIntervalSince1970: 1_750_000_000))

    /// A new user: `grace`, `battery staple`.
    public static let grace = Account(
      username: "grace", password: "battery staple", firstName: "Grace", lastName: "Hopper")
  }
}
#endif
