public import AuthenticationDomain

/// Signs in outside of the app's own screens: on the provider's page, on a sheet of the system, with a passkey.
///
/// A user who closes the page gets no message, and sees the screen before it. A passkey can also be offered among the
/// suggestions of a text field; an offer that ends without a session shows nothing.
///
/// ```swift
/// let page = ExternalSignInModel(.browser, in: flows)
/// page.start(SignInInput(anchor: PresentationAnchor(window)))
///
/// let passkey = ExternalSignInModel(.passkey, in: flows)
/// passkey.offer()  // when the form appears
/// passkey.start()  // when the button is tapped
/// ```
public final class ExternalSignInModel: Flow<ExternalSignInModel.State> {
  /// Where it stands.
  public enum State: Sendable, Equatable, StepState {
    /// Nothing was opened, or the user has closed it.
    case idle
    /// It is among the suggestions, and nothing of it is shown.
    case offered
    /// The page or the sheet is open, or about to.
    case asking
    /// The user's request failed.
    case failed(FlowFailure)
    /// The provider asks for another step.
    case next(Challenge)
    /// Signed in.
    case done(AuthSession)
  }

  /// Which method it signs in with.
  public let method: SignInMethod

  /// Opens nothing yet.
  public init(_ method: SignInMethod, in flows: FlowEnvironment) {
    self.method = method
    super.init(.idle, in: flows)
  }

  override var currentStatus: FlowStatus {
    let failure: FlowFailure? = if case .failed(let failure) = state { failure } else { nil }
    let isOpen = state == .asking && method.needs.contains(.browser)
    let title: WordKey = isOpen ? "browser.open.title" : "form.sign_in.title"
    var screen = FlowStatus(method == .passkey ? "passkey.prompt.title" : title, in: words, failure: failure)
    screen.isWorking = state == .asking
    return screen
  }

  /// Opens the page, or asks for the passkey; an offer ends before. Does nothing while the user is asked: there is one
  /// page, and one callback.
  public func start(_ input: SignInInput = SignInInput()) {
    switch state {
    case .asking, .done: break
    case .idle, .offered, .failed, .next: begin(input, .asking)
    }
  }

  /// Opens the page anew, for a user who has lost it; one that is still open counts no more.
  public func openAgain(_ input: SignInInput = SignInInput()) {
    if state == .asking { begin(input, .asking) }
  }

  /// Offers passkeys among the suggestions of the text field for a user name. Does nothing while a user is asked, or
  /// another attempt is in progress.
  public func offer(_ input: SignInInput = SignInInput()) {
    // It would end an attempt that is busy, or waits for an answer.
    let current = flows.attempts.current?.state
    guard state == .idle, current?.isWorking != true, current?.challenge == nil else { return }
    var input = input
    input.isOffer = true
    begin(input, .offered)
  }

  private func begin(_ input: SignInInput, _ waiting: State) {
    begin(method, waiting) {
      input.isOffer ? .idle : .failed($0)
    } send: {
      $0.submit(input)
    }
  }

  /// Cancels the attempt, as closing the page does.
  public func cancel() {
    if isFollowing, cancelAttempt() { stop() }
  }

  private var isFollowing: Bool { [.offered, .asking].contains(state) }

  /// The button for a passkey stays.
  private func stop() {
    if method == .passkey { state = .idle } else { leave(to: .idle) }
  }

  override func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    guard isFollowing else { return }
    switch attemptState {
    case .failed(let error): fail(error)
    case .challenged(let challenge, let error) where challenge.kind == .passkey && method == .passkey: fail(error)
    default: advance(attemptState, of: attempt) { stop() }
    }
  }

  private func fail(_ error: AuthenticationError?) {
    guard let error, state == .asking, !error.isSilent else { return stop() }
    state = .failed(flows.failure(error))
  }
}
