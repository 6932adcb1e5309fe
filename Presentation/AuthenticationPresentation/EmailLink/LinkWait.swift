public import AuthenticationDomain

/// A link that is on its way to a person.
public struct LinkWait: Sendable, Equatable {
  /// What waits for it.
  public let challenge: Challenge
  /// The id of the attempt that asked for it: another one's link is refused.
  public let attempt: String
  /// Before this no other link can be sent; nil if none can be sent at all.
  public let resendAt: Deadline?
  /// When the provider takes it no more; nil if that is not known.
  public let expiresAt: Deadline?
  /// Whether it was pending when the app was closed: nothing was sent for it since.
  public let isRestored: Bool
  /// Why the last link did not do.
  public internal(set) var failure: FlowFailure?

  init(
    _ challenge: Challenge, of attempt: SignInAttempt, isRestored: Bool = false, by clock: any AuthenticationClock
  ) {
    self.challenge = challenge
    self.attempt = attempt.id
    resendAt = attempt.timeToResend().map { Deadline(in: $0, by: clock) }
    expiresAt = attempt.timeLeft().map { Deadline(in: $0, by: clock) }
    self.isRestored = isRestored
  }

  /// For a preview.
  package init(
    _ challenge: Challenge, attempt: String, resendAt: Deadline?, expiresAt: Deadline?, isRestored: Bool = false,
    failure: FlowFailure? = nil
  ) {
    self.challenge = challenge
    self.attempt = attempt
    self.resendAt = resendAt
    self.expiresAt = expiresAt
    self.isRestored = isRestored
    self.failure = failure
  }

  /// Where it went, masked by the provider.
  public var destination: String? { challenge.destination }
}
