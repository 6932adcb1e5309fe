import Synchronization
public import Foundation

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
  private let provider: any RemoteAuthProvider
  private let store: any SessionStore
  private let clock: any AuthenticationClock
  private let policy: RefreshPolicy
  private let backoff: Backoff
  private let checkSignIn: (@Sendable (AuthSession) async throws(AuthenticationError) -> Void)?
  private let makeID: @Sendable () -> RecordID
  private let executor: any SerialExecutor
  private let taskExecutor: (any TaskExecutor)?
  private nonisolated let runtime = RuntimeSession()
  /// The further resources that have a token of their own.
  private nonisolated let resources: [ResourceSession]
  private nonisolated let monitor = Broadcast<AuthenticationEvent>()
  private let recorder: SessionRecorder?
  private nonisolated let inFlight = RefreshesInFlight()

  private var machine: SessionMachine
  private var timing: RefreshTiming
  /// A caller waits for new tokens although those in use may be valid.
  private var mustRefresh = false
  /// Of the resources, in their order.
  private var resourceTimings: [RefreshTiming]
  private var lock: RefreshLock
  /// Whether this process is notified of what other processes write to the store, and the task that is.
  private var isFollowing = false
  private var following: Task<Void, Never>?
  private var reading = StoreReading()
  private var willSaveLater = false
  private var watch = SessionWatch()
  private var delivery: Task<[AuthenticationError], Never>?
  /// Sessions that were signed out everywhere: those of other devices end before the tokens of these are revoked.
  private var endingOthers: [(session: AuthSession, generation: Int)] = []
  /// The ways to sign in that end with a session of this manager.
  private nonisolated let attempts = Mutex<[WeakAttempts]>([])
  /// Why the sign-out on all devices, the latest sign-out, left sessions on other ones. Each delivery returns it until
  /// the next sign-in or sign-out: it stays true.
  private var othersRemain: AuthenticationError?
  /// The failures of the latest delivery that has ended.
  private var deliveryFailures: [AuthenticationError] = []

  /// What account services ask.
  package nonisolated var remoteProvider: any RemoteAuthProvider { provider }
  /// Names attempts.
  nonisolated var idSource: @Sendable () -> RecordID { makeID }
  /// Where tasks for this manager run.
  package nonisolated var taskPreference: (any TaskExecutor)? { taskExecutor }

  /// Composes a manager; it reads the store at the first call that needs it, or at ``restore()``.
  ///
  /// - Parameters:
  ///   - provider: creates, refreshes and ends sessions.
  ///   - store: keeps the session between launches.
  ///   - lock: keeps other processes from refreshing the same stored session at the same time; nil if none uses the
  ///     store.
  ///   - clock: the time; replace it in a test.
  ///   - policy: when to refresh, how to retry, how long to wait.
  ///   - resources: what has an access token of its own, beside the session's; at most 16 are kept. By default nothing.
  ///   - checkSignIn: decides about each session that a sign-in or a sign-up brings, before it is stored; what it
  ///     throws refuses the session, whose tokens are revoked. By default each is accepted.
  public init(
    provider: any RemoteAuthProvider, store: any SessionStore, lock: (any SessionLock)? = nil,
    clock: any AuthenticationClock = SystemClock(), policy: RefreshPolicy = .standard,
    resources: [ProtectedResource] = [],
    checkSignIn: (@Sendable (AuthSession) async throws(AuthenticationError) -> Void)? = nil
  ) {
    self.init(
      provider: provider, store: store, lock: lock, clock: clock, policy: policy, resources: resources,
      checkSignIn: checkSignIn, random: { Double.random(in: 0..<1) })
  }

  /// Composes a manager whose chance and threads a simulation may replace.
  ///
  /// - Parameters:
  ///   - random: a number in 0..<1, for jitter.
  ///   - makeID: names writes, sign-ins and attempts.
  ///   - executor: where the store is called.
  ///   - taskExecutor: where the manager's own tasks run between its calls; by default the system's pool.
  ///   - recorder: gets each event of the state machine; by default none is recorded.
  package init(
    provider: any RemoteAuthProvider, store: any SessionStore, lock: (any SessionLock)? = nil,
    clock: any AuthenticationClock = SystemClock(), policy: RefreshPolicy = .standard,
    resources: [ProtectedResource] = [],
    checkSignIn: (@Sendable (AuthSession) async throws(AuthenticationError) -> Void)? = nil,
    random: @escaping @Sendable () -> Double,
    makeID: @escaping @Sendable () -> RecordID = { RecordID.random() },
    executor: any SerialExecutor = BlockingExecutor(), taskExecutor: (any TaskExecutor)? = nil,
    recorder: SessionRecorder? = nil
  ) {
    self.provider = provider
    self.store = store
    self.clock = clock
    self.policy = policy
    self.checkSignIn = checkSignIn
    backoff = Backoff(base: policy.backoffBase, cap: policy.backoffCap, random: random)
    self.makeID = makeID
    self.executor = executor
    self.taskExecutor = taskExecutor
    self.lock = RefreshLock(lock)
    self.recorder = recorder
    machine = SessionMachine(policy: policy, makeID: recorder?.noting(makeID) ?? makeID)
    timing = RefreshTiming(policy: policy)
    self.resources = resources.map { ResourceSession(resource: $0) }
    resourceTimings = resources.map { _ in RefreshTiming(policy: policy) }
  }

  deinit {
    following?.cancel()
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
  public nonisolated func events() -> AsyncStream<AuthenticationEvent> { monitor.values(keeping: 64) }

  /// Reads the store, and waits for no network: queued revocations are delivered in the background. If refreshes of an
  /// expired token have failed, the provider is asked again in the background, at once; with ``RefreshPolicy/onDemand``
  /// the next caller asks it at once.
  ///
  /// Call it again if the state is `unavailable`, or if a session is unsaved because the user did not unlock the
  /// store: other calls read an unreadable store again only after a while, or not at all, since it may prompt.
  ///
  /// - Returns: the state after that.
  @discardableResult
  public func restore() -> AuthenticationState {
    readNow()
    if machine.storeView.isRead, machine.storeView.failure != nil { transaction { handle(.saveRetried) } }
    if timing.hasFailed {
      // A process that may exit at any time refreshes only while a caller waits: the next one asks at once.
      if policy.earlyWindow == nil { timing.endHoldOff() } else { refreshByHand(inAnyCase: false) }
    }
    return machine.state
  }

  /// Whether a user is signed in with a session that is valid or can be refreshed. Waits for no network, so that an
  /// outage changes nothing.
  ///
  /// - Returns: false if no user is signed in, or if the session has expired and cannot be refreshed.
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
  /// second "no" the user stays signed in.
  ///
  /// - Returns: false after a second refusal, after a refused refresh, if the session has expired, or if no user is
  ///   signed in.
  /// - Throws: ``AuthenticationError`` if the provider cannot be reached, or
  ///   ``AuthenticationError/unsupportedMethod`` if it cannot be asked.
  public nonisolated func isValid() async throws(AuthenticationError) -> Bool {
    guard let provider = provider as? any SessionValidatingProvider else {
      throw AuthenticationError(.unsupportedMethod, "This provider cannot validate a session.")
    }
    return try await AbandonableCall.run(on: taskExecutor) { () async throws(AuthenticationError) in
      do throws(AuthenticationError) {
        let session = try await self.validSession()
        if try await provider.isValid(session) { return true }
        return try await provider.isValid(self.session(rejecting: session.accessToken, lasting: nil))
      } catch {
        let hasEnded = error.disposition == .endsSession
        guard hasEnded || [.ambiguousLoss, .sessionExpired, .notSignedIn].contains(error) else { throw error }
        return false
      }
    }
  }
}

