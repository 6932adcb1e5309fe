extension AuthenticationError {
  public static let blankUserName = Self(
    .blankUserName, "The user name is empty or only white space.", suggestion: "Ask for it before signing in.")
  public static let emptyPassword = Self(
    .emptyPassword, "The password is empty.", suggestion: "Ask for it before signing in.")
  public static let emptyCode = Self(.emptyCode, "The code is empty.", suggestion: "Ask for it before answering.")
  public static let invalidPhoneNumber = Self(
    .invalidPhoneNumber, "The phone number is not in E.164 form.", suggestion: "Use a plus sign and 7 to 15 digits.")

  public static let invalidCredentials = Self(
    .invalidCredentials, "The provider refused the credentials.", suggestion: "Let the person correct them.")
  public static let sessionRejected = Self(
    .sessionRejected, "The provider no longer accepts this session.", suggestion: "Sign in again.")
  public static let sessionExpired = Self(
    .sessionExpired, "The access token has expired and the session has no refresh token.",
    suggestion: "Sign in again.")
  public static let notSignedIn = Self(.notSignedIn, "Nobody is signed in.", suggestion: "Sign in first.")
  public static let superseded = Self(
    .superseded, "A later sign-in or sign-out overtook this call; its answer was discarded.",
    suggestion: "Follow the stream of states.")
  public static let cancelled = Self(.cancelled, "The call was cancelled; nothing changed.")
  public static let timedOut = Self(
    .timedOut, "No answer came in time.", suggestion: "Try again; a session that exists is kept.")

  public static func unsupportedMethod(_ method: SignInMethod) -> Self {
    Self(
      .unsupportedMethod, "This provider cannot sign in with the method '\(method.id)'.",
      suggestion: "Choose another method or another provider.")
  }

  public static let signUpUnsupported = Self(
    .unsupportedMethod, "This provider cannot sign up.", suggestion: "Use one that conforms to SignUpProvider.")

  public static func challengeRequired(_ challenge: Challenge) -> Self {
    var error = Self(
      .challengeRequired, "The provider asks for a second step ('\(challenge.kind.id)').",
      suggestion: "Sign in with a ChallengeAnswer to the error's challenge.")
    error.challenge = challenge
    return error
  }
}
