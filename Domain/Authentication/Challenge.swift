/// A second step that the provider asks for before it gives a session: a code by SMS, a one-time password.
public struct Challenge: Sendable, Hashable {
  /// What is asked for: an open set.
  public struct Kind: Sendable, Hashable {
    /// Stable identifier, for logs.
    public let id: String
    /// A kind of your own provider.
    public init(id: String) { self.id = id }

    /// A code sent to a phone.
    public static let smsCode = Kind(id: "sms")
    /// A code sent by e-mail.
    public static let emailCode = Kind(id: "email")
    /// A code from an authenticator app (TOTP, RFC 6238).
    public static let oneTimePassword = Kind(id: "otp")
  }

  /// Which code to ask the person for.
  public let kind: Kind
  /// Where the code went, masked by the provider ("•••• 42"), to show to the person.
  public let destination: String?
  /// The provider's own handle of this attempt, sent back with the answer.
  public let handle: Secret

  /// For a provider, which returns it as ``SignInOutcome/challenge(_:)``.
  public init(kind: Kind, destination: String? = nil, handle: Secret) {
    self.kind = kind
    self.destination = destination
    self.handle = handle
  }
}

/// The code a person typed in answer to a ``Challenge``.
public struct ChallengeAnswer: Credentials {
  /// The step that this answers; its handle goes back to the provider.
  public let challenge: Challenge
  /// What the person typed.
  public let code: Secret

  /// Pass it to ``AuthenticationUseCase/signIn(with:)`` to continue the attempt.
  public init(to challenge: Challenge, code: Secret) {
    self.challenge = challenge
    self.code = code
  }

  public var method: SignInMethod { .challengeAnswer }

  /// Checks that there is a code.
  ///
  /// - Throws: ``AuthenticationError/Code/emptyCode`` if there is none.
  public func validate() throws(AuthenticationError) {
    if code.isEmpty { throw .emptyCode }
  }
}

extension Credentials where Self == ChallengeAnswer {
  /// The code a person typed, for ``AuthenticationUseCase/signIn(with:)``.
  public static func answer(to challenge: Challenge, code: Secret) -> Self {
    ChallengeAnswer(to: challenge, code: code)
  }
}
