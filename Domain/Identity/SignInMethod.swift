/// A way to sign in, as a value: an open set, to which each provider adds its own.
public struct SignInMethod: Sendable, Hashable {
  /// Stable identifier, for logs and configuration.
  public let id: String
  /// What a button says if the app supplies no text of its own (English).
  public let displayName: String

  /// A method of your own provider.
  public init(id: String, displayName: String) {
    self.id = id
    self.displayName = displayName
  }

  /// See ``PasswordCredentials``.
  public static let password = SignInMethod(id: "password", displayName: "User name and password")
  /// See ``PhoneCredentials``.
  public static let phone = SignInMethod(id: "phone", displayName: "Phone number")
  /// The second step of any method; see ``ChallengeAnswer``.
  public static let challengeAnswer = SignInMethod(id: "challenge", displayName: "Code")
}
