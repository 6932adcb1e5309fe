/// Signs in and out, keeps the session, and returns it: the one writer of the store and of the runtime.
///
/// State flows remote → store → runtime. `SessionMachine` holds the rules; this actor performs their effects. It runs
/// on an executor of its own, since a store may block; reading a valid session or the latest state
/// (``validSession(rejecting:lasting:)``, ``state``) does not wait for it.
///
/// ```swift
/// let manager = AuthManager(provider: provider, store: store)
/// for await state in manager.states() { show(state) }
/// ```
public actor AuthManager {
  let provider: any RemoteAuthProvider
  let store: any SessionStore
  let clock: any AuthenticationClock
  let policy: RenewalPolicy
  let backoff: Backoff
  let checkSignIn: @Sendable (AuthSession) async throws(AuthenticationError) -> Void
  let executor: any SerialExecutor
  let taskExecutor: (any TaskExecutor)?
  nonisolated let runtime = RuntimeSession()
  nonisolated let monitor = EventMonitor()

  var machine: SessionMachine
  var timing: RenewalTiming
  var lock: RenewalLock
  var following = StoreFollowing()
  var reading = StoreReading()
  var willSaveLater = false
  var watch = SessionWatch()
  var delivery: Task<[AuthenticationError], Never>?
  /// What ended sessions are still needed for, before their tokens are revoked.
  var farewells: [(farewell: Farewell, session: AuthSession, generation: Int)] = []
  /// Why the sign-out on all devices, the latest sign-out, left sessions on other ones. Each delivery returns it until
  /// the next sign-in or sign-out: it stays true.
  var othersRemain: AuthenticationError?
  /// The failures of the latest delivery that has ended.
  var deliveryFailures: [AuthenticationError] = []

  /// Composes a manager; it reads the store at the first call that needs it, or at ``restore()``.
  ///
  /// - Parameters:
  ///   - provider: creates, refreshes and ends sessions.
  ///   - store: keeps the session between launches.
  ///   - lock: keeps other processes from refreshing the same stored session at the same time; nil if none uses the
  ///     store.
  ///   - clock: the time; replace it in a test.
  ///   - policy: when to refresh, how to retry, how long to wait.
  ///   - checkSignIn: decides about each session that a sign-in or a sign-up brings, before it is stored; what it throws
  ///     refuses the session, whose tokens are revoked. By default each is accepted.
  public init(
    provider: any RemoteAuthProvider, store: any SessionStore, lock: (any SessionLock)? = nil,
    clock: any AuthenticationClock = SystemClock(), policy: RenewalPolicy = .standard,
    checkSignIn: @escaping @Sendable (AuthSession) async throws(AuthenticationError) -> Void = {
      _ throws(AuthenticationError) in
    }
  ) {
    self.init(
      provider: provider, store: store, lock: lock, clock: clock, policy: policy, checkSignIn: checkSignIn,
      random: { Double.random(in: 0..<1) })
  }

  /// Composes a manager whose chance and threads a simulation may replace.
  ///
  /// - Parameters:
  ///   - random: a number in 0..<1, for jitter.
  ///   - makeID: names writes and sign-ins.
  ///   - executor: where the store is called.
  ///   - taskExecutor: where the manager's own tasks run between its calls; by default the system's pool.
  package init(
    provider: any RemoteAuthProvider, store: any SessionStore, lock: (any SessionLock)? = nil,
    clock: any AuthenticationClock = SystemClock(), policy: RenewalPolicy = .standard,
    checkSignIn: @escaping @Sendable (AuthSession) async throws(AuthenticationError) -> Void = {
      _ throws(AuthenticationError) in
    },
    random: @escaping @Sendable () -> Double,
    makeID: @escaping @Sendable () -> RecordID = { RecordID.random() },
    executor: any SerialExecutor = BlockingExecutor(), taskExecutor: (any TaskExecutor)? = nil
  ) {
    self.provider = provider
    self.store = store
    self.clock = clock
    self.policy = policy
    self.checkSignIn = checkSignIn
    backoff = Backoff(base: policy.backoffBase, cap: policy.backoffCap, random: random)
    self.executor = executor
    self.taskExecutor = taskExecutor
    self.lock = RenewalLock(lock)
    machine = SessionMachine(policy: policy, makeID: makeID)
    timing = RenewalTiming(policy: policy)
  }

  deinit {
    following.end()
    watch.task?.cancel()
    lock.releaseIfKept()
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }
}

// MARK: - Who is signed in

extension AuthManager: SessionControl {
  public nonisolated var state: AuthenticationState { runtime.state }

  public nonisolated func states() -> AsyncStream<AuthenticationState> { runtime.states() }

  /// What happens to sessions from now on, failures included, for a logger or metrics. A slow listener misses events.
  public nonisolated func events() -> AsyncStream<AuthenticationEvent> { monitor.events() }

  /// Reads the store, and waits for no network: queued revocations are delivered in the background. If refreshes of an
  /// expired token have failed, the provider is asked again in the background, at once; with ``RenewalPolicy/onDemand``
  /// the next caller asks it at once.
  ///
  /// Call it again if the state is `unavailable`, or if a session is unsaved because the person did not unlock the
  /// store: other calls read an unreadable store again only after a while, or not at all, since it may prompt.
  ///
  /// - Returns: the state after that.
  @discardableResult
  public func restore() -> AuthenticationState {
    readNow()
    if machine.store.isRead, machine.store.failure != nil { transaction { handle(.saveRetried) } }
    if timing.hasFailed {
      // A process that may exit at any time refreshes only while a caller waits: the next one asks at once.
      if policy.earlyWindow == nil { timing.endHold() } else { refreshByHand(inAnyCase: false) }
    }
    return machine.state
  }

  /// Whether a person is signed in with a session that is valid or can be refreshed. Waits for no network, so that an
  /// outage changes nothing.
  ///
  /// - Returns: false if nobody is signed in, or if the session has expired and cannot be refreshed.
  /// - Throws: ``AuthenticationError`` while the store cannot be read.
  public func isAuthenticated() throws(AuthenticationError) -> Bool {
    switch readIfDue() {
    case .unavailable(let error): throw error
    case .signedIn(let active):
      active.freshness != .expired && (active.session.tokens.outliveAccess || remaining.map { $0 > .zero } ?? true)
    default: false
    }
  }

  /// Asks the provider whether the session is still valid there.
  ///
  /// A first "no" may be about the access token alone: the session is refreshed once, and the provider asked again. If
  /// the provider refuses the refresh, the session ends, as at any other time (``SignOutReason/rejected``); after a
  /// second "no" the person stays signed in.
  ///
  /// - Returns: false after a second "no", after a refused refresh, if the session has expired, or if nobody is signed
  ///   in.
  /// - Throws: ``AuthenticationError`` if the provider cannot be reached, or
  ///   ``AuthenticationError/Code/unsupportedMethod`` if it cannot be asked.
  public nonisolated func isValid() async throws(AuthenticationError) -> Bool {
    guard let provider = provider as? any SessionValidatingProvider else {
      throw AuthenticationError(.unsupportedMethod, "This provider cannot validate a session.")
    }
    return try await AbandonableCall.run(on: taskExecutor) { () async throws(AuthenticationError) in
      do throws(AuthenticationError) {
        let session = try await self.validSession()
        if try await provider.isValid(session) { return true }
        return try await provider.isValid(self.refreshedSession(rejecting: session.accessToken))
      } catch {
        let hasEnded = error.code.disposition == .endsSession
        guard hasEnded || [.ambiguousLoss, .sessionExpired, .notSignedIn].contains(error.code) else { throw error }
        return false
      }
    }
  }
}
