public import AuthenticationDomain

extension SecurityCheck {
  /// Passkey options or a response are for another domain than the configured one (WebAuthn Level 3 §5.1.4, §7.2).
  public static let relyingParty = Self("relying_party")
  /// A passkey challenge is too short, was used before, or is not the one that was signed (WebAuthn Level 3 §13.4.3).
  public static let passkeyChallenge = Self("passkey_challenge")
  /// A new passkey was returned for a signature, or the other way round (WebAuthn Level 3 §7.1, §7.2).
  public static let passkeyCeremony = Self("passkey_ceremony")
  /// A response was made for a page of another origin than the domain's, or within one (WebAuthn Level 3 §7.1, §7.2).
  public static let passkeyOrigin = Self("passkey_origin")
  /// The authenticator did not check that a user is present (WebAuthn Level 3 §7.1, §7.2).
  public static let userPresence = Self("user_presence")
  /// The authenticator did not check who the person is, although that was required (WebAuthn Level 3 §7.2).
  public static let userVerification = Self("user_verification")
  /// A passkey signed that was not among those allowed (WebAuthn Level 3 §7.2).
  public static let allowedCredentials = Self("allowed_credentials")
  /// A new passkey has an algorithm that was not asked for (WebAuthn Level 3 §7.1).
  public static let passkeyAlgorithm = Self("passkey_algorithm")
}
