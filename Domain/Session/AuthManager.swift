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
  private let clock: any AuthenticationClock
  private let policy: RefreshPolicy
  private let backoff: Backoff
  private let checkSignIn: (@Sendable (AuthSession) async throws(AuthenticationError) -> Void)?
  private let makeID: @Sendable () -> RecordID
  private let executor: any SerialExecutor
  private let taskExecutor: (any TaskExecutor)?
  private let observe: (@Sendable (SessionChange) -> Void)?
  private nonisolated let published = PublishedState()
  private nonisolated let monitor = Broadcast<AuthenticationEvent>()
  /// The session's own access token.
  private nonisolated let own: TokenSlot
  /// The same, and those of the further resources, in their order.
  private nonisolated let slots: [(resource: ProtectedResource?, slot: TokenSlot)]
  private nonisolated let inFlight = RefreshesInFlight()
  private nonisolated let participants = SignInParticipants()
  private nonisolated let delivery: RevocationDelivery
  private let storage: StoreCoordinator
  private let watch: ExpiryWatch

  private var machine: SessionMachine
  /// A caller waits for new tokens although those in use may be valid.
  private var mustRefresh = false

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
  ///   - observe: gets each event of the state machine, before it is performed; it must not block.
  package init(
    provider: any RemoteAuthProvider, store: any SessionStore, lock: (any SessionLock)? = nil,
    clock: any AuthenticationClock = SystemClock(), policy: RefreshPolicy = .standard,
    resources: [ProtectedResource] = [],
    checkSignIn: (@Sendable (AuthSession) async throws(AuthenticationError) -> Void)? = nil,
    random: @escaping @Sendable () -> Double,
    makeID: @escaping @Sendable () -> RecordID = { RecordID.random() },
    executor: any SerialExecutor = BlockingExecutor(), taskExecutor: (any TaskExecutor)? = nil,
    observe: (@Sendable (SessionChange) -> Void)? = nil
  ) {
    let backoff = Backoff(base: policy.backoffBase, cap: policy.backoffCap, random: random)
    self.provider = provider
    self.clock = clock
    self.policy = policy
    self.backoff = backoff
    self.checkSignIn = checkSignIn
    self.makeID = makeID
    self.executor = executor
    self.taskExecutor = taskExecutor
    self.observe = observe
    let keys = [nil] + resources
    slots = keys.map { ($0, TokenSlot(policy: policy, clock: clock, backoff: backoff, executor: taskExecutor)) }
    own = slots[0].slot
    delivery = RevocationDelivery(executor: taskExecutor)
    storage = StoreCoordinator(store, lock: lock, clock: clock, backoff: backoff, executor: taskExecutor)
    watch = ExpiryWatch(clock: clock, executor: taskExecutor)
    machine = SessionMachine(policy: policy, makeID: makeID)
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }
}

// MARK: - Who is signed in

extension AuthManager: SessionControl {
  public nonisolated var state: AuthenticationState { published.value }

