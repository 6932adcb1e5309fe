import AuthenticationData
import AuthenticationDomain
import AuthenticationKit

/// The parts around a manager, composed as a root does: attempts, and the step that is kept for a relaunch.
///
/// `@unchecked Sendable`: confined to its world's thread (``World/add(_:)`` checks that).
final class App: @unchecked Sendable {
  let attempts: SignInAttempts
  /// The use case besides the attempts.
  let useCase: any AuthenticationUseCase
  unowned let client: Client
  /// The attempt in progress, after those that were given up and have not ended yet.
  private var tracked: [TrackedAttempt] = []

  var world: World { client.world }

  init(_ manager: AuthManager, of client: Client) {
    self.client = client
    let process = client.process
    let pending = SecurePendingSignIns(
      SimulatedSecrets(client: client), realm: "simulated", executor: ManagerExecutor(of: process))
    let useCase = manager.intercept(on: process.executor) { _ in }.addValidation()
    self.useCase = useCase
    attempts = SignInAttempts(
      [.simulatedForm, .simulatedBrowser(of: process)], useCase: WatchedUseCase(upstream: useCase, client: client),
      manager: manager, pending: pending, clock: SimulatedClock(process: process))
  }

  /// The attempt in progress; nil before the first, and after its end.
  var current: TrackedAttempt? {
    follow()
    return tracked.last.flatMap { $0.attempt.state.isEnded ? nil : $0 }
  }

  /// Performs the action of a user or the app at an attempt; its request is its `call`.
  func act(on tracked: TrackedAttempt, call: Int? = nil, _ act: (SignInAttempt) -> Void) {
    let wasWorking = tracked.attempt.state.isWorking
    act(tracked.attempt)
    if !wasWorking, tracked.attempt.state.isWorking {
      tracked.maySend = true
      if let call { tracked.calls.append(call) }
    }
    observe()
  }

  /// From here on nothing of it is sent or stored, unless its session is stored by now.
  func giveUp(_ tracked: TrackedAttempt) {
    guard !tracked.isGivenUp, !tracked.attempt.state.isEnded || tracked.isReplaced else { return }
    tracked.isGivenUp = true
    tracked.maySend = false
    world.summary.attemptsGivenUp += 1
    world.invariants.giveUp(tracked.calls)
  }

  /// A request of an attempt leaves the process.
  ///
  /// - Parameter handle: of the step that it answers.
  func willSend(_ request: String, to handle: String?) {
    follow()
    guard let tracked = tracked.last(where: \.maySend) else {
      return world.invariants.fail("\(client.name) sends \(request), which no user asked for")
    }
    tracked.maySend = false
    if let handle, tracked.handles.last != handle {
      world.invariants.fail("\(client.name) sends \(request) to \(handle), which is no longer asked")
    }
  }

  /// Tells the invariants the present states of the attempts.
  func observe() {
    follow()
    for attempt in tracked { attempt.observe(in: self) }
  }

  /// A newer attempt has replaced the others.
  private func follow() {
    guard let current = attempts.current, tracked.last?.attempt !== current else { return }
    for former in tracked { giveUp(former) }
    tracked.removeAll { $0.attempt.state.isEnded && !world.disk.holdsStep($0.handles) }
    tracked.append(TrackedAttempt(current))
    world.summary.attempts += 1
  }

  /// At rest nothing is in flight, and no step is kept that is not asked any more.
  func checkRest() {
    for tracked in tracked {
      if tracked.attempt.state.isWorking { world.invariants.fail("\(client.name) submits for ever") }
      let over = tracked.handles.filter { $0 != tracked.attempt.state.challenge?.handle.reveal() }
      if world.disk.holdsStep(over), !world.disk.hasRefusedSteps {
        world.invariants.fail("\(client.name) keeps a step that is not asked any more, in \(tracked.attempt.state)")
      }
    }
  }
}

/// One attempt as one process holds it.
final class TrackedAttempt {
  let attempt: SignInAttempt
  var userID: String?
  /// Its request.
  var calls: [Int] = []
  /// A user has asked for something that was not sent yet.
  var maySend = false
  var isGivenUp = false
  /// The handles of the steps that were asked, the latest last.
  private(set) var handles: [String] = []
  private var shown: SignInAttempt.State?

  init(_ attempt: SignInAttempt) { self.attempt = attempt }

  var isReplaced: Bool { attempt.state == .ended(.replaced) }

  fileprivate func observe(in app: App) {
    let state = attempt.state
    guard state != shown else { return }
    shown = state
    if !state.isWorking { maySend = false }
    app.world.note("the attempt of \(app.client.name) is \(state.words)")
    if let challenge = state.challenge {
      userID = userID ?? challenge.userID
      let handle = challenge.handle.reveal()
      if handles.last != handle { handles.append(handle) }
    }
    if case .ended(.signedIn(let user)) = state, user.id != userID {
      app.world.invariants.fail("\(userID ?? "no user") signed in as \(user.id)")
    }
  }
}

extension SignInAttempt.State {
  fileprivate var words: String {
    switch self {
    case .collecting: "collecting"
    case .submitting: "submitting"
    case .externalInteraction: "waiting elsewhere"
    case .challenged(let challenge, let error):
      "challenged (\(challenge.handle.reveal()))" + (error.map { ": \($0.code)" } ?? "")
    case .failed(let error): "failed: \(error.code)"
    case .ended(.signedIn(let user)): "ended: \(user.id) is signed in"
    case .ended(.cancelled): "ended: cancelled"
    case .ended(.replaced): "ended: replaced"
    }
  }
}