extension AuthManager: AuthenticationUseCase {
  /// Signs in at the provider, stores the session, then makes it current.
  ///
  /// If the store refuses the new session, the sign-in still succeeds: ``ActiveSession/unsaved`` says why, and saving
  /// is tried again. A caller whose task is cancelled gets ``AuthenticationError/cancelled`` immediately, whatever
  /// the provider and the store do; tokens that come later are revoked. Once the session is stored, the call returns
  /// it.
  ///
  /// A request that reauthenticates a user makes the session current only if it is the same user's. An attempt in
  /// progress, the challenge that it asks and the steps that are kept for a relaunch stay as they are.
  ///
  /// - Parameter request: what the user presents, and what the call adds.
  /// - Returns: the session, or the challenge that the provider asks first.
  /// - Throws: ``AuthenticationError`` if there is no new session; one that existed is kept until another replaces it.
  public nonisolated func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    if let bare = request.credentials as? BareCredentials, bare.method == .unlock, request.reauthenticatedUser == nil {
      return try await AbandonableCall.run(on: taskExecutor) { () async throws(AuthenticationError) in
        .session(try await self.unlock(request))
      }
    }
    let outcome = try await AbandonableCall().run(on: taskExecutor) { call throws(AuthenticationError) in
      guard let user = request.reauthenticatedUser else { return try await self.signIn(for: call, request) }
      return try await self.reauthenticate(for: call, as: user, request.opened)
    }
    guard case .session = outcome else { return outcome }
    // The user is signed in: a caller who leaves while steps are forgotten is told so all the same.
    _ = try? await AbandonableCall.run(on: taskExecutor) { () async throws(AuthenticationError) in
      for attempts in self.attempts.withLock({ $0.compactMap(\.value) }) { await attempts.forgetPending() }
    }
    return outcome
  }

  private func signIn(
    for call: AbandonableCall<SignInOutcome>, _ request: SignInRequest
  ) async throws(AuthenticationError) -> SignInOutcome {
    if call.isAbandoned { throw .cancelled }
    let state = readNow()
    // The app or another library keeps such a session: whatever becomes of it here, its tokens are not revoked.
    let adopted = request.credentials as? ExistingSession
    if let adopted, let active = state.activeSession, adopted.yields(to: active) {
      guard call.settle() else { throw .cancelled }
      request.onSession(active.session)
      return .session(active.session)
    }
    handle(.signInStarted)
    let attempt = machine.currentAttempt
    let startedAt = clock.uptime
    var result: Result<SignInOutcome, AuthenticationError>
    if let adopted { result = .success(.session(adopted.session)) } else { result = await ask(request) }
    var refused: AuthSession?
    if case .success(.session(let session)) = result {
      do { try await checkSignIn?(session) } catch {
        (refused, result) = (session, .failure(error.with(\.spendsStep, true)))
      }
    }
    report(AuthenticationEvent(.signIn, duration: clock.uptime - startedAt, failure: result.failure))
    if result.showsReach { noteProviderReached() }
    // A store that was unavailable is read before the response is applied.
    readNow()
    if let refused {
      if adopted == nil { discard(refused) }
      if attempt == machine.currentAttempt, let challenge = machine.currentChallenge {
        handle(.challengeDropped(challenge: challenge.noted))
      }
    }
    guard call.settle() else {
      if adopted == nil, case .success(.session(let session)) = result { discard(session) }
      throw .cancelled
    }
    let isCurrent = attempt == machine.currentAttempt
    // Before it is published: who follows the states then knows which request made it.
    if isCurrent, case .success(.session(let session)) = result { request.onSession(session) }
    transaction { handle(.signInCompleted(attempt: attempt, result, at: clock.now)) }
    let outcome = try result.get()
    if !isCurrent { throw .superseded }
    if case .session = outcome {
      forgetLeftovers()
      othersRemain = nil
    }
    return outcome
  }

  /// Not isolated, so that nothing comes between the attempt's start and its request: with an executor of its own the
  /// actor would give way to other calls here.
  private nonisolated func ask(_ request: SignInRequest) async -> Result<SignInOutcome, AuthenticationError> {
    await Result.of { () async throws(AuthenticationError) in
      if request.createsAccount, !provider.createsAccounts { throw .signUpUnsupported }
      return try await provider.signIn(request)
    }
  }

  private func reauthenticate(
    for call: AbandonableCall<SignInOutcome>, as user: User, _ request: SignInRequest
  ) async throws(AuthenticationError) -> SignInOutcome {
    let method = request.credentials.method
    guard method.identifiesUser, !request.createsAccount else { throw .unsupportedMethod(method) }
    if call.isAbandoned { throw .cancelled }
    try check(isCurrent: user)
    let startedAt = clock.uptime
    var result = await ask(request)
    if case .success(.session(let session)) = result {
      do throws(AuthenticationError) {
        guard session.user.isSame(as: user) else { throw .userMismatch }
        try await checkSignIn?(session)
      } catch {
        discard(session)
        result = .failure(error.with(\.spendsStep, true))
      }
    }
    report(AuthenticationEvent(.signIn, duration: clock.uptime - startedAt, failure: result.failure))
    guard call.settle() else {
      if case .success(.session(let session)) = result { discard(session) }
      throw .cancelled
    }
    guard case .session(let session) = try result.get() else { return try result.get() }
    transaction { handle(.userProved(session: session.noted, at: clock.now)) }
    try check(isCurrent: user)
    if let current = machine.currentRecord.session { request.onSession(current) }
    return .session(session)
  }

  private func check(isCurrent user: User) throws(AuthenticationError) {
    let state = readNow()
    if case .unavailable(let error) = state { throw error }
    guard let current = state.user else { throw .notSignedIn }
    if !current.isSame(as: user) { throw .superseded }
  }

  private func unlock(_ request: SignInRequest) throws(AuthenticationError) -> AuthSession {
    switch restore() {
    case .signedIn(let active):
      if active.freshness == .expired { throw .sessionExpired }
      request.onSession(active.session)
      return active.session
    case .unavailable(let error): throw error
    case .signedOut(let reason): throw reason.error
    default: throw .notSignedIn
    }
  }

  /// Has attempts end with the session, and their pending step removed after each sign-in.
  nonisolated func add(_ attempts: SignInAttempts) {
    self.attempts.withLock { known in
      known.removeAll { $0.value == nil }
      known.append(WeakAttempts(value: attempts))
    }
  }

  /// Forgets a challenge that will not be answered; does nothing if another one is asked by now.
  package func dropChallenge(_ challenge: Challenge) { handle(.challengeDropped(challenge: challenge.noted)) }

  /// Keeps what the provider now says of the user who is signed in. New tokens of a user who is no longer signed in are
  /// revoked.
  ///
  /// - Throws: ``AuthenticationError/notSignedIn`` if no user is, and ``AuthenticationError/superseded`` if
  ///   another one is.
  package func take(_ session: AuthSession, upgrading: Bool) throws(AuthenticationError) {
    let tokens = upgrading ? session.tokens : nil
    transaction { handle(.userChanged(user: session.user.noted, tokens: tokens.noted, at: clock.now)) }
    guard let current = machine.currentRecord.session else { throw .notSignedIn }
    if !current.user.isSame(as: session.user) { throw .superseded }
  }

  /// Revokes the tokens of a session that no caller here asked for.
  package func discard(_ session: AuthSession) {
    transaction { handle(.tokensOrphaned(tokens: session.tokens.noted, user: session.user.noted, at: clock.now)) }
  }
}

private struct WeakAttempts {
  weak var value: SignInAttempts?
}

extension Result where Failure == AuthenticationError {
  /// Whether the provider has responded, also with a refusal of what was entered.
  fileprivate var showsReach: Bool { failure.map { $0.disposition == .attempt } ?? true }
}

extension AuthManager: SessionSource {
  /// A session whose access token is valid, refreshed first if necessary.
  ///
  /// Inlinable, so that a caller that finds a valid one makes no asynchronous call.
  @inlinable
  public nonisolated func validSession() async throws(AuthenticationError) -> AuthSession {
    if let session = usableSession { return session }
    return try await validSession(rejecting: nil, lasting: nil)
  }

  @usableFromInline
  nonisolated var usableSession: AuthSession? {
    runtime.session(at: clock.uptime, refreshEarly: { later { $0.refreshIfEarly() } })
  }

  @inlinable
  public nonisolated func validSession(
    rejecting rejected: AccessToken?
  ) async throws(AuthenticationError) -> AuthSession {
    if rejected == nil, let session = usableSession { return session }
    return try await validSession(rejecting: rejected, lasting: nil)
  }

  /// A session whose access token is valid for longer than `wanted`; nil asks for more than `RefreshPolicy.leeway`.
  ///
  /// Any number of callers share one refresh, which none of them can cancel; a valid session is returned without
  /// waiting. Once a refresh has shown that no token of this provider lasts for `wanted`, half of its lifetime is
  /// enough.
  ///
  /// - Parameters:
  ///   - rejected: an access token that a resource has just refused; it is not returned again.
  ///   - wanted: how much of the access token's lifetime must be left.
  /// - Returns: a session with such an access token.
  /// - Throws: ``AuthenticationError``; if the refresh fails and the token does not last for `wanted`, why it failed.
  public nonisolated func validSession(
    rejecting rejected: AccessToken? = nil, lasting wanted: Duration?
  ) async throws(AuthenticationError) -> AuthSession {
    if let rejected, runtime.isCoolingDown(rejected, at: clock.uptime) { throw .accessTokenRefused }
    return try await session(rejecting: rejected, lasting: wanted)
  }