  public nonisolated func states() -> AsyncStream<AuthenticationState> { published.values() }

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
    if machine.store.isRead, machine.store.failure != nil { transaction { handle(.saveRetried) } }
    if own.hasFailed {
      own.endHoldOff()
      // A process that may exit at any time refreshes only while a caller waits: the next one asks at once.
      if policy.earlyWindow != nil { request(nil, .expiry) }
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
      active.freshness != .expired && (active.session.tokens.outliveAccess || own.remaining.map { $0 > .zero } ?? true)
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
        return try await provider.isValid(
          self.session(of: self.own, for: nil, rejecting: session.accessToken, lasting: nil))
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
    if request.reauthenticatedUser == nil, SignInRequest.isReauthenticating { throw .proofLost }
    if let bare = request.credentials as? BareCredentials, bare.method == .unlock, request.reauthenticatedUser == nil {
      return try await AbandonableCall.run(on: taskExecutor) { () async throws(AuthenticationError) in
        .session(try await self.unlock(request))
      }
    }
    let outcome = try await AbandonableCall().run(on: taskExecutor) { call throws(AuthenticationError) in
      guard let user = request.reauthenticatedUser else { return try await self.signIn(for: call, request) }
      return try await self.reauthenticate(for: call, as: user, request)
    }
    guard case .session = outcome else { return outcome }
    // The user is signed in: a caller who leaves while steps are forgotten is told so all the same.
    _ = try? await AbandonableCall.run(on: taskExecutor) { () async throws(AuthenticationError) in
      await self.participants.forgetPending()
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
    let attempt = machine.attempt
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
      if attempt == machine.attempt, let challenge = machine.challenge {
        handle(.challengeDropped(challenge))
      }
    }
    guard call.settle() else {
      if adopted == nil, case .success(.session(let session)) = result { discard(session) }
      throw .cancelled
    }
    let isCurrent = attempt == machine.attempt
    // Before it is published: who follows the states then knows which request made it.
    if isCurrent, case .success(.session(let session)) = result { request.onSession(session) }
    transaction { handle(.signInCompleted(attempt: attempt, result, at: clock.now)) }
    let outcome = try result.get()
    if !isCurrent { throw .superseded }
    if case .session = outcome {
      forgetLeftovers()
      delivery.beginRound()
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
    transaction { handle(.userProved(session, at: clock.now)) }
    try check(isCurrent: user)
    if let current = machine.record.session { request.onSession(current) }
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
  nonisolated func add(_ attempts: SignInAttempts) { participants.add(attempts) }

  /// Forgets a challenge that will not be answered; does nothing if another one is asked by now.
  package func dropChallenge(_ challenge: Challenge) { handle(.challengeDropped(challenge)) }

  /// Keeps what the provider now says of the user who is signed in. New tokens of a user who is no longer signed in are
  /// revoked.
  ///
  /// - Throws: ``AuthenticationError/notSignedIn`` if no user is, and ``AuthenticationError/superseded`` if
  ///   another one is.
  package func take(_ session: AuthSession, upgrading: Bool) throws(AuthenticationError) {
    let tokens = upgrading ? session.tokens : nil
    transaction { handle(.userChanged(session.user, tokens: tokens, at: clock.now)) }
    guard let current = machine.record.session else { throw .notSignedIn }
    if !current.user.isSame(as: session.user) { throw .superseded }
  }

  /// Revokes the tokens of a session that no caller here asked for.
  package func discard(_ session: AuthSession) {
    transaction { handle(.tokensOrphaned(session.tokens, userID: session.user.id, at: clock.now)) }
  }
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
    own.usable { later { $0.refreshIfEarly(nil) } }
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
    try own.checkCooldown(of: rejected)
    return try await session(of: own, for: nil, rejecting: rejected, lasting: wanted)
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
    return try await session(of: own, for: nil, rejecting: nil, lasting: nil, byHand ? .byHand : .usual)
  }

  /// Asks the provider for new tokens at once, although those in use may be valid: they stay in use if it cannot be
  /// reached. If it refuses, the session ends. A refresh in progress is joined; a time that the provider asked for
  /// (`Retry-After`) is waited for.
  ///
  /// - Returns: the session with new tokens; with those in use if the refresh failed.
  /// - Throws: as ``validSession()`` does.
  @discardableResult
  public nonisolated func refreshNow() async throws(AuthenticationError) -> AuthSession {
    try await session(of: own, for: nil, rejecting: nil, lasting: nil, .inAnyCase)
  }

  /// Ends the wait after failed refreshes: the provider, or the network, works again. The next caller that needs a
  /// token asks the provider; a time that it asked for itself (`Retry-After`) is waited for.
  ///
  /// A composition of your own calls it when the provider has responded; `MainRoot` does that, and follows the network
  /// on Apple platforms.
  public nonisolated func noteProviderReached() {
    if own.isHeldOff { own.endHoldOff(reachedAt: clock.uptime) }
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
    await inFlight.drain(within: limit, by: clock, on: taskExecutor)
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
  package nonisolated var wantsServerDate: Bool { own.wantsServerDate }

  /// Whether failed refreshes keep callers that would wait from asking the provider.
  package nonisolated var isHeldOff: Bool { own.isHeldOff }

  /// For callers that do not wait for this actor.
  private nonisolated func later(_ body: @escaping @Sendable (isolated AuthManager) -> Void) {
    Task.detached(executorPreference: taskExecutor) { await body(self) }
  }

  /// A session whose access token is enough for a caller: the session's own, or that of a resource.
  ///
  /// Inlined: each of thousands of waiting callers would hold a frame of it.
  @inline(__always)
  private nonisolated func session(
    of slot: TokenSlot, for resource: ProtectedResource?, rejecting rejected: AccessToken?, lasting wanted: Duration?,
    _ urgency: TokenSlot.Urgency = .usual
  ) async throws(AuthenticationError) -> AuthSession {
    try await slot.session(rejecting: rejected, lasting: wanted, urgency) {
      await refuse($0, by: resource)
    } start: {
      later { manager in
        // Its callers may have been resumed since, as by a sign-out.
        guard slot.isAwaited else { return }
        if urgency != .usual { manager.endHoldOffs(of: slot) }
        if urgency == .inAnyCase { return manager.requestInAnyCase() }
        let cause: AuthenticationEvent.Cause = rejected != nil ? .refused : wanted != nil ? .lifetime : .expiry
        manager.request(resource, cause, rejecting: rejected, lasting: wanted)
      }
    }
  }

  private func refuse(_ token: AccessToken, by resource: ProtectedResource?) {
    handle(.accessTokenRefused(token, resource: resource))
  }

  private func endHoldOffs(of slot: TokenSlot) {
    own.endHoldOff()
    slot.endHoldOff()
  }

  /// Checks again: the refresh that was due when a caller looked may have been done since.
  private func refreshIfEarly(_ resource: ProtectedResource?) {
    if slot(for: resource).isEarlyRefreshDue { request(resource, .early, asEnding: true) }
  }

  /// Starts a refresh although the token may be valid, if there is one to refresh it with.
  private func requestInAnyCase() {
    readIfDue()
    // The refresh token may be in use for the token of a resource: then it is asked again afterwards.
    mustRefresh = machine.isRefreshing && machine.refresh?.resource != nil
    let canRefresh = machine.record.session?.tokens.refresh != nil
    handle(.refreshRequested(cause: .check, rejected: nil, remaining: canRefresh ? .zero : own.remaining))
  }

  /// Starts a refresh if one is needed; the waiting callers are resumed in any case.
  ///
  /// - Parameters:
  ///   - resource: whose access token is wanted; nil for the session's own.
  ///   - asEnding: whether the token counts as one that is about to expire.
  private func request(
    _ resource: ProtectedResource?, _ cause: AuthenticationEvent.Cause, rejecting rejected: AccessToken? = nil,
    lasting wanted: Duration? = nil, asEnding: Bool = false
  ) {
    readIfDue()
    var left = slot(for: resource).remaining
    if asEnding || mustSettleFirst, let token = machine.token(for: resource) {
      let leeway = policy.leeway(of: token)
      left = min(left ?? leeway, leeway)
    }
    handle(
      .refreshRequested(resource: resource, cause: cause, rejected: rejected, remaining: left, wanted: wanted))
  }

  /// Callers that waited while the refresh token was used for another access token come next.
  private func requestAwaited() {
    for (resource, slot) in slots.dropFirst() where slot.isAwaited { request(resource, .expiry) }
  }

  private nonisolated func slot(for resource: ProtectedResource?) -> TokenSlot {
    slots.first { $0.resource == resource }?.slot ?? own
  }
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
    ResourceSource(resource, of: self, try declared(resource))
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
    try await session(of: try declared(resource), for: resource, rejecting: nil, lasting: wanted)
  }

  private nonisolated func declared(_ resource: ProtectedResource) throws(AuthenticationError) -> TokenSlot {
    if let slot = slots.first(where: { $0.resource == resource })?.slot { return slot }
    throw AuthenticationError(
      .invalidConfiguration, "The resource is none of those that were declared.",
      suggestion: "Name it when the manager or the root is made.")
  }

  nonisolated func refreshEarly(_ resource: ProtectedResource) { later { $0.refreshIfEarly(resource) } }

  nonisolated func session(
    of slot: TokenSlot, for resource: ProtectedResource, rejecting rejected: AccessToken?, byHand: Bool
  ) async throws(AuthenticationError) -> AuthSession {
    try slot.checkCooldown(of: rejected)
    return try await session(of: slot, for: resource, rejecting: rejected, lasting: nil, byHand ? .byHand : .usual)
  }

  /// The access tokens of resources that are stored, with the resources that were declared.
  package func resourceTokens() -> [(resource: ProtectedResource, token: AccessToken?)] {
    readIfDue()
    return slots.compactMap { $0.resource }.map { ($0, machine.token(for: $0)) }
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
    let (cause, wanted) = (machine.refresh?.cause ?? .expiry, machine.refresh?.wanted)
    let failure = await refreshWithLock(operation)
    report(
      AuthenticationEvent(
        .refresh, detail: cause.rawValue, duration: clock.uptime - startedAt, failure: failure))
    // Waiting callers may need the session that came instead refreshed as well.
    if machine.generation != operation.generation || operation.resource != nil, own.isAwaited {
      if mustRefresh { requestInAnyCase() } else { request(nil, wanted == nil ? .expiry : .lifetime, lasting: wanted) }
    }
    requestAwaited()
  }

  /// Returns why there are no new tokens.
  private func refreshWithLock(_ operation: RefreshOperation) async -> AuthenticationError? {
    if let refusal = own.heldOffError ?? slot(for: operation.resource).heldOffError {
      return fail(operation, refusal)
    }
    var failure: AuthenticationError?
    do throws(AuthenticationError) {
      var holder: Int? = try await acquireLock()
      defer { storage.lock.release(by: holder, isSaved: machine.store.failure == nil) }
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
    guard machine.generation == operation.generation,
      machine.record.session?.tokens == operation.session.tokens
    else {
      return false
    }
    // Another process may have got it with a refresh token that stays the same.
    return operation.resource.map { machine.token(for: $0) == operation.token } ?? true
  }

  private func fail(_ operation: RefreshOperation, _ error: AuthenticationError) -> AuthenticationError {
    let left = slot(for: operation.resource).remaining
    handle(.refreshFailed(generation: operation.generation, error, remaining: left))
    return error
  }

  private func acquireLock() async throws(AuthenticationError) -> Int {
    let pauses = Backoff(base: .milliseconds(25), cap: .milliseconds(25), random: backoff.random)
    var isFirst = true
    try await clock.wait(atMost: policy.callerTimeout, pausing: pauses) { () throws(AuthenticationError) in
      let isTaken = try storage.lock.tryAcquire()
      if !isTaken, inFlight.isDraining { throw .processEnds }
      if !isTaken, isFirst { report(AuthenticationEvent(.lockWait)) }
      isFirst = false
      return isTaken
    }
    return storage.lock.holder
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
    guard let holder, storage.lock.isHeld(by: holder) else { return .lockLost }
    if let blocked = begin(operation) { return .failed(blocked) }
    guard isCurrent(operation) else { return .overtaken }
    let signInID = machine.record.signInID
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
      if storage.lock.isShared, let blocked = machine.store.blocked { return blocked }
      guard isCurrent(operation) else { return nil }
      // After its end a token that refreshes itself would only be refused.
      if operation.session.tokens.refreshThemselves, let remaining = own.remaining, remaining <= .zero {
        return AuthenticationError.sessionExpired.with(\.isHeldOff, true)
      }
      // Another process may have been told, or this one before its last launch.
      if let wait = machine.record.requestedWait(at: clock.now, atMost: policy.longestHoldOff) {
        return .waiting(wait)
      }
      handle(.refreshBegan(generation: operation.generation, at: clock.now))
      return nil
    }
  }

  /// What another process has done meanwhile, a sign-out above all, is not overwritten.
  private func finish(_ operation: RefreshOperation, with answer: RefreshOperation.Answer, _ signInID: RecordID?) {
    if operation.resource != nil, answer.failure == nil { own.noteSuccess() }
    transaction(readsAnyway: answer.failure?.disposition == .endsSession) {
      let response = RefreshResponse(
        of: operation.session, signInID: signInID, for: operation.resource, answer.map(\.tokens),
        refusal: try? answer.get().refusal)
      handle(
        .refreshCompleted(
          generation: operation.generation, response, remaining: slot(for: operation.resource).remaining,
          at: clock.now))
    }
  }
}

/// A session that ends with its access token: it is refreshed before that where the token can refresh itself, and its
/// end is published.
extension AuthManager {
  /// Watches the session that is published. Nothing is watched in a process that refreshes nothing in the background.
  private func watchSession() { watch.watch(pointsToWatch) { [weak self] in await self?.reachPoint() } }

