public import AuthenticationPresentation
public import AuthenticationAccount
public import AuthenticationDomain

/// Links the credentials that a user has just presented to the existing account, once the user has signed in to it.
///
/// The credentials that wait are dropped after their lifetime, and when the user declines. A failure signs no user out.
///
/// ```swift
/// let model = AccountConflictModel(
///   linking: credentials, to: [.password], lifetime: .seconds(600), by: root.manager.account, in: flows)
/// model.prove(with: .password)
/// ```
public final class AccountConflictModel: Flow<AccountConflictModel.State> {
  /// Where it stands.
  public enum State: Sendable {
    /// There is an account with these methods; the user proves that it is theirs, or declines.
    case conflict([SignInMethod])
    /// The user signs in to it.
    case proving(SignInStep)
    /// The presented credentials are linked.
    case linking
    /// It is linked, and the user is signed in.
    case linked
    /// The provider asks for a step before it links.
    case next(Challenge)
    /// It could not be linked; the user is signed in all the same.
    case failed(FlowFailure)
    /// It took too long: the user presents it again.
    case expired
    /// The user declined.
    case declined
  }

  private let linking: any AccountUseCase
  /// The credentials that wait to be linked; nil once none wait.
  private var credentials: (any Credentials)?
  private let methods: [SignInMethod]
  private lazy var steps = StepSequence(in: flows) { [weak self] in
    if self?.credentials != nil { self?.state = .proving($0) }
  } end: { [weak self] in
    self?.proved($0)
  }

  /// Asks the user to sign in to the account that exists.
  ///
  /// - Parameters:
  ///   - credentials: the presented ones.
  ///   - methods: how the account is signed in to; those that the app does not offer are left out.
  ///   - lifetime: how long the credentials can be linked; nil if that is not known.
  ///   - linking: links them.
  ///   - flows: the shared parts of an app's models.
  public init(
    linking credentials: any Credentials, to methods: [SignInMethod], lifetime: Duration?,
    by linking: any AccountUseCase, in flows: FlowEnvironment
  ) {
    self.linking = linking
    self.credentials = credentials
    self.methods = methods.filter { flows.attempts.methods.contains($0) }
    super.init(.conflict(self.methods), in: flows)
    alarm.set(lifetime.map { Deadline(in: $0, by: flows.clock) }) { [weak self] in self?.end(in: .expired) }
  }

  public override var nested: FlowModel? { if case .proving(let step) = state { step.model } else { nil } }

  public override var status: FlowStatus {
    let title: WordKey = "conflict.ask.title"
    return switch state {
    case .conflict:
      FlowStatus(title, in: words, focus: .heading, explanations: [words("conflict.ask.explanation")])
    case .next, .declined: FlowStatus(title, in: words, focus: .heading)
    case .proving: nested?.status ?? FlowStatus(title, in: words)
    case .linking: FlowStatus(title, in: words, activity: "conflict.link.working")
    case .linked: FlowStatus("conflict.linked.title", in: words, focus: .heading)
    case .failed(let failure): FlowStatus(title, in: words, failure: failure)
    case .expired: FlowStatus("conflict.expired.title", in: words, focus: .heading)
    }
  }

  /// Signs in to the account with one of its methods.
  public func prove(with method: SignInMethod) {
    if case .conflict(let methods) = state, methods.contains(method) { steps.start(method) }
  }

  /// Leaves the step of the sign-in, for the one before or for the choice of methods.
  func leaveStep() { if case .proving = state { steps.leave() } }

  /// Leaves both apart.
  public func decline() {
    guard credentials != nil else { return }
    if case .proving = state { flows.attempts.current?.cancel() }
    end(in: .declined)
  }

  /// Nothing is linked after this.
  private func end(in state: State) {
    credentials = nil
    alarm.set(nil)
    self.state = state
  }

  private func proved(_ session: AuthSession?) {
    guard let credentials else { return }
    guard session != nil else { return state = .conflict(methods) }
    end(in: .linking)
    call.run { [linking] () async throws(AuthenticationError) in
      try await linking.perform(.link(credentials))
    } then: { [flows, weak self] result in
      switch result {
      case .success(.done), .success(.session): self?.state = .linked
      case .success(.challenge(let challenge)): self?.state = .next(challenge)
      case .failure(let error): self?.state = .failed(flows.failure(error))
      }
    }
  }
}
