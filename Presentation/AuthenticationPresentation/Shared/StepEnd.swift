import AuthenticationDomain

/// What comes after a step of a sign-in.
enum StepEnd {
  /// What the attempt asks next.
  case next(SignInAttempt)
  /// The choice among the factors of the attempt.
  case factors(SignInAttempt)
  /// The person chose a method.
  case chosen(SignInMethod)
  case done(SignInCompletion)
  /// The person left it, or it cannot go on.
  case left
}
