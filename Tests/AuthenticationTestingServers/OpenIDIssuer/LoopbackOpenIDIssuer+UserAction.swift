#if Tools && OpenID
extension LoopbackOpenIDIssuer {
  /// An account at the issuer.
  public struct Account: Sendable, Hashable {
    /// `sub`.
    public var subject: String
    /// The typed texts.
    public var username: String
    /// In clear text.
    public var password: String
    /// `name`.
    public var name: String
    /// `email`.
    public var email: String

    /// Creates an account at the issuer.
    public init(subject: String, username: String, password: String, name: String, email: String) {
      self.subject = subject
      self.username = username
      self.password = password
      self.name = name
      self.email = email
    }

    /// Whose password is `correct horse`.
    public static let ada = Account(
      subject: "248289761001", username: "ada", password: "correct horse", name: "Ada Lovelace",
      email: "ada@example.com")
    /// Whose password is `battery staple`.
    public static let grace = Account(
      subject: "248289761002", username: "grace", password: "battery staple", name: "Grace Hopper",
      email: "grace@example.com")
  }

  /// The action of the user at the page of the authorization endpoint.
  public enum UserAction: Sendable, Hashable {
    /// Signs in as this user, and approves.
    case approves(Account)
    /// `access_denied`.
    case declines
    /// The redirect carries this error (RFC 6749 §4.1.2.1), such as `login_required`.
    case causes(error: String)
    /// Types a user name and a password on the issuer's own page, or declines there; the same on the page for devices.
    case types
    /// The page stays: no redirect.
    case leaves
  }
}
#endif