  /// Inlined: each of thousands of waiting callers would hold a frame of it.
  @inline(__always)
  private nonisolated func session(
    rejecting rejected: AccessToken?, lasting wanted: Duration?
  ) async throws(AuthenticationError) -> AuthSession {
    let session = try await sharedSession(rejecting: rejected, lasting: wanted)
    if isEnough(session, rejecting: rejected, lasting: wanted) { return session }
    // The refresh that this caller waited for was started for another caller, and its token is not enough here.
    if let rejected { await refuse(rejected) }
    return try await sharedSession(rejecting: rejected, lasting: wanted)
  }

  /// A session whose access token is valid, for what the user asked for by hand, such as pull to refresh.
  ///
  /// After failed refreshes other callers are refused for a while (at most 10 seconds if the provider was not reached,
  /// else at most 20). This one asks the provider at once, unless a request is in progress, which it joins, or the
  /// provider itself has asked for more time (`Retry-After`).
  ///
  /// ```swift
  /// _ = try await root.manager.validSession(byHand: true)  // then send the requests again
  /// ```
  ///
  /// - Parameter byHand: false is the same as ``validSession()``.
  /// - Returns: a session with a valid access token; without waiting if there is one.
  /// - Throws: as ``validSession()`` does.
  public nonisolated func validSession(byHand: Bool) async throws(AuthenticationError) -> AuthSession {
    if let session = usableSession { return session }
    if byHand { return try await sessionByHand(inAnyCase: false) }
    return try await validSession(rejecting: nil, lasting: nil)
  }

  /// Asks the provider for new tokens at once, although those in use may be valid: they stay in use if it cannot be
  /// reached. If it refuses, the session ends. A refresh in progress is joined; a time that the provider asked for
  /// (`Retry-After`) is waited for.
  ///
  /// - Returns: the session with new tokens; with those in use if the refresh failed.
  /// - Throws: as ``validSession()`` does.
  @discardableResult
  public nonisolated func refreshNow() async throws(AuthenticationError) -> AuthSession {
    try await sessionByHand(inAnyCase: true)
  }

  private nonisolated func isEnough(
    _ session: AuthSession, rejecting rejected: AccessToken?, lasting wanted: Duration?
  ) -> Bool {
    if session.accessToken == rejected { return false }
    guard wanted != nil, session.tokens.refresh != nil else { return true }
    return runtime.session(at: clock.uptime, rejecting: nil, lasting: wanted) != nil
  }

  private func refuse(_ token: AccessToken) { handle(.accessTokenRefused(token: token.noted, resource: nil)) }

  private nonisolated func sharedSession(
    rejecting rejected: AccessToken?, lasting wanted: Duration?
  ) async throws(AuthenticationError) -> AuthSession {
    let uptime = clock.uptime
    if let session = runtime.session(at: uptime, rejecting: rejected, lasting: wanted) { return session }
    let answer = await runtime.refreshed(at: uptime, rejecting: rejected, lasting: wanted) { round in
      runtime.limit(round: round, to: policy.callerTimeout, by: clock, on: taskExecutor)
      later { $0.refresh(rejecting: rejected, lasting: wanted) }
    }
    return try answer.get(lasting: wanted, at: clock.uptime)
  }

  private nonisolated func sessionByHand(inAnyCase: Bool) async throws(AuthenticationError) -> AuthSession {
    var answer = await answerByHand(inAnyCase: inAnyCase)
    // Another caller's request, which this one has joined, was refused without asking the provider.
    if answer.isHeldOff { answer = await answerByHand(inAnyCase: inAnyCase) }
    return try answer.get(lasting: nil, at: clock.uptime)
  }

  private nonisolated func answerByHand(inAnyCase: Bool) async -> RuntimeSession.Answer {
    await runtime.refreshed(at: clock.uptime, rejecting: nil, lasting: nil, inAnyCase: inAnyCase) { round in
      runtime.limit(round: round, to: policy.callerTimeout, by: clock, on: taskExecutor)
      later { $0.refreshByHand(inAnyCase: inAnyCase) }
    }
  }

  /// Starts a refresh, whatever failed before.
  ///
  /// - Parameter inAnyCase: whether the token counts as expired, if there is one to refresh it with.
  private func refreshByHand(inAnyCase: Bool) {
    readIfDue()
    timing.endHoldOff()
    if !inAnyCase { return refresh(rejecting: nil, lasting: nil) }
    let canRefresh = machine.currentRecord.session?.tokens.refresh != nil
    // The refresh token may be in use for the token of a resource: then it is asked again afterwards.
    mustRefresh = machine.isRefreshing && machine.refreshInProgress?.resource != nil
    let left: Duration? = canRefresh ? .zero : remaining
    handle(.refreshRequested(cause: .check, rejected: nil, remaining: left.noted, wanted: nil))
  }

  /// Ends the wait after failed refreshes: the provider, or the network, works again. The next caller that needs a
  /// token asks the provider; a time that it asked for itself (`Retry-After`) is waited for.
  ///
  /// A composition of your own calls it when the provider has responded; `MainRoot` does that, and follows the network
  /// on Apple platforms.
  public nonisolated func noteProviderReached() {
    let uptime = clock.uptime
    guard runtime.isHeldOff(at: uptime) else { return }
    later { $0.timing.endHoldOff(reachedAt: uptime) }
  }

  /// Waits until the responses to refreshes that were sent are stored, and sends no refresh from now on: call it before
  /// the process ends, since a refresh token that is replaced at each use is lost with its response.
  ///
  /// ```swift
  /// await root.manager.drain()
  /// exit(0)
  /// ```
  ///
  /// Callers that would need a refresh get ``AuthenticationError/cancelled`` afterwards; a valid session is still returned.
  ///
  /// - Parameter limit: how long to wait at most; by default 10 seconds.
  public nonisolated func drain(within limit: Duration = .seconds(10)) async {
    // In a task of its own: a server that stops has often cancelled the one that calls this.
    await Task.detached(executorPreference: taskExecutor) { [self] in
      try? await AbandonableCall().run(within: limit, by: clock, on: taskExecutor) { _ in await self.inFlight.drain() }
    }.value
  }

  /// Has ``drain(within:)`` wait for work that may bring new tokens, as it waits for a refresh.
  package nonisolated func whileInFlight<Value>(
    _ work: () async throws(AuthenticationError) -> Value
  ) async throws(AuthenticationError) -> Value {
    guard inFlight.begin() else { throw .processEnds }
    defer { inFlight.end() }
    return try await work()
  }

  /// Whether a refresh token may be at the provider.
  package nonisolated var isRequestInFlight: Bool { inFlight.isSome }

  /// Sends an event to the listeners of ``events()``.
  package nonisolated func report(_ event: AuthenticationEvent) { monitor.send(event) }

  /// Whether a refresh of the current session is in progress.
  package var isRefreshing: Bool { machine.isRefreshing }

  /// Whether a server's date would correct the token's expiry.
  package nonisolated var wantsServerDate: Bool { runtime.wantsServerDate }

  /// Whether failed refreshes keep callers that would wait from asking the provider.
  package nonisolated var isHeldOff: Bool { runtime.isHeldOff(at: clock.uptime) }

  /// For callers that do not wait for this actor.
  private nonisolated func later(_ body: @escaping @Sendable (isolated AuthManager) -> Void) {
    Task.detached(executorPreference: taskExecutor) { await body(self) }
  }

  /// Starts a refresh if one is needed; the waiting callers are resumed in any case.
  private func refresh(rejecting rejected: AccessToken?, lasting wanted: Duration?) {
    readIfDue()
    let cause: AuthenticationEvent.Cause = rejected != nil ? .refused : wanted != nil ? .lifetime : .expiry
    request(cause, rejecting: rejected, lasting: wanted, asEnding: mustSettleFirst)
  }

  /// Checks again: the refresh that was due when a caller looked may have been done since.
  private func refreshIfEarly() {
    let canRefresh = machine.currentRecord.session?.tokens.refresh != nil
    guard let point = timing.refreshEarlyAt(canRefresh: canRefresh), clock.uptime >= point else { return }
    readIfDue()
    request(.early, rejecting: nil, lasting: nil, asEnding: true)
  }

