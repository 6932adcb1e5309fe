public import AuthenticationDomain
public import Observation

/// Signs in with a passkey: offered among the suggestions of a text field, or asked for at once.
///
/// One request is alive at a time. What becomes of an offer is not told, but for a session.
///
/// ```swift
/// let model = PasskeyModel(in: flows)
/// model.offer()   // when the form appears
/// model.prompt()  // when the button is tapped
/// ```
@MainActor
@Observable
public final class PasskeyModel: StepModel {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// Nothing is asked.
    case idle
    /// It is among the suggestions, and nothing of it is shown.
    case offered(attempt: String)
    /// The user is asked.
    case prompting(attempt: String)
    /// What the user asked for did not work.
    case failed(FlowFailure)
    /// The provider asks for another step.
    case next(Challenge, attempt: String)
    /// Signed in.
    case done(SignInCompletion)
  }

  public package(set) var state = State.idle {
    didSet { if let stepEnd { onEnd?(stepEnd) } }
  }
  public var words: Words { flows.words }

  @ObservationIgnored var onEnd: (@MainActor (StepEnd) -> Void)?
  @ObservationIgnored private let flows: FlowEnvironment
  @ObservationIgnored private let method: SignInMethod
  @ObservationIgnored private let following = AttemptFollowing()

  /// Asks for nothing yet.
  public init(_ method: SignInMethod = .passkey, in flows: FlowEnvironment) {
    self.method = method
    self.flows = flows
  }

  /// Offers passkeys among the suggestions of the text field for a user name. Does nothing while a user is asked, or
  /// another attempt is in progress.
  public func offer(_ input: SignInInput = SignInInput()) {
    guard case .idle = state, flows.attempts.current?.isOpen != true else { return }
    var input = input
    input.isOffer = true
    begin(input) { .offered(attempt: $0) }
  }

  /// Asks for a passkey at once; an offer ends before.
  public func prompt(_ input: SignInInput = SignInInput()) {
    switch state {
    case .prompting, .done: return
    case .idle, .offered, .failed, .next: break
    }
    following.stop()
    begin(input) { .prompting(attempt: $0) }
  }

  /// Ends an offer or a request.
  public func cancel() {
    guard isAsking, following.cancel() else { return }
    state = .idle
  }

  private var stepEnd: StepEnd? {
    switch state {
    case .next: following.attempt.map { .next($0) }
    case .done(let completion): .done(completion)
    default: nil
    }
  }

  public var title: String { words("passkey.prompt.title") }

  public var failure: FlowFailure? {
    if case .failed(let failure) = state { failure } else { nil }
  }

  public func finished() async { await following.finished() }

  private var isAsking: Bool {
    switch state {
    case .offered, .prompting: true
    default: false
    }
  }

  private func begin(_ input: SignInInput, _ next: (String) -> State) {
    do throws(AuthenticationError) {
      let attempt = try flows.attempts.begin(method)
      state = next(attempt.id)
      attempt.submit(input)
      following.follow(attempt) { [weak self] in self?.show($0, of: attempt) }
    } catch {
      fail(error, isOffer: input.isOffer)
    }
  }

  private func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    guard isAsking else { return }
    let isOffer = if case .offered = state { true } else { false }
    switch attemptState {
    case .collecting, .submitting, .externalInteraction: break
    case .challenged(let challenge, _) where challenge.kind != .passkey:
      state = .next(challenge, attempt: attempt.id)
    case .challenged(_, let error): fail(error, isOffer: isOffer)
    case .failed(let error): fail(error, isOffer: isOffer)
    case .ended(.signedIn(let user)):
      flows.lastMethod.write(method.id)
      state = SignInCompletion(user, of: attempt, by: flows.control).map(State.done) ?? .idle
    case .ended: state = .idle
    }
  }

  private func fail(_ error: AuthenticationError?, isOffer: Bool) {
    guard let error, !isOffer, !error.isSilent else { return state = .idle }
    state = .failed(flows.failure(error))
  }
}

extension SignInAttempt {
  /// Whether it has something to lose: it is busy, or waits for an answer.
  fileprivate var isOpen: Bool { state.isWorking || state.challenge != nil }
}