  private var pointsToWatch: [Duration] {
    guard policy.earlyWindow != nil, let tokens = machine.record.session?.tokens, !tokens.outliveAccess,
      let endsAt = own.endsAt
    else { return [] }
    guard tokens.refreshThemselves, let point = own.refreshesAt, point < endsAt else { return [endsAt] }
    return [point, endsAt]
  }

  private func reachPoint() {
    readIfDue()
    guard let remaining = own.remaining, machine.record.session?.tokens.outliveAccess == false else { return }
    if remaining > .zero {
      request(nil, .early, asEnding: true)
    } else {
      handle(.refreshRequested(rejected: nil, remaining: remaining))
    }
    watchSession()
  }

  // MARK: - The correction of a token's expiry by the time of a server

  public nonisolated func noteServerDate(_ date: () -> Date?) {
    guard own.wantsServerDate, let date = date() else { return }
    let uptime = clock.uptime
    later { manager in
      manager.own.correct(by: date, at: uptime)
      manager.handle(.lifetimeCorrected(remaining: manager.own.remaining))
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
    let signIn = machine.record.signInID
    guard await isOver(session), readNow().session != nil, machine.record.signInID == signIn else { return }
    _ = try await end(losing: SignOutLoss(of: session.user), because: reason) { manager in
      manager.readNow().session != nil && manager.machine.record.signInID == signIn
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
    let ended = await participants.signOutBegins()
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
    if isSignedOut { await participants.forget(user) }
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
    if state.session != nil || !revoking { delivery.beginRound() }
    // What another process has stored meanwhile: newer tokens of the same session, no session, or that of another user.
    let found = transaction { () -> AuthSession? in
      let found = machine.record.session
      handle(.signOutRequested(revoking: revoking, reason: reason, at: clock.now))
      return found
    }
    let session = found?.user.isSame(as: state.user) == true ? found : nil
    if scope == .everywhere, let session { delivery.endOthers(than: session) }
    forgetLeftovers()
    if let failure = machine.store.failure, storage.mayHoldSession { throw failure }
    return session != nil
  }

  /// Removes the secrets beside the session: of sign-ins that were begun, and of what could not be read. What cannot be
  /// removed now is removed at the next sign-in or sign-out.
  private func forgetLeftovers() {
    // A store that the user has just declined to unlock would prompt for each of them.
    if machine.store.failure == .userPresenceRequired { return }
    (provider as? any ResumingAuthProvider)?.forgetBegunSignIns()
    storage.removeQuarantinedCopies()
  }

  /// Who was signed in before an ambiguous loss, until a user signs in or out: the key to the app's data, no session.
  public var formerUser: User? { machine.record.formerUser }

  // MARK: - The delivery of revocations

  /// Whether revocations of earlier sign-outs are still queued.
  public var hasPendingRevocations: Bool { !machine.record.pendingRevocations.isEmpty }

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
    return await delivery.result()
  }

  private func startDelivery() {
    guard !machine.record.pendingRevocations.isEmpty else { return }
    delivery.start { [weak self] in
      await self?.nextDelivery(after: $0, failures: $1)
    } deliver: { [weak self] item throws(AuthenticationError) in
      try await self?.deliver(item)
    }
  }

  private func nextDelivery(
    after tried: [SessionTokens], failures: [AuthenticationError]
  ) -> RevocationDelivery.Item? {
    if let other = delivery.takeOther() { return other }
    guard let revocation = machine.record.pendingRevocations.first(where: { !tried.contains($0.tokens) }) else {
      delivery.end(failures)
      return nil
    }
    if !revocation.isTimely(at: clock.now) { transaction { handle(.revocationStarted(revocation, at: clock.now)) } }
    return .revocation(revocation)
  }

  /// A call that hangs does not delay those after it; its response counts even if it comes after the timeout.
  private nonisolated func deliver(_ item: RevocationDelivery.Item) async throws(AuthenticationError) {
    try await AbandonableCall().run(within: policy.callerTimeout, by: clock, on: taskExecutor) {
      _ throws(AuthenticationError) in
      switch item {
      case .others(let session, _): try await self.endOthers(than: session)
      case .revocation(let revocation): try await self.send(revocation)
      }
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

  private func send(_ revocation: PendingRevocation) async throws(AuthenticationError) {
    var failure: AuthenticationError?
    do throws(AuthenticationError) {
      let user = machine.record.session?.user
      let isSameUser = user.map { $0.isSame(as: User(id: revocation.userID ?? $0.id)) } ?? false
      try await provider.revoke(revocation.tokens, keepingOtherSessions: isSameUser)
      noteProviderReached()
    } catch {
      failure = error
    }
    transaction { handle(.revocationCompleted(revocation, failure)) }
    if let failure { throw failure }
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
    if machine.store.isRead {
      if machine.record.session == nil || mayHaveMissedChanges, machine.store.failure == nil {
        readChanges(anyway: mayHaveMissedChanges)
      }
    } else if storage.isReadDue {
      // Other processes are locked out only if there is something to write.
      if machine.record.pendingRevocations.isEmpty {
        read()
      } else {
        transaction(reading: false) { () -> Void in read() }
      }
      if !machine.store.isRead { storage.noteFailedRead() }
    }
    return machine.state
  }

  /// Reads the store, even if it could not be read a short while ago.
  @discardableResult
  private func readNow() -> AuthenticationState {
    storage.readAgainAtOnce()
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
    handle(.storeBlocked(nil))
    if machine.store.failure == nil { storage.lock.releaseIfKept() }
    return result
  }

  /// Reads the store, then runs `body`, unless another process does not release the store. A function of its own: Swift
  /// 6.2 reports a data race where one function passes `body` on and calls it afterwards.
  private func exclusively(readsAnyway: Bool, reading: Bool, _ body: () -> Void) {
    let blocked = storage.exclusively {
      if reading, let failure = readChanges(anyway: readsAnyway) { handle(.storeBlocked(failure)) }
      body()
    }
    if let blocked { handle(.storeBlocked(blocked)) }
  }

  /// Takes over what another process has stored. Without a lock no other process is expected to share the store, and
  /// what was read and saved is read again only with `anyway`.
  ///
  /// - Returns: why it could not be read; nil if it was, or if it need not be.
  @discardableResult
  private func readChanges(anyway: Bool = false) -> AuthenticationError? {
    guard storage.lock.isShared || anyway || !machine.store.isRead || machine.store.failure != nil else {
      return nil
    }
    let failure = if case .unavailable(let error) = machine.store.reading { error } else { read() }
    return failure == .storageCorrupt ? nil : failure
  }

  @discardableResult
  private func read() -> AuthenticationError? {
    let event = storage.read()
    handle(event)
    guard case .storeRead(.failure(let error), _) = event else { return nil }
    return error
  }

  private func write(_ record: SessionRecord) {
    let event = storage.write(record, over: machine.store.known)
    if case .saved = event { followStore() }
    handle(event)
  }

  private func saveLater() {
    storage.saveLater(failedSaves: machine.store.failedSaves) { [weak self] in await self?.saveAgain() }
  }

  private func saveAgain() {
    storage.savesNow()
    transaction { handle(.saveRetried) }
  }

  /// Lets what another process writes reach this one's runtime.
  ///
  /// - Returns: true if that begins now: there was no notification of what was written before.
  @discardableResult
  private func followStore() -> Bool {
    storage.follow {
      [weak self] in
      await self?.storeChanged()
    } gone: {
      [weak self] in
      await self?.storeIsGone()
    } again: {
      [weak self] in
      await self?.followAgain() ?? true
    }
  }

  private func storeChanged() {
    guard machine.store.isRead else {
      readNow()
      return
    }
    // Unsaved changes are merged into it later, under the lock for writing.
    if machine.store.failure == nil { readChanges(anyway: true) }
  }

  private func storeIsGone() { storage.noteGone() }

  private func followAgain() -> Bool {
    if followStore() { storeChanged() }
    return storage.follows
  }

  // MARK: - How the machine's effects are performed

  /// The one place where the machine takes an event, and where its effects are performed: in their order, those of an
  /// event that the outcome of one adds before the next one.
  private func handle(_ event: SessionMachine.Event) {
    let before = observe == nil ? nil : machine
    let effects = machine.handle(event)
    if let observe, let before {
      observe(SessionChange(event, effects, from: before, to: machine, at: clock.now))
    }
    for effect in effects { perform(effect) }
  }

  private func perform(_ effect: SessionMachine.Effect) {
    switch effect {
    case .save(let record): write(record)
    case .publish: publish()
    case .refresh(let session, let resource, let generation):
      let token = resource.flatMap { machine.token(for: $0) }
      let operation = RefreshOperation(session: session, generation: generation, resource: resource, token: token)
      Task.detached(executorPreference: taskExecutor) { await self.run(operation) }
    case .resumeWaiters(let failure, let resource, let tokenIsGood):
      slot(for: resource).resume(failure == nil || tokenIsGood ? session(of: resource) : nil, failure: failure)
      if resource == nil { resumeResources(failure) }
    case .backOff(let error, let resource): backOff(after: error, of: resource)
    case .deliverRevocations: startDelivery()
    case .retrySave: saveLater()
    case .report(let event): report(event)
    }
  }

  /// The session with the access token of a resource (nil: its own) that may be returned.
  private func session(of resource: ProtectedResource?) -> AuthSession? {
    let session = machine.record.session
    guard let resource else { return session }
    return machine.usableToken(for: resource).flatMap { session?.authorizing(with: $0) }
  }

  /// Without a session no caller of a resource waits on; with one their turn comes now.
  private func resumeResources(_ failure: AuthenticationError?) {
    let awaited = slots.dropFirst().map(\.slot).filter(\.isAwaited)
    if awaited.isEmpty { return }
    if let failure, machine.record.session == nil || failure == .superseded {
      for slot in awaited { slot.resume(nil, failure: failure) }
    } else {
      later { $0.requestAwaited() }
    }
  }

  /// A refresh that was refused without being sent does not count as another failure. An outage of the provider concerns
  /// every token.
  private func backOff(after error: AuthenticationError, of resource: ProtectedResource?) {
    if error.isHeldOff { return }
    if resource != nil { slot(for: resource).noteFailure(error, of: machine.token(for: resource)) }
    guard resource == nil || error.disposition == .transient, let token = machine.token(for: nil) else { return }
    own.noteFailure(error, of: token)
  }

  private func publish() {
    let session = machine.record.session
    for (resource, slot) in slots {
      let held = resource == nil ? session : machine.token(for: resource).flatMap { session?.authorizing(with: $0) }
      let canRefresh = resource == nil ? session?.tokens.refresh != nil : session?.tokens.outliveAccess == true
      slot.follow(
        held, generation: machine.generation, isRejected: machine.isRejected(for: resource), canRefresh: canRefresh,
        isUnresolved: resource == nil && machine.hasUnresolvedRefresh)
      let isUsable = machine.usableToken(for: resource) != nil && !mustSettleFirst
      slot.publish(isUsable ? held : nil, isLifetimeCapped: machine.isLifetimeCapped(for: resource))
    }
    published.publish(machine.state)
    watchSession()
  }

  /// A process that refreshes nothing in the background completes an unresolved refresh before it returns a session,
  /// and refreshes a token in the second half of its lifetime that only that token can refresh.
  private var mustSettleFirst: Bool {
    policy.earlyWindow == nil && !own.hasFailed && (machine.hasUnresolvedRefresh || isInLastHalf)
  }

  private var isInLastHalf: Bool {
    guard let tokens = machine.record.session?.tokens, tokens.refreshThemselves, let remaining = own.remaining,
      let lifetime = tokens.access.lifetime
    else { return false }
    return remaining < lifetime / 2
  }
}

extension AuthenticationError {
  fileprivate static func waiting(_ wait: Duration) -> Self {
    Self(
      .rateLimited, "The provider has asked for more time before the next refresh.",
      suggestion: "Try again when it is over; the session is kept."
    ).with(\.retryAfter, wait).with(\.isHeldOff, true)
  }
}