  /// - Parameter asEnding: whether the token counts as one that is about to expire.
  private func request(
    _ cause: AuthenticationEvent.Cause, rejecting rejected: AccessToken?, lasting wanted: Duration?, asEnding: Bool
  ) {
    let leeway = asEnding ? machine.currentRecord.session.map { policy.leeway(of: $0.accessToken) } : nil
    let left = leeway.map { min(remaining ?? $0, $0) } ?? remaining
    handle(
      .refreshRequested(cause: cause, rejected: rejected.noted, remaining: left.noted, wanted: wanted.noted))
  }
}

/// The runtime's view of one resource: its access token, and the callers that wait for it.
final class ResourceSession: Sendable {
  let resource: ProtectedResource
  let runtime = RuntimeSession()

  init(resource: ProtectedResource) { self.resource = resource }
}

/// Access tokens of further resources. Each is got with the refresh token of the session, one after the other: at most
/// one request uses that at a time.
extension AuthManager {
  /// Returns sessions for one resource: the same user, with an access token that is valid there.
  ///
  /// ```swift
  /// let session = try await root.manager.source(for: orders).validSession()
  /// ```
  ///
  /// - Parameter resource: one of those that the manager was made with.
  /// - Throws: ``AuthenticationError/invalidConfiguration`` for any other one.
  public nonisolated func source(
    for resource: ProtectedResource
  ) throws(AuthenticationError) -> ResourceSource {
    let index = try declared(resource)
    return ResourceSource(index, of: self, resources[index].runtime)
  }

  /// A session with a valid access token of a resource; the same as `source(for:).validSession()`.
  ///
  /// - Parameters:
  ///   - resource: one of those that the manager was made with.
  ///   - wanted: how much of the token's lifetime must be left, if a new token can have that; nil asks for more than
  ///     `RefreshPolicy.leeway`.
  /// - Returns: the user who is signed in, with that access token alone.
  /// - Throws: ``AuthenticationError/resourceRefused`` if the provider gives none: the session is kept, as after any
  ///   failure that concerns this token only. Otherwise as ``validSession()`` does.
  public nonisolated func validSession(
    for resource: ProtectedResource, lasting wanted: Duration? = nil
  ) async throws(AuthenticationError) -> AuthSession {
    let index = try declared(resource)
    return try await validSession(at: index, rejecting: nil, lasting: wanted, byHand: false)
  }

  private nonisolated func declared(_ resource: ProtectedResource) throws(AuthenticationError) -> Int {
    if let index = index(of: resource) { return index }
    throw AuthenticationError(
      .invalidConfiguration, "The resource is none of those that were declared.",
      suggestion: "Name it when the manager or the root is made.")
  }

  fileprivate nonisolated var uptime: Duration { clock.uptime }

  fileprivate nonisolated func requestEarly(_ index: Int) {
    later { $0.request(index, .early, rejecting: nil, asEnding: true) }
  }

  fileprivate nonisolated func validSession(
    at index: Int, rejecting rejected: AccessToken?, lasting wanted: Duration? = nil,
    byHand: Bool
  ) async throws(AuthenticationError) -> AuthSession {
    let session = resources[index]
    if let rejected, session.runtime.isCoolingDown(rejected, at: clock.uptime) { throw .accessTokenRefused }
    var answer = await self.answer(session, index, rejecting: rejected, lasting: wanted, byHand: byHand)
    // Another caller's request, which this one has joined, was refused without asking the provider, or it got the token
    // that this caller has rejected.
    let found = try? answer.get(lasting: wanted, at: clock.uptime)
    let isEnough = found.map { $0.accessToken != rejected } ?? !(byHand && answer.isHeldOff)
    if !isEnough {
      if let rejected { await refuse(rejected, by: session.resource) }
      answer = await self.answer(session, index, rejecting: rejected, lasting: wanted, byHand: byHand)
    }
    return try answer.get(lasting: wanted, at: clock.uptime)
  }

  private nonisolated func answer(
    _ session: ResourceSession, _ index: Int, rejecting rejected: AccessToken?, lasting wanted: Duration?, byHand: Bool
  ) async -> RuntimeSession.Answer {
    await session.runtime.refreshed(at: clock.uptime, rejecting: rejected, lasting: wanted) { round in
      session.runtime.limit(round: round, to: policy.callerTimeout, by: clock, on: taskExecutor)
      later { manager in
        if byHand { manager.endHoldOffs(of: index) }
        let cause: AuthenticationEvent.Cause = rejected != nil ? .refused : wanted != nil ? .lifetime : .expiry
        manager.request(index, cause, rejecting: rejected, lasting: wanted, asEnding: false)
      }
    }
  }

  private func refuse(_ token: AccessToken, by resource: ProtectedResource) {
    handle(.accessTokenRefused(token: token.noted, resource: resource.noted))
  }

  private func endHoldOffs(of index: Int) {
    timing.endHoldOff()
    resourceTimings[index].endHoldOff()
  }

  /// Starts a refresh for a resource if one is needed; the waiting callers are resumed in any case.
  private func request(
    _ index: Int, _ cause: AuthenticationEvent.Cause = .expiry, rejecting rejected: AccessToken? = nil,
    lasting wanted: Duration? = nil, asEnding: Bool
  ) {
    // Its callers may have been resumed since, as by a sign-out.
    guard cause == .early || resources[index].runtime.isAwaited else { return }
    readIfDue()
    let isDue = asEnding || policy.earlyWindow == nil && !timing.hasFailed && machine.hasUnresolvedRefresh
    let left = isDue ? .zero : remaining(of: index)
    handle(
      .resourceRequested(
        resource: resources[index].resource.noted, cause: cause, rejected: rejected.noted, remaining: left.noted,
        wanted: wanted.noted))
  }

  private nonisolated func index(of resource: ProtectedResource) -> Int? {
    resources.firstIndex { $0.resource == resource }
  }

  private func remaining(of index: Int) -> Duration? { resourceTimings[index].endsAt.map { $0 - clock.uptime } }

  /// The access tokens of resources that are stored, with the resources that were declared.
  package func resourceTokens() -> [(resource: ProtectedResource, token: AccessToken?)] {
    readIfDue()
    return resources.map { ($0.resource, machine.currentRecord.resourceTokens[$0.resource.key]) }
  }

  private func publishResources() {
    for (index, session) in resources.enumerated() {
      let token = machine.token(for: session.resource)
      let stored = machine.currentRecord.resourceTokens[session.resource.key]
      let own = stored.flatMap { machine.currentRecord.session?.authorizing(with: $0) }
      resourceTimings[index].follow(
        own, generation: machine.currentGeneration, isRejected: token != stored, by: clock, random: backoff.random)
      let canRefresh = machine.currentRecord.session?.tokens.outliveAccess ?? false
      let timing = resourceTimings[index]
      session.runtime.publish(
        machine.state, usable: token == nil || mustSettleFirst ? nil : own,
        times: .init(
          refreshEarlyAt: timing.refreshEarlyAt(canRefresh: canRefresh),
          refreshAt: timing.refreshAt(canRefresh: canRefresh), endsAt: timing.endsAt,
          cooldownEndsAt: timing.cooldown.endsAt,
          lifetimeRequestIsCapped: machine.isLifetimeRequestCapped(for: session.resource), policy: policy))
    }
  }

  /// Callers that waited while the refresh token was used for another access token come next.
  private func requestAwaited() {
    for (index, session) in resources.enumerated() where session.runtime.isAwaited {
      request(index, asEnding: false)
    }
  }
}

/// Returns sessions with the access token of one resource; ``AuthManager/source(for:)`` makes it.
///
/// ```swift
/// let session = try await root.manager.source(for: orders).validSession()
/// ```
public struct ResourceSource: SessionSource {
  private let manager: AuthManager
  /// Of the resource: found once, and not at each read.
  private let runtime: RuntimeSession
  private let index: Int

  fileprivate init(_ index: Int, of manager: AuthManager, _ runtime: RuntimeSession) {
    (self.manager, self.runtime, self.index) = (manager, runtime, index)
  }

  /// Inlinable, so that a caller that finds a valid token makes no asynchronous call.
  @inlinable
  public func validSession() async throws(AuthenticationError) -> AuthSession {
    if let session = usableSession { return session }
    return try await refreshed(rejecting: nil, byHand: false)
  }

  public func validSession(rejecting rejected: AccessToken?) async throws(AuthenticationError) -> AuthSession {
    if rejected == nil, let session = usableSession { return session }
    return try await refreshed(rejecting: rejected, byHand: false)
  }

