public import AuthenticationDomain
public import Observation

/// The sign-in of an app: who is signed in, and while nobody is, the step that is on the screen, without any UI framework.
///
/// Intents go to the attempts; who is signed in comes back only by the stream of states, so that a sign-out anywhere
/// shows here. Where there is one method, its first step is shown at once.
///
/// **When a sign-in is done**: an attempt that has stored its session ends after what the root runs after each sign-in
/// (`MainRoot.Options.onSignIn`). Until then this model shows the step, with ``isWorking``, and no ``user``; then user
/// and ``message`` at once. A session that was not made by an attempt shows as soon as it is stored.
///
/// **Only steps of the attempts show.** A challenge of a sign-in that code of the app asks for by itself
/// (`manager.signIn`) belongs to that code, which gets it as an error and answers it: this model shows its own step.
///
/// ```swift
/// switch model.state {
/// case .unknown: break
/// case .storeLocked(let store): show(store)
/// case .signedOut(_, let step), .expired(_, let step): show(step)
/// case .signedIn(let session, _): show(session)
/// }
/// ```
@MainActor
@Observable
public final class AuthenticationViewModel: FlowModel {
  /// Where it stands.
  public enum State: Sendable {
    /// Not known yet: show neither the sign-in nor the app's content.
    case unknown
    /// The store cannot be read now.
    case storeLocked(LockedStoreModel)
    /// Nobody is signed in, for this reason; the step says how to.
    case signedOut(SignOutReason, SignInStep)
    /// This person's session has expired and cannot be refreshed: the person signs in again.
    case expired(SessionSummary, SignInStep)
    /// Somebody is signed in, with the completion if an attempt of this model did it.
    case signedIn(SessionModel, SignInCompletion?)
  }

  public package(set) var state = State.unknown
  public var words: Words { flows.words }

  @ObservationIgnored let flows: FlowEnvironment
  @ObservationIgnored let session: SessionModel
  /// The form of the first method, which may be filled in before it is known whether anybody is signed in.
  @ObservationIgnored var firstForm: SignInFormModel?
  @ObservationIgnored var completion: SignInCompletion?
  @ObservationIgnored var restoring: Task<Void, Never>?
  @ObservationIgnored var finishing: Task<Void, Never>?
  @ObservationIgnored private(set) var reading: Task<Void, Never>?
  @ObservationIgnored private let following = StateFollowing()
  @ObservationIgnored private let onCompletion: @MainActor (SignInCompletion) -> Void
  @ObservationIgnored private(set) lazy var steps = makeSteps()

  /// Follows the states until the model is released, and has the store read.
  ///
  /// - Parameters:
  ///   - flows: the ways to sign in, and who is signed in.
  ///   - session: what is shown of a session, and how it ends; by default without the provider's part.
  ///   - onCompletion: called once for each attempt of this model that made a session. Closing a screen is the host's.
  public init(
    _ flows: FlowEnvironment, session: SessionModel? = nil,
    onCompletion: @escaping @MainActor (SignInCompletion) -> Void = { _ in }
  ) {
    self.flows = flows
    self.session = session ?? SessionModel(in: flows)
    self.onCompletion = onCompletion
    firstForm = flows.attempts.methods.first.flatMap { SignInStep($0, in: flows).form }
    show(flows.control.state)
    following.follow(flows.control) { [weak self] in self?.show($0) }
    reading = Task { [control = flows.control] in await control.restore() }
  }

  /// Signs in with a user name and a password alone.
  ///
  /// - Parameters:
  ///   - useCase: signs in; if it is a ``SignUpUseCase``, signs up, too.
  ///   - control: publishes the states, and signs out.
  ///   - clock: the time; replace it in a test.
  public convenience init(
    useCase: any AuthenticationUseCase, control: any SessionControl, clock: any AuthenticationClock = SystemClock()
  ) {
    self.init(
      FlowEnvironment(
        attempts: SignInAttempts([.password], useCase: useCase, clock: clock), control: control, clock: clock))
  }

  /// The step that is shown; nil while somebody is signed in, or that is not known.
  public var step: SignInStep? {
    switch state {
    case .signedOut(_, let step), .expired(_, let step): step
    case .unknown, .storeLocked, .signedIn: nil
    }
  }

  /// Who is signed in, or whose session has expired; nil if nobody is, or if that is not known.
  public var user: User? {
    switch state {
    case .signedIn(let session, _): session.summary?.user
    case .expired(let summary, _): summary.user
    case .unknown, .storeLocked, .signedOut: nil
    }
  }

  private func makeSteps() -> StepSequence {
    StepSequence(in: flows) { [weak self] in
      self?.show($0)
    } end: { [weak self] in
      self?.end($0)
    }
  }

  private func end(_ completion: SignInCompletion?) {
    guard let completion else { return showMethods() }
    self.completion = completion
    show(flows.control.state)
    onCompletion(completion)
  }
}
