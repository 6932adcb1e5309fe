public import AuthenticationDomain

/// Signs in on the provider's own page, or on a sheet of the system.
///
/// A user who closes the page is told nothing, and sees what was there before.
///
/// ```swift
/// let model = BrowserSignInModel(.browser, in: flows)
/// model.start(SignInInput(anchor: PresentationAnchor(window)))
/// ```
public final class BrowserSignInModel: Flow<BrowserSignInModel.State>, StepModel {
  /// Where it stands.
  public enum State: Sendable, Equatable, StepState {
    /// Nothing was opened, or the user has closed it.
    case idle
    /// The page is about to open.
    case starting(attempt: String)
    /// The page is open.
    case inBrowser(attempt: String)
    /// It failed.
    case failed(FlowFailure)
    /// The provider asks for another step.
    case next(Challenge, attempt: String)
    /// Signed in.
    case done(SignInCompletion)
  }

  /// Which method it signs in with.
  public let method: SignInMethod

  /// Opens nothing yet.
  public init(_ method: SignInMethod, in flows: FlowEnvironment) {
    self.method = method
    super.init(.idle, in: flows)
  }

  public var status: FlowStatus {
    let failure: FlowFailure? = if case .failed(let failure) = state { failure } else { nil }
    return FlowStatus("browser.open.title", in: words, failure: failure)
  }

  /// Whether the page is open, or about to.
  public var isWorking: Bool {
    switch state {
    case .starting, .inBrowser: true
    default: false
    }
  }

  /// Opens the page. Does nothing while it is open: there is one, and one callback.
  public func start(_ input: SignInInput = SignInInput()) {
    if !isWorking { open(input) }
  }

  /// Opens the page anew, for a user who has lost it; one that is still open counts no more.
  public func openAgain(_ input: SignInInput = SignInInput()) {
    if isWorking { open(input) }
  }

  private func open(_ input: SignInInput) {
    begin(method) {
      .starting(attempt: $0)
    } orElse: {
      .failed(flows.failure($0))
    } send: {
      $0.submit(input)
    }
  }

  /// Cancels the attempt, as closing the page does.
  public func cancel() {
    if isWorking, cancelAttempt() { leave(to: .idle) }
  }

  override func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    guard isWorking else { return }
    switch attemptState {
    case .collecting, .submitting: break
    case .externalInteraction: state = .inBrowser(attempt: attempt.id)
    case .challenged(let challenge, _): goOn(to: .next(challenge, attempt: attempt.id), with: attempt)
    case .failed(let error) where !error.isSilent: state = .failed(flows.failure(error))
    case .ended(.signedIn(let user)): if !finish(user, of: attempt) { leave(to: .idle) }
    case .failed, .ended: leave(to: .idle)
    }
  }
}