  public func validSession(byHand: Bool) async throws(AuthenticationError) -> AuthSession {
    if let session = usableSession { return session }
    return try await refreshed(rejecting: nil, byHand: byHand)
  }

  @usableFromInline
  var usableSession: AuthSession? {
    runtime.session(at: manager.uptime, refreshEarly: { manager.requestEarly(index) })
  }

  @usableFromInline
  func refreshed(
    rejecting rejected: AccessToken?, byHand: Bool
  ) async throws(AuthenticationError) -> AuthSession {
    try await manager.validSession(at: index, rejecting: rejected, byHand: byHand)
  }
}

/// The refresh of one session, or for one resource.
private struct RefreshOperation: Sendable {
  typealias Answer = Result<ResourceTokens, AuthenticationError>

  let session: AuthSession
  let generation: Int
  /// Whose access token is to come; nil for the session's own.
  var resource: ProtectedResource?
  /// The resource's access token that is to be replaced.
  var token: AccessToken?

  enum Outcome {
    case answered(Answer, RecordID?)
    /// The token was not sent.
    case failed(AuthenticationError)
    /// Nothing is in flight for this operation: its response did not come in time, or nothing may be sent any more.
    case left(AuthenticationError)
    case lockLost
    /// The session is no longer the one that was to be refreshed.
    case overtaken
  }
}

/// One refresh of a session: wait for the lock, write the journal, send the token, merge what other processes have
/// stored, resume the waiting callers.
extension AuthManager {
  private func run(_ operation: RefreshOperation) async {
    let startedAt = clock.uptime
    let (cause, wanted) = (machine.refreshInProgress?.cause ?? .expiry, machine.refreshInProgress?.wanted)
    let failure = await refreshWithLock(operation)
    report(
      AuthenticationEvent(
        .refresh, detail: cause.rawValue, duration: clock.uptime - startedAt, failure: failure))
    // Waiting callers may need the session that came instead refreshed as well.
    if machine.currentGeneration != operation.generation || operation.resource != nil, runtime.isAwaited {
      if mustRefresh { refreshByHand(inAnyCase: true) } else { refresh(rejecting: nil, lasting: wanted) }
    }
    requestAwaited()
  }

  /// Returns why there are no new tokens.
  private func refreshWithLock(_ operation: RefreshOperation) async -> AuthenticationError? {
    let own = operation.resource.flatMap { index(of: $0) }.map { resourceTimings[$0] }
    if let refusal = timing.heldOffError(at: clock.uptime) ?? own?.heldOffError(at: clock.uptime) {
      return fail(operation, refusal)
    }
    var failure: AuthenticationError?
    do throws(AuthenticationError) {
      var holder: Int? = try await acquireLock()
      defer { lock.release(by: holder, isSaved: machine.storeView.failure == nil) }
      repeat {
        switch await attempt(operation, holding: holder) {
        case .left(let error):
          failure = fail(operation, error)
          continue
        case .answered(let answer, let signInID):
          failure = answer.failure ?? (try? answer.get().refusal)
          finish(operation, with: answer, signInID)
        case .failed(let error): failure = fail(operation, error)
        case .lockLost:
          inFlight.end()
          holder = nil
          holder = try await acquireLock()
          continue
        case .overtaken: handle(.refreshOvertaken(generation: operation.generation))
        }
        inFlight.end()
      } while machine.isRefreshing && isCurrent(operation)
    } catch {
      return fail(operation, error)
    }
    return failure
  }

  /// Tokens of an earlier refresh may have come late: then this one's token is spent, in the same generation.
  private func isCurrent(_ operation: RefreshOperation) -> Bool {
    guard machine.currentGeneration == operation.generation,
      machine.currentRecord.session?.tokens == operation.session.tokens
    else {
      return false
    }
    // Another process may have got it with a refresh token that stays the same.
    return operation.resource.map { machine.currentRecord.resourceTokens[$0.key] == operation.token } ?? true
  }

  private func fail(_ operation: RefreshOperation, _ error: AuthenticationError) -> AuthenticationError {
    let left = remaining(of: operation)
    handle(.refreshFailed(generation: operation.generation, failure: error.noted, remaining: left.noted))
    return error
  }

  private func remaining(of operation: RefreshOperation) -> Duration? {
    operation.resource.flatMap { index(of: $0) }.map { remaining(of: $0) } ?? remaining
  }

  private func acquireLock() async throws(AuthenticationError) -> Int {
    let deadline = clock.uptime + policy.callerTimeout
    var isFirst = true
    while try !lock.tryAcquire() {
      if inFlight.isDraining { throw .processEnds }
      if isFirst { report(AuthenticationEvent(.lockWait)) }
      isFirst = false
      if clock.uptime >= deadline { throw .timedOut }
      let pause = Duration.milliseconds(5) + backoff.delay(attempt: 0) / 50
      do { try await clock.sleep(for: pause) } catch { throw .cancelled }
    }
    return lock.holder
  }

  /// Waits for the provider no longer than `RefreshPolicy.refreshTimeout`, so that one call that hangs does not block
  /// later refreshes. Tokens that come later are taken if nothing has replaced the session.
  ///
  /// The operation stays in flight, unless the outcome is ``RefreshOperation/Outcome/left(_:)``: end that once the
  /// outcome is stored.
  private func attempt(_ operation: RefreshOperation, holding holder: Int?) async -> RefreshOperation.Outcome {
    do throws(AuthenticationError) {
      return try await AbandonableCall().run(within: policy.refreshTimeout, by: clock, on: taskExecutor) { call in
        guard self.inFlight.begin() else { return .left(.processEnds) }
        let outcome = await self.send(operation, for: call, holding: holder)
        if call.settle() { return outcome }
        if case .answered(.success(let tokens), let signInID) = outcome {
          await self.finish(operation, with: .success(tokens), signInID)
        }
        self.inFlight.end()
        return outcome
      }
    } catch {
      // The request may still be processed: to send the token again now could end the session.
      return .left(error)
    }
  }

  /// There is no suspension point between the checks of lock and journal and the send.
  private func send(
    _ operation: RefreshOperation, for call: AbandonableCall<RefreshOperation.Outcome>, holding holder: Int?
  ) async -> RefreshOperation.Outcome {
    if call.isAbandoned { return .overtaken }
    // A process that was suspended may have lost the lock, and another one may be refreshing.
    guard let holder, lock.isHeld(by: holder) else { return .lockLost }
    if let blocked = begin(operation) { return .failed(blocked) }
    guard isCurrent(operation) else { return .overtaken }
    let signInID = machine.currentRecord.signInID
    if let rejection = machine.currentHeldRejection {
      handle(.heldRejectionTaken)
      return .answered(.failure(rejection), signInID)
    }
    do throws(AuthenticationError) {
      return .answered(.success(try await tokens(of: operation)), signInID)
    } catch {
      return .answered(.failure(error), signInID)
    }
  }

  private nonisolated func tokens(
    of operation: RefreshOperation
  ) async throws(AuthenticationError) -> ResourceTokens {
    guard let resource = operation.resource else {
      return ResourceTokens(try await provider.refresh(operation.session))
    }
    return try await provider.tokens(of: operation.session, for: resource)
  }

  /// Writes the journal. A full disk does not stop the refresh, although a crash at this moment would then make a lost
  /// response look like a plain refusal: a session that cannot be refreshed at all is worse.
  ///
  /// - Returns: why the token must not be sent, nil if it may be: a process that cannot read the store may hold a token
  ///   that was replaced.
  private func begin(_ operation: RefreshOperation) -> AuthenticationError? {
    transaction {
      if lock.isShared, let blocked = machine.storeView.blocked { return blocked }
      guard isCurrent(operation) else { return nil }
      // After its end a token that refreshes itself would only be refused.
      if operation.session.tokens.refreshThemselves, let remaining, remaining <= .zero {
        return AuthenticationError.sessionExpired.with(\.isHeldOff, true)
      }
      // Another process may have been told, or this one before its last launch.
      if let wait = machine.currentRecord.requestedWait(at: clock.now, atMost: policy.longestHoldOff) {
        return .waiting(wait)
      }
      handle(.refreshBegan(generation: operation.generation, at: clock.now))
      return nil
    }
  }

