extension SignInMethod {
  /// See ``PasswordCredentials``.
  public static let password = Self(
    id: "password", displayName: "User name and password", needs: [.userName, .password])
  /// A code by text message; see ``PhoneCredentials``.
  public static let phoneCode = Self(id: "phone-code", displayName: "Phone number", needs: [.phoneNumber])
  /// A code by e-mail; see ``EmailCredentials``.
  public static let emailCode = Self(id: "email-code", displayName: "Code by e-mail", needs: [.emailAddress])
  /// A link by e-mail; see ``EmailCredentials``.
  public static let emailLink = Self(id: "email-link", displayName: "Link by e-mail", needs: [.emailAddress])
  /// A passkey of this device or of a security key (WebAuthn Level 3); see ``PasskeyCredentials``.
  public static let passkey = Self(id: "passkey", displayName: "Passkey", needs: [.systemSheet])
  /// Sign in with Apple by the system's sheet; see ``NativeCredentials``.
  public static let apple = Self(id: "apple", displayName: "Sign in with Apple", needs: [.systemSheet])
  /// Google, by an identity token; see ``NativeCredentials``.
  public static let google = Self(id: "google", displayName: "Sign in with Google", needs: [.systemSheet])
  /// Facebook, by an identity token; see ``NativeCredentials``.
  public static let facebook = Self(id: "facebook", displayName: "Sign in with Facebook", needs: [.systemSheet])
  /// The provider's own page (RFC 8252).
  public static let browser = Self(id: "browser", displayName: "Browser", needs: [.browser])
  /// A code that is typed on another device (RFC 8628).
  public static let device = Self(id: "device", displayName: "Another device", needs: [.anotherDevice])
  /// An account without a name, which can be upgraded later and keeps its user id; see ``AnonymousCredentials``.
  public static let anonymous = Self(
    id: "anonymous", displayName: "Continue without an account", identifiesUser: false)
  /// The stored session of a person who returns, behind a face, a finger or a passcode; see ``UnlockCredentials``.
  public static let unlock = Self(
    id: "unlock", displayName: "Unlock", needs: [.systemSheet], identifiesUser: false)
  /// A session that another library or the app's own store has; see ``ExistingSession``.
  public static let existingSession = Self(
    id: "existing-session", displayName: "Existing session", identifiesUser: false)
  /// The second step of any method; see ``ChallengeAnswer``.
  public static let challengeAnswer = Self(id: "challenge", displayName: "Code")
}
