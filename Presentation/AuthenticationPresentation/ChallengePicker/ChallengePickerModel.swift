public import AuthenticationDomain
public import Observation

/// Lets a user choose among the factors of a challenge. Where there is one, it is chosen.
///
/// ```swift
/// if let model = ChallengePickerModel(attempt, in: flows), case .choosing(let factors, _) = model.state {
///   for factor in factors { addButton(factor) }
/// }
/// ```
@MainActor
@Observable
public final class ChallengePickerModel: StepModel {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// The user chooses.
    case choosing([Challenge.Factor], FlowFailure?)
    /// The provider prepares what was chosen.
    case preparing(Challenge.Factor, of: [Challenge.Factor])
    /// What was chosen is asked; ``ChallengePickerModel/goBack()`` shows the choice again without a new sign-in.
    case asking(Challenge, attempt: String)
    /// The attempt is over.
    case ended
  }

  public package(set) var state: State {
    didSet { if let stepEnd { onEnd?(stepEnd) } }
  }
  public var words: Words { flows.words }

  @ObservationIgnored var onEnd: (@MainActor (StepEnd) -> Void)?
  @ObservationIgnored private let flows: FlowEnvironment
  @ObservationIgnored private let attempt: SignInAttempt
  @ObservationIgnored private let following = AttemptFollowing()

  /// Nil if the attempt's challenge leaves no choice.
  public init?(_ attempt: SignInAttempt, in flows: FlowEnvironment) {
    guard let challenge = attempt.state.challenge, !challenge.choices.isEmpty else { return nil }
    self.attempt = attempt
    self.flows = flows
    state = .choosing(challenge.choices, nil)
    if challenge.choices.count == 1, challenge.kind == .choice { choose(challenge.choices[0]) }
    following.follow(attempt) { [weak self] in self?.show($0) }
  }

  /// For a preview: it follows nothing.
  package init(_ state: State, of attempt: SignInAttempt, in flows: FlowEnvironment) {
    self.attempt = attempt
    self.flows = flows
    self.state = state
  }

  /// Goes on with a factor. Does nothing while another one is prepared.
  public func choose(_ factor: Challenge.Factor) {
    guard case .choosing(let factors, _) = state, factors.contains(factor) else { return }
    state = .preparing(factor, of: factors)
    attempt.choose(factor)
    show(attempt.state)
  }

  /// Whether another factor may be chosen instead of the one that is asked.
  public var canGoBack: Bool {
    if case .asking(let challenge, _) = state { challenge.choices.count > 1 } else { false }
  }

  /// Shows the choice again.
  public func goBack() {
    guard canGoBack, case .asking(let challenge, _) = state else { return }
    state = .choosing(challenge.choices, nil)
  }

  private var stepEnd: StepEnd? {
    switch state {
    case .asking: .next(attempt)
    case .ended: .left
    default: nil
    }
  }

  public var title: String { words("factors.choice.title") }

  public var failure: FlowFailure? {
    if case .choosing(_, let failure) = state { failure } else { nil }
  }

  public var focus: Focus? {
    guard case .choosing(_, let failure) = state else { return nil }
    return Focus(failure == nil ? .heading : .message, turn: failure?.turn ?? 0)
  }

  public func finished() async { await following.finished() }

  private func show(_ attemptState: SignInAttempt.State) {
    switch attemptState {
    case .challenged(let challenge, let error):
      guard case .preparing(_, let factors) = state else { return }
      if challenge.kind != .choice {
        state = .asking(challenge, attempt: attempt.id)
      } else {
        state = .choosing(
          factors, error.flatMap { $0.isSilent ? nil : flows.failure($0) })
      }
    case .failed(let error):
      guard case .preparing(_, let factors) = state else { return }
      state = error == .signInExpired ? .ended : .choosing(factors, flows.failure(error))
    case .ended: state = .ended
    case .collecting, .submitting, .externalInteraction: break
    }
  }
}
