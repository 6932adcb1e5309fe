#if Tools
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension LoopbackIdentityServer {
  /// A user of the embedded identity server.
  public struct Account: Sendable, Hashable {
    public let username: String
    public let password: String
    public let email: String
    public let firstName: String
    public let lastName: String
    /// When the user signed in before the server started (UTC); nil for a user who never did.
    public let lastAuthenticated: Date?

    public init(
      username: String, password: String, email: String? = nil, firstName: String? = nil, lastName: String = "",
      lastAuthenticated: Date? = nil
    ) {
      self.username = username
      self.password = password
      self.email = email ?? "\(username)@example.com"
      self.firstName = firstName ?? username
      self.lastName = lastName
      self.lastAuthenticated = lastAuthenticated
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
