#if Tools
/// The tokens of one sign-in or refresh.
package struct IdentityGrant: Sendable {
  package let accessToken: String
  package let idToken: String
  package let refreshToken: String
}

/// The outcome of a sign-in.
package enum SignInReply: Sendable {
  case grant(IdentityGrant)
  case code(SentCode)
}

/// Why the ledger granted nothing.
package enum IdentityRefusal: Error, Equatable {
  case invalidCredentials
  case unknownPasskey
  case usernameTaken
  /// The refresh token was never issued, or its family has ended.
  case unknownGrant
  /// The refresh token was spent; its family has just been ended.
  case reusedGrant
  /// The code was another one.
  case wrongCode(attemptsLeft: Int)
  case tooManyAttempts
  case codeExpired
  /// No code is waited for under this id.
  case unknownChallenge
  case weakPassword
  case recentSignInRequired
  case lastMethod
  case unsupportedMethod
}
#endif
