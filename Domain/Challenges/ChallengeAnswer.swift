public import Foundation

/// A user's reaction to a ``Challenge``: an answer, the wish for another code, or the choice of another factor.
///
/// It goes through the same use case as the sign-in that it continues, so that validation and interceptors apply.
public struct ChallengeAnswer: Credentials {
  /// The content of an answer.
  public enum Content: Sendable {
    /// The code, cleaned of spaces and dashes.
    case code(Secret)
    /// The link that was opened, which any user may have sent. It contains a code, and is not printed.
    case link(URL)
    /// The password that is asked for, as typed: a new one, or for ``Challenge/Kind/password`` the one in use.
    case newPassword(Secret)
    /// The id of the chosen ``Challenge/Factor``.
    case choice(String)
    /// The authenticator's response, as JSON (WebAuthn Level 3 §5.1).
    case passkey(Secret)
    /// Whether the user has approved elsewhere by now.
    case approval
    /// Another code or link; the provider returns a new challenge.
    case resend
  }

  /// The step that this answers; its handle goes back to the provider.
  public let challenge: Challenge
  /// The content of the answer.
  public let content: Content

  /// Pass it to ``AuthenticationUseCase/signIn(with:)`` to continue the attempt.
  public init(to challenge: Challenge, _ content: Content) {
    self.challenge = challenge
    self.content = content
  }

  /// The code that a user typed or pasted; spaces and dashes do not matter.
  package init(to challenge: Challenge, code: Secret) {
    self.init(to: challenge, .code(Secret(CodeFormat.cleaned(code.reveal()))))
  }

  /// The typed code; empty if the answer is not a code.
  package var code: Secret {
    if case .code(let code) = content { code } else { Secret("") }
  }

  /// The typed text, a code or a password; nil for any other answer.
  public var typed: Secret? {
    switch content {
    case .code(let typed), .newPassword(let typed): typed
    default: nil
    }
  }

  public var method: SignInMethod { .challengeAnswer }

  /// Refuses, before anything is sent, an answer that cannot be right.
  ///
  /// - Throws: ``AuthenticationError/emptyCode``, ``AuthenticationError/malformedCode`` for a code that the
  ///   challenge's format excludes, ``AuthenticationError/emptyPassword``, and
  ///   ``AuthenticationError/invalidRequest`` for a choice that was not offered.
  public func validate() throws(AuthenticationError) {
    switch content {
    case .code(let code):
      if code.isEmpty { throw .emptyCode }
      if let format = challenge.format, !format.matches(code.reveal()) { throw .malformedCode }
    case .newPassword(let password): if password.isEmpty { throw .emptyPassword }
    case .choice(let id): if !challenge.choices.contains(where: { $0.id == id }) { throw .notOffered }
    case .link, .passkey, .approval, .resend: break
    }
  }
}

/// A link contains a code.
extension ChallengeAnswer.Content: Redacted {}

extension Credentials {
  /// The passwords, codes and other secrets that these present. Data of a provider is none of them.
  package var presentedSecrets: [Secret] {
    switch self {
    case let answer as ChallengeAnswer:
      if case .link(let url) = answer.content { [Secret(url.absoluteString)] } else { answer.typed.map { [$0] } ?? [] }
    case is PasskeyCredentials: []
    // Also those of a type that this library does not know.
    default: Mirror(reflecting: self).children.compactMap { $0.value as? Secret }
    }
  }
}

extension Credentials where Self == ChallengeAnswer {
  /// The code a user typed, for ``AuthenticationUseCase/signIn(with:)``.
  public static func answer(to challenge: Challenge, code: Secret) -> Self {
    ChallengeAnswer(to: challenge, code: code)
  }
}

extension AuthenticationError {
  fileprivate static let notOffered = Self(
    .invalidRequest, "The chosen factor is not among those that were offered.",
    suggestion: "Choose one of the challenge's choices.")
}
