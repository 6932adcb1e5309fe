public import AuthenticationDomain
public import Observation

/// Signs in on the provider's own page, or on a sheet of the system.
///
/// A user who closes the page is told nothing, and sees what was there before.
///
/// ```swift
/// let model = BrowserSignInModel(.browser, in: flows)
/// model.start(SignInInput(anchor: PresentationAnchor(window)))
/// ```
@MainActor
@Observable
public final class BrowserSignInModel: StepModel {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// Nothing was opened, or the user has closed it.
    case idle
    /// The page is about to open.
    case starting(attempt: String)
    /// The user is busy there.
    case inBrowser(attempt: String)
    /// It did not work.
    case failed(FlowFailure)
    /// The provider asks for another step.
    case next(Challenge, attempt: String)
    /// Signed in.
    case done(SignInCompletion)
  }

  /// Which method it signs in with.
  public let method: SignInMethod
  public package(set) var state = State.idle {
    didSet { if let stepEnd { onEnd?(stepEnd) } }
  }
  public var words: Words { flows.words }

  @ObservationIgnored var onEnd: (@MainActor (StepEnd) -> Void)?
  @ObservationIgnored private let flows: FlowEnvironment
  @ObservationIgnored private let following = AttemptFollowing()

  /// Opens nothing yet.
  public init(_ method: SignInMethod, in flows: FlowEnvironment) {
    self.method = method
    self.flows = flows
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
    do throws(AuthenticationError) {
      let attempt = try flows.attempts.begin(method)
      state = .starting(attempt: attempt.id)
      attempt.submit(input)
      following.follow(attempt) { [weak self] in self?.show($0, of: attempt) }
    } catch {
      state = .failed(flows.failure(error))
    }
  }

  /// Gives it up, as closing the page does.
  public func cancel() {
    guard isWorking, following.cancel() else { return }
    state = .idle
  }

  /// Whether the page is open, or about to.
  public var isWorking: Bool {
    switch state {
    case .starting, .inBrowser: true
    default: false
    }
  }

  private var stepEnd: StepEnd? {
    switch state {
    case .next: following.attempt.map { .next($0) }
    case .done(let completion): .done(completion)
    case .idle: .left
    default: nil
    }
  }

  public var title: String { words("browser.open.title") }

  public var failure: FlowFailure? {
    if case .failed(let failure) = state { failure } else { nil }
  }

  public func finished() async { await following.finished() }

  private func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    guard isWorking else { return }
    switch attemptState {
    case .collecting, .submitting: break
    case .externalInteraction: state = .inBrowser(attempt: attempt.id)
    case .challenged(let challenge, _): state = .next(challenge, attempt: attempt.id)
    case .failed(let error):
      state = error.isSilent ? .idle : .failed(flows.failure(error))
    case .ended(.signedIn(let user)):
      flows.lastMethod.write(method.id)
      state = SignInCompletion(user, of: attempt, by: flows.control).map(State.done) ?? .idle
    case .ended: state = .idle
    }
  }
}
