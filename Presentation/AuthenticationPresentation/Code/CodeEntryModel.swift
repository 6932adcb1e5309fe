public import AuthenticationDomain
public import Observation

/// Asks for the code of an attempt: one that was sent, one of an authenticator app, a recovery code.
///
/// There is none without an attempt that waits for it.
///
/// ```swift
/// if let model = CodeEntryModel(attempt, in: flows) {
///   model.code = typed
///   model.submit()
/// }
/// ```
@MainActor
@Observable
public final class CodeEntryModel: StepModel {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// The person types it.
    case editing(CodeEntry)
    /// It was sent to the provider.
    case verifying(CodeEntry)
    /// Another one was asked for; its coming is not said before the answer.
    case sending(CodeEntry)
    /// The provider takes it no more: another one may be sent, or the flow begins again.
    case expired(CodeEntry)
    /// Too many wrong ones: nothing is taken before the deadline; nil if only a new attempt helps.
    case spent(until: Deadline?)
    /// The provider asks for another step.
    case next(Challenge, attempt: String)
    /// Signed in.
    case done(SignInCompletion)
    /// The attempt is over without a session.
    case ended
  }

  public package(set) var state: State {
    didSet { if let stepEnd { onEnd?(stepEnd) } }
  }
  public var words: Words { flows.words }
  /// Whether a complete code is sent without a submit; a page that does so says it (WCAG 2.2, 3.2.2).
  public var submitsByItself = false

  @ObservationIgnored var onEnd: (@MainActor (StepEnd) -> Void)?
  @ObservationIgnored let flows: FlowEnvironment
  @ObservationIgnored let attempt: SignInAttempt
  @ObservationIgnored let following = AttemptFollowing()
  @ObservationIgnored let expiry: Alarm

  /// Nil if the attempt does not wait for an answer.
  ///
  /// - Parameters:
  ///   - attempt: the one whose challenge is asked.
  ///   - flows: what the models of one app share.
  ///   - isRestored: whether it was pending when the app was closed.
  public init?(_ attempt: SignInAttempt, in flows: FlowEnvironment, isRestored: Bool = false) {
    guard let challenge = attempt.state.challenge else { return nil }
    self.attempt = attempt
    self.flows = flows
    expiry = Alarm(flows.clock)
    state = .editing(CodeEntry(challenge, of: attempt, isRestored: isRestored, by: flows.clock))
    following.follow(attempt) { [weak self] in self?.show($0) }
    watchExpiry()
  }

  /// For a preview: it follows nothing.
  package init(_ state: State, of attempt: SignInAttempt, in flows: FlowEnvironment) {
    self.attempt = attempt
    self.flows = flows
    expiry = Alarm(flows.clock)
    self.state = state
  }

  /// The input; nil after its end.
  public var entry: CodeEntry? {
    switch state {
    case .editing(let entry), .verifying(let entry), .sending(let entry), .expired(let entry): entry
    case .spent, .next, .done, .ended: nil
    }
  }

  /// As typed or pasted. What is typed while something is on its way is dropped.
  public var code: String {
    get { entry?.text ?? "" }
    set {
      guard case .editing(var entry) = state else { return }
      entry.text = newValue
      let code = submitsByItself ? entry.codeToSendByItself() : nil
      state = .editing(entry)
      if let code { send(code, entry) }
    }
  }

  private var stepEnd: StepEnd? {
    switch state {
    case .next: .next(attempt)
    case .done(let completion): .done(completion)
    case .ended: .left
    default: nil
    }
  }

  public var problems: [AuthenticationError.Code] { entry?.problem.map { [$0] } ?? [] }

  public var failure: FlowFailure? {
    if case .editing(let entry) = state { entry.failure } else { nil }
  }

  public var focus: Focus? {
    guard case .editing(let entry) = state else { return nil }
    if let failure = entry.failure {
      return Focus(entry.problem == nil ? .message : .field("code"), turn: failure.turn)
    }
    return Focus(.field("code"), turn: 0)
  }

  /// Whether an answer is awaited.
  public var isWorking: Bool {
    switch state {
    case .verifying, .sending: true
    default: false
    }
  }
}

extension CodeEntry {
  init(_ challenge: Challenge, of attempt: SignInAttempt, isRestored: Bool = false, by clock: any AuthenticationClock) {
    self.init(
      challenge, timeToResend: attempt.timeToResend(), timeLeft: attempt.timeLeft(), isRestored: isRestored, by: clock)
  }
}
