/// Errors that a provider's adapter throws during an attempt: the person can go on.
extension AuthenticationError {
  /// Thrown by ``EmailCredentials/validate()``.
  public static let invalidEmailAddress = Self(
    .invalidEmailAddress, "The e-mail address does not have one @ between two parts.",
    suggestion: "Ask for it again.")
  /// Thrown by ``ChallengeAnswer/validate()``.
  public static let malformedCode = Self(
    .malformedCode, "The code does not have the length or the characters of the one that was sent.",
    suggestion: "Ask for it again; nothing was sent.")
  /// The code is not the right one.
  public static let wrongCode = Self(.wrongCode, "The code is wrong.", suggestion: "Let the person type it again.")
  /// The code or the link is no longer accepted.
  public static let codeExpired = Self(
    .codeExpired, "The code or link is no longer accepted.", suggestion: "Offer to send another one.")
  /// A one-time password was used before.
  public static let codeReused = Self(
    .codeReused, "The one-time password was used before.", suggestion: "Let the person wait for the next one.")
  /// There is an account with this name, address or number.
  public static let accountExists = Self(
    .accountExists, "There is an account already.", suggestion: "Offer to sign in to it.")
  /// The provider wants proof that a person is there.
  public static let captchaRequired = Self(
    .captchaRequired, "The provider asks for a captcha.", suggestion: "Supply its token as an attribute of the attempt."
  )
  /// What was to be linked belongs to another account.
  public static let alreadyLinked = Self(
    .alreadyLinked, "What was to be linked belongs to another account.",
    suggestion: "Offer to sign in to that account.")
  /// The provider wants a fresh sign-in first.
  public static let recentSignInRequired = Self(
    .recentSignInRequired, "The provider asks for a fresh sign-in first.",
    suggestion: "Let the person sign in again, then repeat.")
  /// The last way to sign in cannot be removed.
  public static let lastMethod = Self(
    .lastMethod, "The last way to sign in to an account cannot be removed.", suggestion: "Add another one first.")
  /// The account is disabled or deleted.
  public static let userDisabled = Self(
    .userDisabled, "The account is disabled or deleted.", suggestion: "Let the person contact support.")
  /// The app's own server did not accept the person.
  public static let notVerified = Self(
    .notVerified, "The app's server did not accept what the person signed in with.",
    suggestion: "Check what it expects, the audience and the nonce above all.")
  /// The link is not one that the attempt waits for.
  public static let invalidLink = Self(
    .invalidLink, "The link is not one that this attempt waits for.", suggestion: "Offer to send another one.")
  /// The answer belongs to a step that is no longer asked.
  public static let challengeReplaced = Self(
    .challengeReplaced, "The answer belongs to a challenge that is no longer asked.",
    suggestion: "Show the attempt's current challenge.")

  /// The password does not meet the provider's rules.
  ///
  /// - Parameter rules: what it must be like, for a developer to phrase.
  public static func weakPassword(rules: [String] = []) -> Self {
    var error = Self(
      .weakPassword, "The password does not meet the provider's rules.", suggestion: "Tell the person the rules.")
    error.passwordRules = rules
    return error
  }

  /// Too many wrong answers.
  ///
  /// - Parameter retryAfter: how long the provider refuses more; nil if it does not say.
  public static func tooManyAttempts(retryAfter: Duration? = nil) -> Self {
    var error = Self(.tooManyAttempts, "Too many wrong answers.", suggestion: "Let the person wait, or begin again.")
    error.retryAfter = retryAfter
    return error
  }

  /// A wrong code.
  ///
  /// - Parameter attemptsLeft: how many more the provider takes; nil if it does not say.
  public static func wrongCode(attemptsLeft: Int?) -> Self {
    var error = Self.wrongCode
    error.attemptsLeft = attemptsLeft
    return error
  }
}
