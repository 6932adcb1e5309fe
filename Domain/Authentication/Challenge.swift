/// A second step that the provider asks for before it gives a session: a code by SMS, a one-time password.
public struct Challenge: Sendable, Hashable {
  /// What is asked for: an open set.
  public struct Kind: Sendable, Hashable {
    public let id: String
    public init(id: String) { self.id = id }

    public static let smsCode = Kind(id: "sms")
    public static let emailCode = Kind(id: "email")
    public static let oneTimePassword = Kind(id: "otp")
  }

  public let kind: Kind
  /// Where the code went, masked by the provider ("•••• 42"), to show to the person.
  public let destination: String?
  /// The provider's own handle of this attempt, sent back with the answer.
  public let handle: Secret

  public init(kind: Kind, destination: String? = nil, handle: Secret) {
    self.kind = kind
    self.destination = destination
    self.handle = handle
  }
}

/// The code a person typed in answer to a ``Challenge``.
public struct ChallengeAnswer: Credentials {
  public let challenge: Challenge
  public let code: Secret

  public init(to challenge: Challenge, code: Secret) {
    self.challenge = challenge
    self.code = code
  }

  public var method: SignInMethod { .challengeAnswer }

  /// Throws ``AuthenticationError/Code/emptyCode``.
  public func validate() throws(AuthenticationError) {
    if code.isEmpty { throw .emptyCode }
  }
}

extension Credentials where Self == ChallengeAnswer {
  public static func answer(to challenge: Challenge, code: Secret) -> Self {
    ChallengeAnswer(to: challenge, code: code)
  }
}