  /// What another process has done meanwhile, a sign-out above all, is not overwritten.
  private func finish(_ operation: RefreshOperation, with answer: RefreshOperation.Answer, _ signInID: RecordID?) {
    if operation.resource != nil, answer.failure == nil { timing.noteSuccess() }
    transaction(readsAnyway: answer.failure?.disposition == .endsSession) {
      let response = RefreshResponse(of: operation.session, answer.map(\.tokens))
      handle(
        .refreshCompleted(
          generation: operation.generation, response: response.noted, resource: operation.resource.noted,
          refusal: (try? answer.get().refusal).noted, signInID: signInID, remaining: remaining(of: operation).noted,
          at: clock.now))
    }
  }
}

/// The point at which a session that ends with its access token needs attention, although no caller asks for it.
private struct SessionWatch {
  /// An uptime; nil for a session that can be refreshed later.
  var point: Duration?
  /// The latest one that has come: each causes one action.
  var reached: Duration?
  var task: Task<Void, Never>?
}

/// A session that ends with its access token: it is refreshed before that where the token can refresh itself, and its
/// end is published.
extension AuthManager {
  /// Watches the session that is published. Nothing is watched in a process that refreshes nothing in the background.
  private func watchSession() {
    let point = nextPoint
    guard point != watch.point else { return }
    watch.task?.cancel()
    watch.point = point
    watch.task = point.map { point in
      Task.detached(executorPreference: taskExecutor) { [weak self, clock] in
        let wait = point - clock.uptime
        if wait > .zero, (try? await clock.sleep(for: wait)) == nil { return }
        await self?.reach(point)
      }
    }
  }

  private var nextPoint: Duration? {
    guard policy.earlyWindow != nil, let tokens = machine.currentRecord.session?.tokens, !tokens.outliveAccess,
      let endsAt = timing.endsAt, watch.reached != endsAt
    else { return nil }
    guard tokens.refreshThemselves else { return endsAt }
    let point = timing.refreshEarlyAt(canRefresh: true) ?? timing.refreshAt(canRefresh: true) ?? endsAt
    return point != watch.reached ? min(point, endsAt) : endsAt
  }

  private func reach(_ point: Duration) {
    guard watch.point == point else { return }
    watch.reached = point
    readIfDue()
    guard let remaining, machine.currentRecord.session?.tokens.outliveAccess == false else { return }
    if remaining > .zero {
      request(.early, rejecting: nil, lasting: nil, asEnding: true)
    } else {
      handle(.refreshRequested(cause: .expiry, rejected: nil, remaining: remaining.noted, wanted: nil))
    }
    watchSession()
  }

  // MARK: - The correction of a token's expiry by the time of a server

  public nonisolated func noteServerDate(_ date: () -> Date?) {
    guard runtime.wantsServerDate, let date = date() else { return }
    let uptime = clock.uptime
    later { manager in
      manager.timing.correct(by: date, at: uptime)
      manager.handle(.lifetimeCorrected(remaining: manager.remaining.noted))
    }
  }

  // MARK: - Signing out

  /// Erases the session here, then ends it at the provider. An attempt to sign in that is in progress ends as
  /// cancelled, and each method of it forgets the user, also if the store refuses to erase the session.
  ///
  /// Returns when the session is erased; the revocation is sent in the background, or later if the provider cannot be
  /// reached (``deliverRevocations()``). The sessions of other devices end before that, in the background as well; an
  /// app that is closed before that does not try again.
  ///
  /// ```swift
  /// try await root.manager.signOut(scope: .everywhere)
  /// let failures = await root.manager.deliverRevocations()
  /// if failures.contains(where: { $0 == .otherSessionsRemain }) { tellTheUser() }
  /// ```
  ///
  /// - Parameters:
  ///   - scope: which sessions of the user end.
  ///   - loss: what is lost for ever with the session, as the user has confirmed; nil if nothing may be.
  /// - Throws: ``AuthenticationError/confirmationRequired`` if something else would be lost (nothing changed),
  ///   ``AuthenticationError/unsupportedMethod`` if the provider cannot end the sessions of other devices (nothing
  ///   changed), ``AuthenticationError/otherSessionsRemain`` if the session has ended here and nothing of it was left
  ///   to end the others with, because another process ended it, for example, and
  ///   ``AuthenticationError`` if the store cannot be read (nothing changed), or could not be erased: then the user is
  ///   signed out here, and erasing is tried again, at once if this is called again.
  public nonisolated func signOut(scope: SignOutScope, losing loss: SignOutLoss?) async throws(AuthenticationError) {
    if scope == .everywhere, !provider.endsOtherSessions { throw .otherSessionsUnsupported }
    let isSignedIn = state.session != nil
    let hadSession = try await end(scope, losing: loss, because: .requested)
    if scope == .everywhere, isSignedIn, !hadSession { throw .othersRemain(because: .notSignedIn) }
  }

  /// Erases the session here, with the queued revocations of earlier sign-outs, and sends nothing to the provider; all
  /// else is as after ``signOut(scope:losing:)``.
  ///
  /// - Parameter loss: as for ``signOut(scope:losing:)``; by default nothing may be lost for ever.
  /// - Throws: ``AuthenticationError``, as ``signOut(scope:losing:)`` does.
  public nonisolated func clear(losing loss: SignOutLoss? = nil) async throws(AuthenticationError) {
    _ = try await end(revoking: false, losing: loss, because: .requested)
  }

  /// Signs out, as ``signOut(scope:losing:)`` does but without a confirmation, if what the sign-in rested on has ended.
  ///
  /// - Parameters:
  ///   - reason: what ``AuthenticationState/signedOut(_:)`` then says.
  ///   - isOver: asks about this session; its result is ignored if a user signs in or out meanwhile.
  /// - Throws: as ``signOut(scope:losing:)`` does.
  public func endSession(
    because reason: SignOutReason, if isOver: @Sendable (AuthSession) async -> Bool
  ) async throws(AuthenticationError) {
    guard let session = readNow().session else { return }
    let signIn = machine.currentRecord.signInID
    guard await isOver(session), readNow().session != nil, machine.currentRecord.signInID == signIn else { return }
    _ = try await end(losing: SignOutLoss(of: session.user), because: reason) { manager in
      manager.readNow().session != nil && manager.machine.currentRecord.signInID == signIn
    }
  }

  /// Erases the session of a user, unless another user has signed in meanwhile. Its tokens are not revoked: they ended
  /// with the account, or are in use elsewhere. What earlier sign-ins and sign-outs have queued is still sent.
  package func erase(_ user: User, because reason: SignOutReason) async throws(AuthenticationError) {
    guard user.isSame(as: readNow().user) else { return }
    _ = try await end(revoking: false, losing: SignOutLoss(of: user), because: reason) { manager in
      user.isSame(as: manager.readNow().user)
    }
  }

  /// Ends the attempts before the manager is waited for, so that none sends anything more; then erases the session.
  ///
  /// - Parameter isDue: whether the session is still the one to end; by default it is.
  /// - Returns: whether there was a session.
  private nonisolated func end(
    _ scope: SignOutScope = .thisDevice, revoking: Bool = true, losing loss: SignOutLoss?,
    because reason: SignOutReason, if isDue: @Sendable (isolated AuthManager) -> Bool = { _ in true }
  ) async throws(AuthenticationError) -> Bool {
    let user = state.user
    try SignOutLoss.check(user, named: loss)
    let ways = attempts.withLock { $0.compactMap(\.value) }
    var ended: [SignInAttempt] = []
    for way in ways {
      if let attempt = await way.signOutBegins() { ended.append(attempt) }
    }
    var hadSession = false
    var failure: AuthenticationError?
    do throws(AuthenticationError) {
      hadSession = try await erase(scope, revoking: revoking, losing: loss, because: reason, if: isDue)
    } catch {
      failure = error
    }
    let isSignedOut =
      if case .signedOut(let given) = state { reason == .requested || given == reason } else {
        reason == .requested && failure == nil
      }
    for attempt in ended { attempt.signOutEnded(isSignedOut: isSignedOut) }
    if isSignedOut { for attempts in ways { await attempts.forget(user) } }
    if let failure { throw failure }
    return hadSession
  }

  /// Returns whether there was a session.
  private func erase(
    _ scope: SignOutScope, revoking: Bool, losing loss: SignOutLoss?, because reason: SignOutReason,
    if isDue: (isolated AuthManager) -> Bool
  ) throws(AuthenticationError) -> Bool {
    guard isDue(self) else { return false }
    let state = readNow()
    if case .unavailable(let error) = state { throw error }
    try SignOutLoss.check(state.user, named: loss)
    if state.session != nil || !revoking { othersRemain = nil }
    // What another process has stored meanwhile: newer tokens of the same session, no session, or that of another user.
    let found = transaction { () -> AuthSession? in
      let found = machine.currentRecord.session
      handle(.signOutRequested(revoking: revoking, reason: reason.noted, at: clock.now))
      return found
    }
    let session = found?.user.isSame(as: state.user) == true ? found : nil
    if scope == .everywhere, let session { endingOthers.append((session, machine.currentGeneration)) }
    forgetLeftovers()
    if let failure = machine.storeView.failure {
      let storeHoldsSession = (try? store.read()?.session != nil) ?? true
      if storeHoldsSession { throw failure }
    }
    return session != nil
  }

