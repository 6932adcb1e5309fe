import AuthenticationData
import AuthenticationDomain

extension Auth0AuthProvider: SignUpProvider {
  /// Creates an account in the database, and signs in to it: the answer to a sign-up has no tokens.
  func signUp(with credentials: any Credentials) async throws(AuthenticationError) -> SignInOutcome {
    if credentials is PasskeyCredentials, methods.contains(.passkey) { return .challenge(try await registerPasskey()) }
    guard let credentials = credentials as? PasswordCredentials, methods.contains(.password) else {
      throw .unsupportedMethod(credentials.method)
    }
    _ = try await post(
      "dbconnections/signup",
      [
        "email": .string(credentials.userName), "password": .string(credentials.password.reveal()),
        "connection": .string(application.connection),
      ])
    return try await signIn(credentials)
  }
}

extension Auth0AuthProvider: PasswordResetProvider {
  /// Sends a link to Auth0's own page, which does the rest; the answer is the same whether there is such an account.
  func resetPassword(of account: String) async throws(AuthenticationError) -> AccountStep {
    _ = try await post(
      "dbconnections/change_password",
      ["email": .string(account), "connection": .string(application.connection)])
    return .done
  }

  /// No account service of Auth0 asks for a step.
  func answer(_ answer: ChallengeAnswer, for session: AuthSession?) async throws(AuthenticationError) -> AccountStep {
    throw .challengeReplaced
  }
}
