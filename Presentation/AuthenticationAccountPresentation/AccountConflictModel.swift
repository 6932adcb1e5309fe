public import AuthenticationPresentation
public import AuthenticationAccount
public import AuthenticationDomain
public import Observation

/// Links what a user has just presented to the account that they have already, once they have signed in to it.
///
/// The credentials that wait die with their lifetime, and when the user declines. A failure signs nobody out.
///
/// ```swift
/// let model = AccountConflictModel(
///   linking: credentials, to: [.password], lifetime: .seconds(600), by: root.manager.account, in: flows)
/// model.prove(with: .password)
/// ```
@MainActor
@Observable
public final class AccountConflictModel: FlowModel {
  /// Where it stands.
  public enum State: Sendable {
    /// There is an account with these methods; the user proves that it is theirs, or declines.
    case conflict([SignInMethod], PendingLink)
    /// The user signs in to it.
    case proving(SignInStep, PendingLink)
    /// What was presented is linked.
    case linking(call: Int)
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

  /// Credentials that wait for their account.
  public struct PendingLink: Sendable {
    package let credentials: any Credentials
    /// Until when; nil if that is not known.
    public let expiresAt: Deadline?
    /// What was presented.
    public var method: SignInMethod { credentials.method }
  }

  public package(set) var state: State
  @ObservationIgnored public let words: Words

  @ObservationIgnored private let flows: FlowEnvironment
  @ObservationIgnored private let linking: any AccountUseCase
  @ObservationIgnored private let call = CurrentCall()
  @ObservationIgnored private let expiry: Alarm
  @ObservationIgnored private lazy var steps = StepSequence(in: flows) { [weak self] in
    self?.show($0)
  } end: {
    [weak self] in
    self?.proved($0)
  }
  @ObservationIgnored private let methods: [SignInMethod]

  /// Asks the user to sign in to the account that exists.
  ///
  /// - Parameters:
  ///   - credentials: what the user presented.
  ///   - methods: how the account is signed in to; those that the app does not offer are left out.
  ///   - lifetime: how long the credentials can be linked; nil if that is not known.
  ///   - linking: links them.
  ///   - flows: what the models of one app share.
  public init(
    linking credentials: any Credentials, to methods: [SignInMethod], lifetime: Duration?,
    by linking: any AccountUseCase, in flows: FlowEnvironment
  ) {
    self.flows = flows
    words = flows.words.forAccounts
    self.linking = linking
    self.methods = methods.filter { flows.attempts.methods.contains($0) }
    let expiresAt = lifetime.map { Deadline(in: $0, by: flows.clock) }
    expiry = Alarm(flows.clock)
    state = .conflict(self.methods, PendingLink(credentials: credentials, expiresAt: expiresAt))
    expiry.set(expiresAt) { [weak self] in self?.expire() }
  }

  /// Signs in to the account with one of its methods.
  public func prove(with method: SignInMethod) {
    if case .conflict(let methods, _) = state, methods.contains(method) { steps.start(method) }
  }

  /// Leaves both apart.
  public func decline() {
    switch state {
    case .conflict: break
    case .proving: flows.attempts.current?.cancel()
    case .linking, .linked, .next, .failed, .expired, .declined: return
    }
    state = .declined
    expiry.set(nil) {}
  }

  public func finished() async {
    if case .proving(let step, _) = state { await step.model?.finished() }
    await call.finished()
  }

  private func show(_ step: SignInStep) {
    switch state {
    case .conflict(_, let pending), .proving(_, let pending): state = .proving(step, pending)
    default: break
    }
  }

  private func expire() {
    switch state {
    case .conflict, .proving: state = .expired
    default: break
    }
  }

  private func proved(_ completion: SignInCompletion?) {
    guard case .proving(_, let pending) = state else { return }
    guard completion != nil else { return state = .conflict(methods, pending) }
    expiry.set(nil) {}
    call.run(
      { [linking] () async throws(AuthenticationError) in try await linking.link(pending.credentials) },
      then: {
        [flows, weak self] result in
        switch result {
        case .success(.done), .success(.session): self?.state = .linked
        case .success(.challenge(let challenge)): self?.state = .next(challenge)
        case .failure(let error): self?.state = .failed(flows.failure(error))
        }
      })
    state = .linking(call: call.id)
  }
}

extension AccountConflictModel {
  public var title: String {
    switch state {
    case .proving(let step, _): step.model?.title ?? words("conflict.ask.title")
    case .linked: words("conflict.linked.title")
    case .expired: words("conflict.expired.title")
    case .conflict, .linking, .next, .failed, .declined: words("conflict.ask.title")
    }
  }

  public var activity: String? {
    if case .linking = state { words("conflict.link.working") } else { proof?.activity }
  }

  public var failure: FlowFailure? {
    if case .failed(let failure) = state { failure } else { proof?.failure }
  }

  public var problems: [AuthenticationError] { proof?.problems ?? [] }

  public var focus: Focus? {
    switch state {
    case .proving: proof?.focus
    case .linking: nil
    default: failure?.focus ?? Focus(.heading, turn: 0)
    }
  }

  public var announcement: Announcement? { proof?.announcement ?? activity.map { Announcement($0) } }

  private var proof: (any FlowModel)? {
    if case .proving(let step, _) = state { step.model } else { nil }
  }
}
