public import AuthenticationDomain

/// Signs in with a passkey: offered among the suggestions of a text field, or asked for at once.
///
/// One request is in flight at a time. An offer that ends without a session shows nothing.
///
/// ```swift
/// let model = PasskeyModel(in: flows)
/// model.offer()   // when the form appears
/// model.prompt()  // when the button is tapped
/// ```
public final class PasskeyModel: Flow<PasskeyModel.State>, StepModel {
  /// Where it stands.
  public enum State: Sendable, Equatable, StepState {
    /// Nothing is asked.
    case idle
    /// It is among the suggestions, and nothing of it is shown.
    case offered(attempt: String)
    /// The user is asked.
    case prompting(attempt: String)
    /// What the user asked for failed.
    case failed(FlowFailure)
    /// The provider asks for another step.
    case next(Challenge, attempt: String)
    /// Signed in.
    case done(SignInCompletion)
  }

  private let method: SignInMethod

  /// Asks for nothing yet.
  public init(_ method: SignInMethod = .passkey, in flows: FlowEnvironment) {
    self.method = method
    super.init(.idle, in: flows)
  }

  public var status: FlowStatus {
    let failure: FlowFailure? = if case .failed(let failure) = state { failure } else { nil }
    return FlowStatus("passkey.prompt.title", in: words, failure: failure)
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
    stopFollowing()
    begin(input) { .prompting(attempt: $0) }
  }

  /// Ends an offer or a request.
  public func cancel() {
    if isAsking, cancelAttempt() { state = .idle }
  }

  private var isAsking: Bool {
    switch state {
    case .offered, .prompting: true
    default: false
    }
  }

  private func begin(_ input: SignInInput, _ next: (String) -> State) {
    begin(method, next) {
      failed($0, isOffer: input.isOffer)
    } send: {
      $0.submit(input)
    }
  }

  override func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    guard isAsking else { return }
    let isOffer = if case .offered = state { true } else { false }
    switch attemptState {
    case .collecting, .submitting, .externalInteraction: break
    case .challenged(let challenge, _) where challenge.kind != .passkey:
      goOn(to: .next(challenge, attempt: attempt.id), with: attempt)
    case .challenged(_, let error): state = failed(error, isOffer: isOffer)
    case .failed(let error): state = failed(error, isOffer: isOffer)
    case .ended(.signedIn(let user)): if !finish(user, of: attempt) { state = .idle }
    case .ended: state = .idle
    }
  }

  private func failed(_ error: AuthenticationError?, isOffer: Bool) -> State {
    guard let error, !isOffer, !error.isSilent else { return .idle }
    return .failed(flows.failure(error))
  }
}

extension SignInAttempt {
  /// Whether it has something to lose: it is busy, or waits for an answer.
  fileprivate var isOpen: Bool { state.isWorking || state.challenge != nil }
}
