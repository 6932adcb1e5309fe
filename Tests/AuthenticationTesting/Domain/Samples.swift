public import AuthenticationDomain
public import Foundation

extension User {
  /// A user with an earlier sign-in.
  public static let ada = User(id: "ada", name: "Ada Lovelace", email: "ada@example.com")
  /// A user without an earlier sign-in.
  public static let grace = User(id: "grace", name: "Grace Hopper", email: "grace@example.com", isNew: true)
}

extension SessionTokens {
  /// Tokens named `access-N` and `refresh-N`, so that a test can tell one generation from another.
  public static func sample(
    _ number: Int = 1, receivedAt: Date, lifetime: Duration? = .seconds(3_600), canRefresh: Bool = true
  ) -> SessionTokens {
    do {
      return SessionTokens(
        access: try AccessToken(Secret("access-\(number)"), receivedAt: receivedAt, lifetime: lifetime),
        refresh: canRefresh ? Secret("refresh-\(number)") : nil)
    } catch {
      preconditionFailure("A sample must be well formed: \(error)")
    }
  }
}

extension AuthSession {
  /// A session with the tokens of that number; `receivedAt` is UTC, nil `lifetime` is unknown.
  public static func sample(
    _ number: Int = 1, of user: User = .ada, receivedAt: Date, lifetime: Duration? = .seconds(3_600),
    canRefresh: Bool = true
  ) -> AuthSession {
    AuthSession(
      user: user,
      tokens: .sample(number, receivedAt: receivedAt, lifetime: lifetime, canRefresh: canRefresh))
  }
}
