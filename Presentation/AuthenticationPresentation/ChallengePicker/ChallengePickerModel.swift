public import AuthenticationDomain

/// Lets a user choose among the factors of a challenge. Where there is one, it is chosen.
///
/// ```swift
/// if let model = ChallengePickerModel(attempt, in: flows), case .choosing(let factors, _) = model.state {
///   for factor in factors { addButton(factor) }
/// }
/// ```
public final class ChallengePickerModel: Flow<ChallengePickerModel.State> {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// The user chooses.
    case choosing([Challenge.Factor], FlowFailure?)
    /// The provider prepares the chosen challenge.
    case preparing(Challenge.Factor, of: [Challenge.Factor])
    /// The chosen challenge is asked; another model of the attempt shows the choice again, without a new sign-in.
    case asking(Challenge)
    /// The attempt has ended.
    case ended
  }

  private let attempt: SignInAttempt

  /// Nil if the attempt's challenge leaves no choice.
  public convenience init?(_ attempt: SignInAttempt, in flows: FlowEnvironment) {
    guard let challenge = attempt.state.challenge, !challenge.choices.isEmpty else { return nil }
    self.init(.choosing(challenge.choices, nil), of: attempt, in: flows)
    if challenge.choices.count == 1, challenge.kind == .choice { choose(challenge.choices[0]) }
    follow(attempt)
  }

  /// Follows nothing.
  package init(_ state: State, of attempt: SignInAttempt, in flows: FlowEnvironment) {
    self.attempt = attempt
    super.init(state, in: flows)
  }

  override var currentStatus: FlowStatus {
    if case .choosing(_, let failure) = state {
      FlowStatus("factors.choice.title", in: words, failure: failure, focus: failure?.focus ?? .heading)
    } else {
      FlowStatus("factors.choice.title", in: words)
    }
  }

  /// Continues with a factor. Does nothing while another one is prepared.
  public func choose(_ factor: Challenge.Factor) {
    guard case .choosing(let factors, _) = state, factors.contains(factor) else { return }
    state = .preparing(factor, of: factors)
    attempt.choose(factor)
    show(attempt.state, of: attempt)
  }

  override func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    switch (attemptState, state) {
    case (.challenged(let challenge, let error), .preparing(_, let factors)):
      if challenge.kind != .choice {
        state = .asking(challenge)
        onEnd?(.next(attempt))
      } else {
        state = .choosing(factors, error.flatMap(flows.visibleFailure))
      }
    case (.failed(let error), .preparing(_, let factors)):
      if error == .signInExpired { leave(to: .ended) } else { state = .choosing(factors, flows.failure(error)) }
    case (.ended, _): leave(to: .ended)
    default: break
    }
  }
}
