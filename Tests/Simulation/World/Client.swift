import AuthenticationDiagnostics
import AuthenticationDomain

/// One real `AuthManager` in a simulated process, and its states.
///
/// `@unchecked Sendable`: confined to its world's thread (``World/add(_:)`` checks that).
final class Client: @unchecked Sendable {
  let id: Int
  let name: String
  unowned let process: SimulatedProcess
  /// The last record that it read or wrote: all that it sees of the disk once its process has exited.
  var lastRecord: SessionRecord?
  private(set) var manager: AuthManager?
  /// In a world with attempts.
  private(set) var app: App?
  private weak var ghost: AuthManager?
  var watch = Watch()
  /// How many requests wait for a token.
  var waitingRequests = 0
  /// A request failed, or got the present token after its timeout: the refresh that it began may continue.
  var hasLeftRequests = false
  /// When a server's date was noted, and for which token.
  var dated: (set: TokenSet, at: Duration)?
  private var listener: Task<Void, Never>?
  private var heard: AuthenticationState?
  private var shown: AuthenticationState?
  private var executor: ManagerExecutor?
  private var recording: Recording?

  var world: World { process.world }

  init(_ name: String, in process: SimulatedProcess) {
    self.name = name
    self.process = process
    id = process.world.nextClient()
    process.world.invariants.began(id, name, isCommand: process.isCommand)
  }

  func begin() {
    let executor = ManagerExecutor(of: process)
    self.executor = executor
    let world = world
    let recording = world.record(name)
    self.recording = recording
    let recorder = recording?.recorder
    let observe = { @Sendable (change: SessionChange) -> Void in recorder?.record(change) }
    let manager = AuthManager(
      provider: SimulatedProvider(client: self), store: store,
      lock: world.profile.usesLocks ? SimulatedLock(client: self) : nil, clock: SimulatedClock(process: process),
      policy: process.isCommand ? .command : .app, resources: world.profile.extras.resources,
      random: { world.random.unit() }, makeID: { world.newID() },
      executor: executor, taskExecutor: process.executor, observe: observe)
    self.manager = manager
    ghost = manager
    if world.profile.extras.attemptPercent > 0 { app = App(manager, of: self) }
    let states = manager.states()
    listener = Task.detached(executorPreference: process.executor) { [weak self] in
      for await state in states { self?.heard = state }
    }
  }

  private var store: any SessionStore {
    let store = SimulatedStore(client: self)
    return world.profile.usesLocks ? store.locked() : store
  }

  /// Tells the invariants the present state of the manager.
  func observe() {
    guard let state = manager?.state else { return }
    if state != shown {
      shown = state
      let now = Shown(state)
      world.note("\(name) shows \(now)")
      if case .signedOut(let reason) = now, reason != .absent { world.summary.signOuts[reason, default: 0] += 1 }
      recording?.shown.append(state)
      world.invariants.shows(now, on: id)
      if let active = state.activeSession, active.freshness == .expired, active.session.tokens.outliveAccess {
        world.invariants.showsExpired(active.session.set.family, on: id)
      }
    }
    world.invariants.rests(id)
    app?.observe()
  }

  /// The use case: the manager, or an app's composition around it.
  var useCase: (any AuthenticationUseCase)? { app?.useCase ?? manager }

  /// At rest the stream of states has told the latest one.
  var hasHeardEverything: Bool { heard == manager?.state }

  func end() {
    listener?.cancel()
    listener = nil
    watch.end()
    manager = nil
    app = nil
    executor = nil
  }

  var isGone: Bool { ghost == nil }
}

extension RefreshPolicy {
  fileprivate static let app = simulated(earlyWindow: 0.1...0.3)
  /// May exit at any time, and refreshes nothing in the background.
  fileprivate static let command = simulated(earlyWindow: nil)

  private static func simulated(earlyWindow: ClosedRange<Double>?) -> RefreshPolicy {
    guard
      let policy = try? RefreshPolicy(
        earlyWindow: earlyWindow, backoffBase: .seconds(5), callerTimeout: .seconds(20),
        refreshTimeout: Invariants.refreshTimeout)
    else { preconditionFailure("The policy of the simulation is out of range.") }
    return policy
  }
}

/// The state of a manager, as far as the invariants are concerned.
enum Shown: Equatable, CustomStringConvertible {
  case unknown
  case unavailable
  case signedOut(SignOutReason)
  /// The handle of the second step that is asked for.
  case challenged(String)
  case signedIn(TokenSet, user: String, isUnsaved: Bool)

  init(_ state: AuthenticationState) {
    switch state {
    case .unknown: self = .unknown
    case .challenged(let challenge): self = .challenged(challenge.handle.reveal())
    case .unavailable: self = .unavailable
    case .signedOut(let reason): self = .signedOut(reason)
    case .signedIn(let active):
      self = .signedIn(active.session.set, user: active.session.user.id, isUnsaved: active.unsaved != nil)
    }
  }

  var family: Int? {
    if case .signedIn(let set, _, _) = self { set.family } else { nil }
  }

  var description: String {
    switch self {
    case .unknown: "nothing yet"
    case .unavailable: "that the store is unavailable"
    case .signedOut(let reason): "signed out (\(reason))"
    case .challenged(let handle): "that a code is asked for (\(handle))"
    case .signedIn(let set, let user, let isUnsaved): "\(user) with \(set)" + (isUnsaved ? ", unsaved" : "")
    }
  }
}