  /// Removes the secrets beside the session: of sign-ins that were begun, and of what could not be read. What cannot be
  /// removed now is removed at the next sign-in or sign-out.
  private func forgetLeftovers() {
    // A store that the user has just declined to unlock would prompt for each of them.
    if machine.storeView.failure == .userPresenceRequired { return }
    (provider as? any ResumingAuthProvider)?.forgetBegunSignIns()
    try? store.removeQuarantinedCopies()
  }

  /// Who was signed in before an ambiguous loss, until a user signs in or out: the key to the app's data, no session.
  public var formerUser: User? { machine.currentRecord.formerUser }

  // MARK: - The delivery of revocations

  /// Whether revocations of earlier sign-outs are still queued.
  public var hasPendingRevocations: Bool { !machine.currentRecord.pendingRevocations.isEmpty }

  /// Sends the queued revocations to the provider, and returns when each was tried once.
  ///
  /// A caller whose task is cancelled gets ``AuthenticationError/cancelled`` immediately; the delivery continues.
  ///
  /// - Returns: why revocations of the latest delivery failed: ``AuthenticationError/unsupportedMethod`` if the
  ///   provider has no way to end a session, ``AuthenticationError/timedOut`` if it did not respond in time. First
  ///   of all, ``AuthenticationError/otherSessionsRemain`` after a sign-out on all devices that left some of them,
  ///   whichever delivery found that, until the next sign-in or sign-out.
  @discardableResult
  public nonisolated func deliverRevocations() async -> [AuthenticationError] {
    do throws(AuthenticationError) {
      return try await AbandonableCall.run(on: taskExecutor) { await self.deliver() }
    } catch {
      return [error]
    }
  }

  private func deliver() async -> [AuthenticationError] {
    readIfDue()
    startDelivery()
    return await delivery?.value ?? [othersRemain].compactMap { $0 } + deliveryFailures
  }

  private func startDelivery() {
    guard delivery == nil, !machine.currentRecord.pendingRevocations.isEmpty else { return }
    delivery = Task(executorPreference: taskExecutor) { await self.deliverEach() }
  }

  private func deliverEach() async -> [AuthenticationError] {
    var failures: [AuthenticationError] = []
    var tried: [SessionTokens] = []
    while true {
      if !endingOthers.isEmpty {
        let (session, generation) = endingOthers.removeFirst()
        await endOthers(than: session, generation)
        continue
      }
      guard let revocation = machine.currentRecord.pendingRevocations.first(where: { !tried.contains($0.tokens) })
      else { break }
      tried.append(revocation.tokens)
      if !revocation.isTimely(at: clock.now) {
        transaction { handle(.revocationStarted(revocation: revocation.noted, at: clock.now)) }
      }
      do throws(AuthenticationError) {
        try await limited { () async throws(AuthenticationError) in try await self.send(revocation) }
      } catch {
        failures.append(error)
      }
    }
    delivery = nil
    deliveryFailures = failures
    return [othersRemain].compactMap { $0 } + failures
  }

  private func endOthers(than session: AuthSession, _ generation: Int) async {
    do throws(AuthenticationError) {
      try await limited { () async throws(AuthenticationError) in try await self.endOthers(than: session) }
    } catch {
      // After a later sign-in or sign-out it is no news of the latest one.
      if generation == machine.currentGeneration { othersRemain = .othersRemain(because: error) }
    }
  }

  /// Tokens that an expired one is refreshed to are revoked as well.
  private func endOthers(than session: AuthSession) async throws(AuthenticationError) {
    do throws(AuthenticationError) {
      try await provider.endSessions(otherThan: session)
    } catch {
      guard error == .accessTokenRefused, session.tokens.refresh != nil else { throw error }
      let refreshed = session.refreshed(with: try await provider.refresh(session))
      discard(refreshed)
      try await provider.endSessions(otherThan: refreshed)
    }
  }

  /// A call that hangs does not delay those after it; its response counts even if it comes after the timeout.
  private func limited(
    _ work: @escaping @Sendable () async throws(AuthenticationError) -> Void
  ) async throws(AuthenticationError) {
    try await AbandonableCall().run(within: policy.callerTimeout, by: clock, on: taskExecutor) {
      _ throws(AuthenticationError) in try await work()
    }
  }

  private func send(_ revocation: PendingRevocation) async throws(AuthenticationError) {
    var failure: AuthenticationError?
    do throws(AuthenticationError) {
      let user = machine.currentRecord.session?.user
      let isSameUser = user.map { $0.isSame(as: User(id: revocation.userID ?? $0.id)) } ?? false
      try await provider.revoke(revocation.tokens, keepingOtherSessions: isSameUser)
      noteProviderReached()
    } catch {
      failure = error
    }
    transaction { handle(.revocationCompleted(revocation: revocation.noted, failure: failure.noted)) }
    if let failure { throw failure }
  }
}

/// When an unreadable store is read again.
private struct StoreReading: Sendable {
  private var failures = 0
  private var nextAt: Duration?

  func isDue(at uptime: Duration) -> Bool { nextAt.map { uptime >= $0 } ?? true }

  mutating func noteFailure(at uptime: Duration, _ backoff: Backoff) {
    failures += 1
    nextAt = uptime + backoff.delay(attempt: min(failures, 5))
  }
}

/// Reading and writing the store, with other processes locked out.
extension AuthManager {
  /// Reads the store if that has not been done. A store that could not be read may prompt the user: it is read again
  /// only after a while.
  @discardableResult
  private func readIfDue() -> AuthenticationState {
    // Before the store is read, so that no write in between is missed.
    let mayHaveMissedChanges = followStore()
    if machine.storeView.isRead {
      if machine.currentRecord.session == nil || mayHaveMissedChanges, machine.storeView.failure == nil {
        readChanges(anyway: mayHaveMissedChanges)
      }
    } else if reading.isDue(at: clock.uptime) {
      // Other processes are locked out only if there is something to write.
      if machine.currentRecord.pendingRevocations.isEmpty {
        read()
      } else {
        transaction(reading: false) { () -> Void in read() }
      }
      if !machine.storeView.isRead { reading.noteFailure(at: clock.uptime, backoff) }
    }
    return machine.state
  }

  /// Reads the store, even if it could not be read a short while ago.
  @discardableResult
  private func readNow() -> AuthenticationState {
    reading = StoreReading()
    return readIfDue()
  }

  /// Reads what other processes have stored, then runs `body`, with none of their writes in between. Nothing is written
  /// if the store cannot be read, so that nothing unread is overwritten, nor while another process does not release the
  /// store: what was to be stored is kept here, unsaved, and tried again.
  ///
  /// - Parameters:
  ///   - readsAnyway: read the store even if no other process is expected to share it.
  ///   - reading: false if `body` itself reads the store.
  ///   - body: handles the events that lead to a write.
  private func transaction<Value: Sendable>(
    readsAnyway: Bool = false, reading: Bool = true, _ body: () -> Value
  ) -> Value {
    var value: Value?
    exclusively(readsAnyway: readsAnyway, reading: reading) { value = body() }
    let result = value ?? body()
    handle(.storeBlocked(failure: nil))
    if machine.storeView.failure == nil { lock.releaseIfKept() }
    return result
  }

  /// Reads the store, then runs `body`, unless another process does not release the store. A function of its own: Swift
  /// 6.2 reports a data race where one function passes `body` on and calls it afterwards.
  private func exclusively(readsAnyway: Bool, reading: Bool, _ body: () -> Void) {
    do throws(AuthenticationError) {
      try store.exclusively {
        if reading, let failure = readChanges(anyway: readsAnyway) { handle(.storeBlocked(failure: failure.noted)) }
        body()
      }
    } catch {
      handle(.storeBlocked(failure: error.noted))
    }
  }

