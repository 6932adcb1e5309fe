/// A step that the provider asks for before it gives a session: a code, a link, a new password. A value, not an error.
///
/// ```swift
/// Challenge(
///   kind: .smsCode, destination: "•••• 42", handle: Secret("…"), format: .digits(6),
///   lifetime: .seconds(300), resendDelay: .seconds(60))
/// ```
public struct Challenge: Sendable, Hashable {
  private struct Contents: Sendable, Hashable {
    let kind: Kind
    let handle: Secret
    var destination: String?
    var format: CodeFormat?
    var lifetime: Duration?
    var resendDelay: Duration?
    var attemptsLeft: Int?
    var choices: [Factor]
    var passwordRules: [String]
    var enrolment: Enrolment?
    var passkeyRequest: Secret?
    var pollInterval: Duration?
  }

  private let contents: Boxed<Contents>

  /// What the person is asked for.
  public var kind: Kind { contents.value.kind }
  /// The provider's own handle of this step, sent back with the answer. Each resend makes a new one.
  public var handle: Secret { contents.value.handle }
  /// Where the code or link went, masked by the provider ("•••• 42"), to show to the person.
  public var destination: String? { contents.value.destination }
  /// What the code looks like; nil if that is not known.
  public var format: CodeFormat? { contents.value.format }
  /// How long the provider accepts an answer, from when the challenge came; nil if it did not say.
  public var lifetime: Duration? { contents.value.lifetime }
  /// How long to wait before another code may be sent, from when the challenge came; nil if nothing can be sent again.
  public var resendDelay: Duration? { contents.value.resendDelay }
  /// How many wrong answers are left; nil if the provider did not say.
  public var attemptsLeft: Int? { contents.value.attemptsLeft }
  /// The factors among which the person may choose, by ``Kind/choice`` or instead of this step; empty if there are none.
  public var choices: [Factor] { contents.value.choices }
  /// What a new password must be like, for a developer to phrase.
  public var passwordRules: [String] { contents.value.passwordRules }
  /// What to show while an authenticator app is enrolled.
  public var enrolment: Enrolment? { contents.value.enrolment }
  /// The options for a passkey: `PublicKeyCredentialRequestOptions` or `…CreationOptions` as JSON (WebAuthn Level 3).
  public var passkeyRequest: Secret? { contents.value.passkeyRequest }
  /// How long to wait between two questions whether the person has approved elsewhere.
  public var pollInterval: Duration? { contents.value.pollInterval }

  /// For a provider, which returns it as ``SignInOutcome/challenge(_:)``. What the provider does not tell is left out.
  public init(
    kind: Kind, destination: String? = nil, handle: Secret, format: CodeFormat? = nil, lifetime: Duration? = nil,
    resendDelay: Duration? = nil, attemptsLeft: Int? = nil, choices: [Factor] = [], passwordRules: [String] = [],
    enrolment: Enrolment? = nil, passkeyRequest: Secret? = nil, pollInterval: Duration? = nil
  ) {
    contents = Boxed(
      Contents(
        kind: kind, handle: handle, destination: destination, format: format, lifetime: lifetime,
        resendDelay: resendDelay, attemptsLeft: attemptsLeft, choices: choices, passwordRules: passwordRules,
        enrolment: enrolment, passkeyRequest: passkeyRequest, pollInterval: pollInterval))
  }

  /// The same step with fewer attempts left, as a provider tells after a wrong answer.
  public func leaving(attempts: Int) -> Challenge {
    var changed = contents.value
    changed.attemptsLeft = attempts
    return Challenge(changed)
  }

  /// Whether this asks for what another one asks for, with the same handle; fewer attempts may be left of it.
  func isSameStep(as other: Challenge?) -> Bool { handle == other?.handle && kind == other?.kind }

  private init(_ contents: Contents) { self.contents = Boxed(contents) }
}

extension Challenge: CustomReflectable {
  public var customMirror: Mirror { contents.mirror(of: self) }
}
