public import AuthenticationDomain

/// Signs in by a code that is typed on another device (RFC 8628).
///
/// ```swift
/// let model = DeviceCodeModel(in: flows)
/// model.request()
/// if case .showing(let code) = model.state { show(code.userCode, code.address, code.scannedAddress) }
/// ```
public final class DeviceCodeModel: Flow<DeviceCodeModel.State> {
  /// Where it stands.
  public enum State: Sendable, Equatable, StepState {
    /// Nothing was asked for yet.
    case idle
    /// A code is asked for.
    case requesting
    /// The code is shown until a user has entered it.
    case showing(DeviceCode)
    /// The sign-in was declined on the other device.
    case denied
    /// The code has expired; a new one is one tap, and never comes by itself.
    case expired
    /// There is no code.
    case failed(FlowFailure)
    /// The provider asks for another step.
    case next(Challenge)
    /// Signed in.
    case done(AuthSession)
  }

  private let method: SignInMethod

  /// Asks for nothing yet.
  public init(_ method: SignInMethod = .device, in flows: FlowEnvironment) {
    self.method = method
    super.init(.idle, in: flows)
  }

  override var currentStatus: FlowStatus {
    let title: WordKey = "device.showing.title"
    switch state {
    case .requesting: return FlowStatus(title, in: words, activity: "device.request.working")
    case .showing(let code):
      let spoken = words("device.showing.spoken", .text(code.spelledCode))
      var screen = FlowStatus(title, in: words, announcement: Announcement(spoken))
      screen.secondsLeft = code.expiresAt?.secondsLeft(by: flows.clock)
      return screen
    case .denied: return FlowStatus("device.denied.title", in: words, announced: .assertive)
    case .expired: return FlowStatus("device.expired.title", in: words, announced: .assertive)
    case .failed(let failure): return FlowStatus(title, in: words, failure: failure)
    case .idle, .next, .done: return FlowStatus(title, in: words)
    }
  }

  /// Asks for a code, or for a new one. Does nothing while one is asked for or shown.
  public func request(_ input: SignInInput = SignInInput()) {
    switch state {
    case .requesting, .showing, .done: return
    case .idle, .denied, .expired, .failed, .next: break
    }
    begin(method, .requesting, orElse: { .failed($0) }, send: { $0.submit(input) })
  }

  /// Cancels the attempt; the code is accepted no more here.
  public func cancel() { end(in: .idle) }

  private func end(in state: State) {
    guard cancelAttempt() else { return }
    alarm.set(nil)
    self.state = state
  }

  override func show(_ attemptState: SignInAttempt.State, of attempt: SignInAttempt) {
    switch attemptState {
    case .externalInteraction(let interaction):
      guard case .requesting = state, let code = DeviceCode(interaction, by: flows.clock) else { return }
      state = .showing(code)
      alarm.set(code.expiresAt) { [weak self] in self?.end(in: .expired) }
    case .failed(let error): fail(error)
    default: advance(attemptState, of: attempt) { end(in: .idle) }
    }
  }

  private func fail(_ error: AuthenticationError) {
    switch error {
    case .declined: end(in: .denied)
    case .signInExpired, .codeExpired: end(in: .expired)
    case _ where error.isSilent: end(in: .idle)
    default: end(in: .failed(flows.failure(error)))
    }
  }
}
