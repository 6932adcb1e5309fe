public import AuthenticationDomain

/// A change of an account, and everything else that one call adds.
///
/// ```swift
/// let request = AccountRequest(.deleteAccount, attributes: ["appleAuthorizationCode": code])
/// try await account.perform(request)
/// ```
public struct AccountRequest: Sendable {
  /// The change.
  public let change: AccountChange
  /// The answer to the challenge of the ``AuthenticationError/challengeRequired`` that an earlier call threw; nil at
  /// first.
  public let proof: ChallengeAnswer?
  /// Further data of the app, as at a sign-in: ``SignInRequest/attributes``.
  public let attributes: [String: Secret]

  /// - Parameters:
  ///   - change: the change.
  ///   - proof: the answer to the challenge that an earlier call threw. By default nil.
  ///   - attributes: further data of the app. By default nothing.
  public init(_ change: AccountChange, proof: ChallengeAnswer? = nil, attributes: [String: Secret] = [:]) {
    self.change = change
    self.proof = proof
    self.attributes = attributes
  }

  func validate() throws(AuthenticationError) {
    try change.validate()
    try proof?.validate()
  }
}

/// The outcome of a change of an account.
public enum AccountOutcome: Sendable, Equatable {
  /// Nothing is left to do.
  case done
  /// Nothing is left to do, and from now on this is the user's session, as after a new password or an upgrade; the user
  /// id is the same.
  case session(AuthSession)
  /// The provider asks for a step first: ``AccountChange/answer(_:)``.
  case challenge(Challenge)

  /// The same as the outcome of a sign-in.
  package init(_ outcome: SignInOutcome) {
    switch outcome {
    case .session(let session): self = .session(session)
    case .challenge(let challenge): self = .challenge(challenge)
    }
  }
}
