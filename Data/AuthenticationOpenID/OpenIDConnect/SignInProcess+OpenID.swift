public import AuthenticationDomain

extension SignInProcess {
  /// The issuer's own page in a browser, with the hints of the attempt (OpenID Connect Core §3.1.2.1).
  public static let browser = Self(.browser) { context throws(AuthenticationError) in
    context.isWaiting(WaitingElsewhere(.browser))
    let hints = context.input.hints
    return BrowserSignIn(
      requirements: hints.requirements, userNameHint: hints.userName,
      prompt: hints.prompt.map(BrowserSignIn.Prompt.init), locales: hints.locales, returning: hints.returning)
  }

  /// A code that the person types on another device (RFC 8628 §3.3); the attempt shows it.
  public static let device = Self(.device) { context throws(AuthenticationError) in
    DeviceSignIn { prompt in
      context.isWaiting(
        WaitingElsewhere(
          .anotherDevice, address: prompt.verificationURI, completeAddress: prompt.completeVerificationURI,
          userCode: prompt.userCode, lifetime: prompt.lifetime))
    }
  }
}