  /// Takes over what another process has stored. Without a lock no other process is expected to share the store, and
  /// what was read and saved is read again only with `anyway`.
  ///
  /// - Returns: why it could not be read; nil if it was, or if it need not be.
  @discardableResult
  private func readChanges(anyway: Bool = false) -> AuthenticationError? {
    guard lock.isShared || anyway || !machine.storeView.isRead || machine.storeView.failure != nil else {
      return nil
    }
    let failure = if case .unavailable(let error) = machine.storeView.reading { error } else { read() }
    return failure == .storageCorrupt ? nil : failure
  }

  @discardableResult
  private func read() -> AuthenticationError? {
    let result = Result { () throws(AuthenticationError) in try store.read() }
    handle(.storeRead(record: (try? result.get() ?? nil).noted, failure: result.failure.noted, at: clock.now))
    return result.failure
  }

  private func write(_ record: SessionRecord) -> [SessionMachine.Effect] {
    do throws(AuthenticationError) {
      // The ended sign-ins matter to other processes only.
      if record.holdsNothing, record.endReason == nil, !lock.isShared || record.endedSignIns.isEmpty {
        try store.delete()
      } else {
        try store.save(record)
      }
      followStore()
      return apply(.saved)
    } catch {
      let found = try? store.read() ?? SessionRecord()
      // A disk too full for the queue of revocations may still allow the deletion.
      let isLeft = (found ?? machine.storeView.known).session != nil
      if record.session == nil, record.formerUser == nil, isLeft, (try? store.delete()) != nil {
        return apply(.saveFailed(failure: error.noted, found: SessionRecord().noted))
      }
      return apply(.saveFailed(failure: error.noted, found: found.noted))
    }
  }

  private func saveLater() {
    guard !willSaveLater else { return }
    willSaveLater = true
    // About a minute at most: unsaved changes are lost with the process.
    let delay = backoff.delay(attempt: min(machine.storeView.failedSaves - 1, 6))
    Task.detached(executorPreference: taskExecutor) { [weak self, clock] in
      try? await clock.sleep(for: delay)
      await self?.saveAgain()
    }
  }

  private func saveAgain() {
    willSaveLater = false
    transaction { handle(.saveRetried) }
  }

  /// Lets what another process writes reach this one's runtime.
  ///
  /// - Returns: true if that begins now: there was no notification of what was written before.
  @discardableResult
  private func followStore() -> Bool {
    guard !isFollowing, let changes = store.changes() else { return false }
    following?.cancel()
    isFollowing = true
    following = Task.detached(executorPreference: taskExecutor) { [weak self, clock, backoff] in
      for await _ in changes { await self?.storeChanged() }
      guard await self?.storeIsGone() != nil else { return }
      var attempt = 2
      repeat {
        guard (try? await clock.sleep(for: backoff.delay(attempt: attempt))) != nil else { return }
        attempt = min(attempt + 1, 6)
      } while await self?.followAgain() == false
    }
    return true
  }

  private func storeChanged() {
    guard machine.storeView.isRead else {
      readNow()
      return
    }
    // Unsaved changes are merged into it later, under the lock for writing.
    if machine.storeView.failure == nil { readChanges(anyway: true) }
  }

  private func storeIsGone() { isFollowing = false }

  private func followAgain() -> Bool {
    if followStore() { storeChanged() }
    return isFollowing
  }

  // MARK: - How the machine's effects are performed

  private func handle(_ event: SessionMachine.Event) { perform(apply(event)) }

  /// The one place where the machine takes an event, so that each is recorded.
  private func apply(_ event: SessionMachine.Event) -> [SessionMachine.Effect] {
    guard let recorder else { return machine.handle(event) }
    let before = machine
    let effects = machine.handle(event)
    recorder.record(event, effects, from: before, to: machine, at: clock.now)
    return effects
  }

  /// Performs the effects of an event in their order; those that the outcome of one adds come before the next one. The
  /// one place where effects are performed.
  private func perform(_ effects: [SessionMachine.Effect]) {
    for effect in effects { perform(effect) }
  }

  private func perform(_ effect: SessionMachine.Effect) {
    switch effect {
    case .save(let record): perform(write(record))
    case .publish: publish()
    case .refresh(let session, let generation):
      let operation = RefreshOperation(session: session, generation: generation)
      Task.detached(executorPreference: taskExecutor) { await self.run(operation) }
    case .refreshResource(let resource, let session, let generation):
      let token = machine.currentRecord.resourceTokens[resource.key]
      let operation = RefreshOperation(session: session, generation: generation, resource: resource, token: token)
      Task.detached(executorPreference: taskExecutor) { await self.run(operation) }
    case .resumeWaiters(let failure, let tokenIsGood):
      let current = machine.currentRecord.session
      runtime.resumeWaiters(failure == nil || tokenIsGood ? current : nil, failure: failure)
      let awaited = resources.filter(\.runtime.isAwaited)
      if awaited.isEmpty { return }
      if let failure, current == nil || failure == .superseded {
        for session in awaited { session.runtime.resumeWaiters(nil, failure: failure) }
      } else {
        later { $0.requestAwaited() }
      }
    case .resumeResourceWaiters(let resource, let failure, let tokenIsGood):
      guard let index = index(of: resource) else { return }
      let token = failure == nil || tokenIsGood ? machine.token(for: resource) : nil
      let session = token.flatMap { machine.currentRecord.session?.authorizing(with: $0) }
      resources[index].runtime.resumeWaiters(session, failure: failure)
    case .backOffResource(let resource, let error):
      guard let index = index(of: resource), !error.isHeldOff else { return }
      let token = machine.currentRecord.resourceTokens[resource.key]
      resourceTimings[index].noteFailure(error, of: token, at: clock.uptime, backoff: backoff)
      // An outage of the provider concerns every token.
      if error.disposition == .transient { backOff(after: error) }
    case .backOff(let error): backOff(after: error)
    case .deliverRevocations: startDelivery()
    case .retrySave: saveLater()
    case .report(let event): report(event)
    }
  }

  private func publish() {
    let session = machine.currentRecord.session
    timing.follow(
      session, generation: machine.currentGeneration, isRejected: machine.isAccessTokenRejected, by: clock,
      random: backoff.random)
    if machine.hasUnresolvedRefresh { timing.makeDue(at: clock.uptime) }
    let canRefresh = session?.tokens.refresh != nil
    runtime.publish(
      machine.state, usable: machine.accessTokenIsUsable && !mustSettleFirst ? session : nil,
      times: .init(
        refreshEarlyAt: timing.refreshEarlyAt(canRefresh: canRefresh),
        refreshAt: timing.refreshAt(canRefresh: canRefresh),
        endsAt: timing.endsAt, cooldownEndsAt: timing.cooldown.endsAt, heldOffUntil: timing.streak?.heldOffUntil,
        wantsServerDate: timing.wantsServerDate, lifetimeRequestIsCapped: machine.isLifetimeRequestCapped,
        policy: policy))
    publishResources()
    watchSession()
  }

  /// A process that refreshes nothing in the background completes an unresolved refresh before it returns a session,
  /// and refreshes a token in the second half of its lifetime that only that token can refresh.
  private var mustSettleFirst: Bool {
    policy.earlyWindow == nil && !timing.hasFailed && (machine.hasUnresolvedRefresh || isInLastHalf)
  }

  private var isInLastHalf: Bool {
    guard let tokens = machine.currentRecord.session?.tokens, tokens.refreshThemselves, let remaining,
      let lifetime = tokens.access.lifetime
    else { return false }
    return remaining < lifetime / 2
  }

  /// A refresh that was refused without being sent does not count as another failure.
  private func backOff(after error: AuthenticationError) {
    guard let token = machine.currentRecord.session?.accessToken, !error.isHeldOff else { return }
    timing.noteFailure(error, of: token, at: clock.uptime, backoff: backoff)
  }

  private var remaining: Duration? { timing.endsAt.map { $0 - clock.uptime } }
}

extension AuthenticationError {
  fileprivate static let processEnds = Self(
    .cancelled, "The process is about to end, and refreshes no session any more."
  ).with(\.isHeldOff, true)

  fileprivate static func waiting(_ wait: Duration) -> Self {
    Self(
      .rateLimited, "The provider has asked for more time before the next refresh.",
      suggestion: "Try again when it is over; the session is kept."
    ).with(\.retryAfter, wait).with(\.isHeldOff, true)
  }

  fileprivate static func othersRemain(because error: AuthenticationError) -> Self {
    Self(
      .otherSessionsRemain, "The session has ended here; those on other devices could not be ended (\(error.code)).",
      suggestion: "Tell the user, who can sign in again and end them one by one.", cause: error.cause)
  }
}
