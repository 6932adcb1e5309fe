public import AuthenticationDomain
public import Observation

/// Signs in by a code that is typed on another device (RFC 8628).
///
/// ```swift
/// let model = DeviceCodeModel(in: flows)
/// model.request()
/// if case .showing(let code, _) = model.state { show(code.userCode, code.address, code.scannedAddress) }
/// ```
@MainActor
@Observable
public final class DeviceCodeModel: StepModel {
  /// Where it stands.
  public enum State: Sendable, Equatable {
    /// Nothing was asked for yet.
    case idle
    /// A code is asked for.
    case requesting(attempt: String)
    /// The code is shown until somebody has used it.
    case showing(DeviceCode, attempt: String)
    /// Somebody said no on the other device.
    case denied
    /// The code is taken no more; a new one is one tap, and never comes by itself.
    case expired
    /// There is no code.
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
  @ObservationIgnored let flows: FlowEnvironment
  @ObservationIgnored private let method: SignInMethod
  @ObservationIgnored private let following = AttemptFollowing()
  @ObservationIgnored private let expiry: Alarm

  /// Asks for nothing yet.
  public init(_ method: SignInMethod = .device, in flows: FlowEnvironment) {
    self.method = method
    self.flows = flows
    expiry = Alarm(flows.clock)
  }

  /// Asks for a code, or for a new one. Does nothing while one is asked for or shown.
  public func request(_ input: SignInInput = SignInInput()) {
    switch state {
    case .requesting, .showing, .done: return
    case .idle, .denied, .expired, .failed, .next: break
    }
    do throws(AuthenticationError) {
      let attempt = try flows.attempts.begin(method)
      state = .requesting(attempt: attempt.id)
      attempt.submit(input)
      following.follow(attempt) { [weak self] in self?.show($0, of: attempt) }
    } catch {
      state = .failed(flows.failure(error))
    }
  }

  /// Gives it up; the code is taken no more here.
  public func cancel() { leave(to: .idle) }

  private var stepEnd: StepEnd? {
    switch state {
    case .next: following.attempt.map { .next($0) }
    case .done(let completion): .done(completion)
    default: nil
    }
  }

  public var title: String {
    switch state {
    case .denied: words("device.denied.title")
    case .expired: words("device.expired.title")
    default: words("device.showing.title")
    }
  }

  public var activity: String? {
    if case .requesting = state { words("device.request.working") } else { nil }
  }

  public var failure: FlowFailure? {
    if case .failed(let failure) = state { failure } else { nil }
  }

  /// Seconds until the code is taken no more; nil if that is not known.
  public var secondsLeft: Int? {
    if case .showing(let code, _) = state { code.expiresAt?.secondsLeft(by: flows.clock) } else { nil }
  }

  public var announcement: Announcement? {
    switch state {
    case .showing(let code, _): Announcement(words("device.showing.spoken", .text(code.spelledCode)))
    case .denied, .expired: Announcement(title, .assertive)
    default: activity.map { Announcement($0) }
    }
  }

  public func finished() async { await following.finished() }

  private func leave(to state: State) {
    guard following.cancel() else { return }
    expiry.set(nil) {}
    self.state = state
  }

  private func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    switch attemptState {
    case .waitingElsewhere(let waiting):
      guard case .requesting = state, let code = DeviceCode(waiting, by: flows.clock) else { return }
      state = .showing(code, attempt: attempt.id)
      expiry.set(code.expiresAt) { [weak self] in self?.leave(to: .expired) }
    case .challenged(let challenge, _): state = .next(challenge, attempt: attempt.id)
    case .failed(let error): fail(error)
    case .ended(.signedIn(let user)):
      state = SignInCompletion(user, of: attempt, by: flows.control).map(State.done) ?? .idle
    case .ended: leave(to: .idle)
    case .collecting, .submitting: break
    }
  }

  private func fail(_ error: AuthenticationError) {
    switch error.code {
    case .declined: leave(to: .denied)
    case .signInExpired, .codeExpired: leave(to: .expired)
    case _ where error.isSilent: leave(to: .idle)
    default: leave(to: .failed(flows.failure(error)))
    }
  }
}
