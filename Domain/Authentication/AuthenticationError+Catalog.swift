extension AuthenticationError {
  /// Thrown by ``PasswordCredentials/validate()``.
  public static let blankUserName = Self(
    .blankUserName, "The user name is empty or only white space.", suggestion: "Ask for it before signing in.")
  /// Thrown by ``PasswordCredentials/validate()``.
  public static let emptyPassword = Self(
    .emptyPassword, "The password is empty.", suggestion: "Ask for it before signing in.")
  /// Thrown by ``ChallengeAnswer/validate()``.
  public static let emptyCode = Self(.emptyCode, "The code is empty.", suggestion: "Ask for it before answering.")
  /// Thrown by ``PhoneCredentials/validate()``.
  public static let invalidPhoneNumber = Self(
    .invalidPhoneNumber, "The phone number is not in E.164 form.", suggestion: "Use a plus sign and 7 to 15 digits.")

  /// For a provider that refuses to sign a person in.
  public static let invalidCredentials = Self(
    .invalidCredentials, "The provider refused the credentials.", suggestion: "Let the person correct them.")
  /// For a provider's well-formed refusal to refresh (RFC 6749 §5.2): it ends the session.
  public static let sessionRejected = Self(
    .sessionRejected, "The provider no longer accepts this session.", suggestion: "Sign in again.")
  /// Thrown if a refresh was refused after the response to an earlier one was lost; ``AuthManager/formerUser`` is kept.
  public static let ambiguousLoss = Self(
    .ambiguousLoss, "The answer to an earlier renewal was lost, and the provider no longer accepts this session.",
    suggestion: "Sign in again; who was signed in is kept.")
  /// Thrown if the access token has expired and cannot be refreshed; the session stays stored.
  public static let sessionExpired = Self(
    .sessionExpired, "The access token has expired and the session has no refresh token.",
    suggestion: "Sign in again.")
  /// Thrown if a resource refuses one new access token after another; the session is kept.
  public static let accessTokenRefused = Self(
    .accessTokenRefused, "The resource refuses an access token that the provider has just issued.",
    suggestion: "Check which issuer and audience the resource accepts, and its clock.")
  /// Thrown if a session is needed and there is none.
  public static let notSignedIn = Self(.notSignedIn, "Nobody is signed in.", suggestion: "Sign in first.")
  /// Thrown if a later sign-in or sign-out overtook this call; its result is discarded.
  public static let superseded = Self(
    .superseded, "A later sign-in or sign-out overtook this call; its answer was discarded.",
    suggestion: "Follow the stream of states.")
  /// Thrown if the caller's task was cancelled.
  public static let cancelled = Self(.cancelled, "The call was cancelled.")
  /// Thrown if a timeout passed.
  public static let timedOut = Self(
    .timedOut, "No answer came in time.", suggestion: "Try again; a session that exists is kept.")

  /// For a provider that is given credentials it does not understand.
  public static func unsupportedMethod(_ method: SignInMethod) -> Self {
    Self(
      .unsupportedMethod, "This provider cannot sign in with the method '\(method.id)'.",
      suggestion: "Choose another method or another provider.")
  }

  /// Thrown if the provider is not a ``SignUpProvider``; its code is ``Code/unsupportedMethod``.
  public static let signUpUnsupported = Self(
    .unsupportedMethod, "This provider cannot sign up.", suggestion: "Use one that conforms to SignUpProvider.")

  /// Thrown if the provider asks for a second step, which is in ``challenge``.
  public static func challengeRequired(_ challenge: Challenge) -> Self {
    var error = Self(
      .challengeRequired, "The provider asks for a second step ('\(challenge.kind.id)').",
      suggestion: "Sign in with a ChallengeAnswer to the error's challenge, or pass it to the account service as proof."
    )
    error.challenge = challenge
    return error
  }
}
