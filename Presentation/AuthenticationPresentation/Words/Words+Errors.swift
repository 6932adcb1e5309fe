public import AuthenticationDomain

extension Words {
  /// What to tell a person about an error: chosen by its code, with the numbers that it has. It holds nothing of a
  /// response, a URL or a secret.
  public func sentence(for error: AuthenticationError) -> String {
    if let left = error.attemptsLeft, error.code == .wrongCode {
      return self("error.wrong_code.left", .count(left))
    }
    if let wait = error.retryAfter, [.tooManyAttempts, .rateLimited].contains(error.code) {
      return self("error.too_many_attempts.wait", .words(duration(wait)))
    }
    return sentence(for: error.code)
  }

  /// What to tell a person about an error of which no more than the code is known.
  public func sentence(for code: AuthenticationError.Code) -> String {
    let key = WordKey("error.\(code)")
    return has(key) ? self(key) : self("error.unknown")
  }

  /// A duration in whole minutes, or in seconds if it is shorter.
  public func duration(_ duration: Duration) -> String {
    let seconds = duration.roundedUpSeconds
    return seconds < 60
      ? self("time.seconds", .count(seconds)) : self("time.minutes", .count(seconds / 60 + (seconds % 60).signum()))
  }
}
