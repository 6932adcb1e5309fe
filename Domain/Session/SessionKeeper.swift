import Foundation

/// Keeps one session in memory and in the store: performs the effects of ``SessionMachine``, refreshes the session, and
/// delivers revocations.
///
/// State flows remote → store → runtime. The keeper runs on a separate executor, since a store may block. Its
/// nonisolated parts are read without waiting for that.
actor SessionKeeper {
  private let provider: any RemoteAuthProvider
  private let clock: any AuthenticationClock
  private let policy: RefreshPolicy
  private let backoff: Backoff
  private let executor: any SerialExecutor
  private let taskExecutor: (any TaskExecutor)?
  private let observe: (@Sendable (SessionChange) -> Void)?
  nonisolated let runtime: SessionRuntime
  nonisolated let monitor = Broadcast<AuthenticationEvent>()
  nonisolated let inFlight = RefreshesInFlight()
  nonisolated let delivery: RevocationDelivery
  private let storage: StoreCoordinator

  private(set) var machine: SessionMachine
  /// A caller waits for new tokens although those in use may be valid.
  private var mustRefresh = false

  /// - Parameters:
  ///   - random: a number in 0..<1, for jitter.
  ///   - executor: where the store is called.
  ///   - taskExecutor: where the keeper's tasks run between its calls; by default the system's pool.
  ///   - observe: gets each event of the state machine, before it is performed; it must not block.
  init(
    provider: any RemoteAuthProvider, store: any SessionStore, lock: (any SessionLock)?,
    clock: any AuthenticationClock, policy: RefreshPolicy, resources: [ProtectedResource],
    random: @escaping @Sendable () -> Double, makeID: @escaping @Sendable () -> RecordID,
    executor: any SerialExecutor, taskExecutor: (any TaskExecutor)?, observe: (@Sendable (SessionChange) -> Void)?
  ) {
    let backoff = Backoff(base: policy.backoffBase, cap: policy.backoffCap, random: random)
    (self.provider, self.clock, self.policy, self.backoff) = (provider, clock, policy, backoff)
    (self.executor, self.taskExecutor, self.observe) = (executor, taskExecutor, observe)
    runtime = SessionRuntime(
      resources: resources, policy: policy, clock: clock, backoff: backoff, executor: taskExecutor)
    delivery = RevocationDelivery(
      provider: provider, limit: policy.callerTimeout, clock: clock, executor: taskExecutor)
    storage = StoreCoordinator(store, lock: lock, clock: clock, backoff: backoff, executor: taskExecutor)
    machine = SessionMachine(policy: policy, makeID: makeID)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// The session's own access token.
  private nonisolated var own: TokenSlot { runtime.own }

  /// Sends an event to the listeners of ``AuthManager/events()``.
  nonisolated func report(_ event: AuthenticationEvent) { monitor.send(event) }

  /// For callers that do not wait for this actor.
  nonisolated func later(_ body: @escaping @Sendable (isolated SessionKeeper) -> Void) {
    Task.detached(executorPreference: taskExecutor) { await body(self) }
  }

  /// As ``AuthManager/noteProviderReached()``.
  nonisolated func noteProviderReached() {
    if own.isHeldOff { own.endHoldOff(reachedAt: clock.uptime) }
  }

  // MARK: - The session here

  /// As ``AuthManager/restore()``.
  func restore() -> AuthenticationState {
    readNow()
    if machine.store.isRead, machine.store.failure != nil { transaction { handle(.saveRetried) } }
    if own.hasFailed {
      own.endHoldOff()
      // A process that may exit at any time refreshes only while a caller waits: the next one asks at once.
      if policy.earlyWindow != nil { request(nil, .expiry) }
    }
    return machine.state
  }

  /// As ``AuthManager/isAuthenticated()``.
  func isAuthenticated() throws(AuthenticationError) -> Bool {
    switch readIfDue() {
    case .unavailable(let error): throw error
    case .signedIn(let active):
      active.freshness != .expired && (active.session.tokens.outliveAccess || own.remaining.map { $0 > .zero } ?? true)
    default: false
    }
  }

  /// The session, and the name of its sign-in; nil if there is none.
  var current: (session: AuthSession, signInID: RecordID?)? {
    readNow().session.map { ($0, machine.record.signInID) }
  }

  /// As ``current``, if it meets the condition and is still current then.
  func current(
    where condition: @Sendable (AuthSession) async -> Bool
  ) async -> (session: AuthSession, signInID: RecordID?)? {
    guard let asked = current, await condition(asked.session), let current, current.signInID == asked.signInID else {
      return nil
    }
    return current
  }

  /// The access tokens of resources that are stored, with the resources that were declared.
  func resourceTokens() -> [(resource: ProtectedResource, token: AccessToken?)] {
    readIfDue()
    return runtime.slots.compactMap(\.resource).map { ($0, machine.token(for: $0)) }
  }

  /// Throws unless this user is signed in.
  func check(isCurrent user: User) throws(AuthenticationError) {
    let state = readNow()
    if case .unavailable(let error) = state { throw error }
    guard let current = state.user else { throw .notSignedIn }
    if !current.isSame(as: user) { throw .superseded }
  }

  /// As ``AuthManager/take(_:upgrading:)``.
  func take(_ session: AuthSession, upgrading: Bool) throws(AuthenticationError) {
    let tokens = upgrading ? session.tokens : nil
    transaction { handle(.userChanged(session.user, tokens: tokens, at: clock.now)) }
    guard let current = machine.record.session else { throw .notSignedIn }
    if !current.user.isSame(as: session.user) { throw .superseded }
  }

  /// Revokes the tokens of a session that no caller here asked for.
  func discard(_ session: AuthSession) {
    transaction { handle(.tokensOrphaned(session.tokens, userID: session.user.id, at: clock.now)) }
  }

  /// Ends the session here.
  ///
  /// - Parameter isDue: whether it is still the one to end.
  /// - Returns: whether there was a session.
  func end(
    _ scope: SignOutScope, revoking: Bool, losing loss: SignOutLoss?, because reason: SignOutReason,
    if isDue: (isolated SessionKeeper) -> Bool
  ) throws(AuthenticationError) -> Bool {
    guard isDue(self) else { return false }
    let state = readNow()
    if case .unavailable(let error) = state { throw error }
    try SignOutLoss.check(state.user, named: loss)
    if state.session != nil || !revoking { delivery.beginRound() }
    // Another process may have stored newer tokens of the same session, no session, or that of another user meanwhile.
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

  /// Removes the other secrets than the session: those of begun sign-ins, and unreadable copies. One that cannot be
  /// removed now is removed at the next sign-in or sign-out.
  func forgetLeftovers() {
    // A store that the user has just declined to unlock would prompt for each of them.
    if machine.store.failure == .userPresenceRequired { return }
    (provider as? any ResumingAuthProvider)?.forgetBegunSignIns()
    storage.removeQuarantinedCopies()
  }
}

// MARK: - Callers that need an access token

extension SessionKeeper {
  /// A session whose access token is enough for a caller: the session's own, or that of a resource.
  ///
  /// Inlined: each of thousands of waiting callers would hold a frame of it.
  @inline(__always)
  nonisolated func session(
    of slot: TokenSlot, for resource: ProtectedResource? = nil, rejecting rejected: AccessToken? = nil,
    lasting wanted: Duration? = nil, _ urgency: TokenSlot.Urgency = .usual
  ) async throws(AuthenticationError) -> AuthSession {
    try await slot.session(rejecting: rejected, lasting: wanted, urgency) {
      await handle(.accessTokenRefused($0, resource: resource))
    } start: {
      later { keeper in
        // Its callers may have been resumed since, as by a sign-out.
        guard slot.isAwaited else { return }
        if urgency != .usual { for each in [keeper.own, slot] { each.endHoldOff() } }
        if urgency == .inAnyCase { return keeper.requestInAnyCase() }
        let cause: AuthenticationEvent.Cause = rejected != nil ? .refused : wanted != nil ? .lifetime : .expiry
        keeper.request(resource, cause, rejecting: rejected, lasting: wanted)
      }
    }
  }

  /// Checks again: the refresh that was due when a caller looked may have been done since.
  func refreshIfEarly(_ resource: ProtectedResource?) {
    if runtime.slot(for: resource).isEarlyRefreshDue { request(resource, .early, asEnding: true) }
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
    let remaining = runtime.remaining(of: resource, asEnding: asEnding, in: machine)
    handle(
      .refreshRequested(resource: resource, cause: cause, rejected: rejected, remaining: remaining, wanted: wanted))
  }

  /// Callers that waited while the refresh token was used for another access token come next.
  private func requestAwaited() {
    for (resource, slot) in runtime.slots.dropFirst() where slot.isAwaited { request(resource, .expiry) }
  }

  /// Corrects the expiry of the session's own access token by a server's clock, which showed `date` (UTC) at `uptime`.
  func correct(by date: Date, at uptime: Duration) {
    own.correct(by: date, at: uptime)
    handle(.lifetimeCorrected(remaining: own.remaining))
  }
}

/// One refresh of a session: wait for the lock, write the journal, send the token, merge the records of other processes,
/// resume the waiting callers.
extension SessionKeeper {
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
    if let refusal = own.heldOffError ?? runtime.slot(for: operation.resource).heldOffError {
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
        case .responded(let response, let signInID):
          failure = response.failure ?? (try? response.get().refusal)
          finish(operation, with: response, signInID)
        case .failed(let error): failure = fail(operation, error)
        case .lockLost:
          inFlight.end()
          holder = nil
          holder = try await acquireLock()
          continue
        case .overtaken: handle(.refreshOvertaken(generation: operation.generation))
        }
        inFlight.end()
      } while machine.isRefreshing && machine.isCurrent(operation)
    } catch {
      return fail(operation, error)
    }
    return failure
  }

  private func fail(_ operation: RefreshOperation, _ error: AuthenticationError) -> AuthenticationError {
    let left = runtime.slot(for: operation.resource).remaining
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
        if call.commit() { return outcome }
        if case .responded(.success(let tokens), let signInID) = outcome {
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
    guard machine.isCurrent(operation) else { return .overtaken }
    let signInID = machine.record.signInID
    if let rejection = machine.currentHeldRejection {
      handle(.heldRejectionTaken)
      return .responded(.failure(rejection), signInID)
    }
    do throws(AuthenticationError) {
      return .responded(.success(try await tokens(of: operation)), signInID)
    } catch {
      return .responded(.failure(error), signInID)
    }
  }

  private nonisolated func tokens(of operation: RefreshOperation) async throws(AuthenticationError) -> ResourceTokens {
    if let resource = operation.resource { return try await provider.tokens(of: operation.session, for: resource) }
    return ResourceTokens(try await provider.refresh(operation.session))
  }

  /// Writes the journal. A full disk does not stop the refresh, although a crash at this moment would then make a lost
  /// response look like a plain refusal: a session that cannot be refreshed at all is worse.
  ///
  /// - Returns: why the token must not be sent, nil if it may be: a process that cannot read the store may hold a token
  ///   that was replaced.
  private func begin(_ operation: RefreshOperation) -> AuthenticationError? {
    transaction {
      if storage.lock.isShared, let blocked = machine.store.blocked { return blocked }
      guard machine.isCurrent(operation) else { return nil }
      if let obstacle = machine.obstacle(to: operation, remaining: own.remaining, at: clock.now) { return obstacle }
      handle(.refreshBegan(generation: operation.generation, at: clock.now))
      return nil
    }
  }

  /// A change by another process meanwhile, a sign-out above all, is not overwritten.
  private func finish(_ operation: RefreshOperation, with answer: RefreshOperation.Response, _ signInID: RecordID?) {
    if operation.resource != nil, answer.failure == nil { own.noteSuccess() }
    transaction(readsAnyway: answer.failure?.disposition == .endsSession) {
      handle(
        .refreshCompleted(
          generation: operation.generation, operation.response(answer, signInID: signInID),
          remaining: runtime.slot(for: operation.resource).remaining, at: clock.now))
    }
  }
}

extension SessionKeeper {
  /// Refreshes a session that ends with its access token, or publishes its end.
  private func attend() {
    readIfDue()
    guard let remaining = own.remaining, machine.record.session?.tokens.outliveAccess == false else { return }
    if remaining > .zero {
      request(nil, .early, asEnding: true)
    } else {
      handle(.refreshRequested(rejected: nil, remaining: remaining))
    }
    runtime.watch(machine) { [weak self] in await self?.attend() }
  }

  // MARK: - The delivery of revocations

  func deliver() async -> [AuthenticationError] {
    readIfDue()
    startDelivery()
    return await delivery.result()
  }

  private func startDelivery() {
    guard !machine.record.pendingRevocations.isEmpty else { return }
    delivery.start { [weak self] in
      self.map { keeper in
        RevocationDelivery.Queue {
          await keeper.nextRevocation(after: $0, failures: $1)
        } send: { revocation throws(AuthenticationError) in
          try await keeper.send(revocation)
        } orphaned: {
          await keeper.discard($0)
        }
      }
    }
  }

  private func nextRevocation(
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

  private func send(_ revocation: PendingRevocation) async throws(AuthenticationError) {
    var failure: AuthenticationError?
    do throws(AuthenticationError) {
      // In one turn with the request, so that no sign-in comes in between.
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
extension SessionKeeper {
  /// Reads the store if that has not been done. A store that could not be read may prompt the user: it is read again
  /// only after a while.
  @discardableResult
  func readIfDue() -> AuthenticationState {
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
  func readNow() -> AuthenticationState {
    storage.readAgainAtOnce()
    return readIfDue()
  }

  /// Reads the record of other processes, then runs `body`, with none of their writes in between. Nothing is written
  /// if the store cannot be read, so that nothing unread is overwritten, nor while another process does not release the
  /// store: the record is kept here, unsaved, and its save is tried again.
  ///
  /// - Parameters:
  ///   - readsAnyway: read the store even if no other process is expected to share it.
  ///   - reading: false if `body` itself reads the store.
  ///   - body: handles the events that lead to a write.
  func transaction<Value: Sendable>(
    readsAnyway: Bool = false, reading: Bool = true, _ body: () -> Value
  ) -> Value {
    var value: Value?
    exclusively(readsAnyway: readsAnyway, reading: reading) { value = body() }
    let result = value ?? body()
    handle(.storeBlocked(nil))
    if machine.store.failure == nil { storage.lock.releaseIfKept() }
    return result
  }

  /// Reads the store, then runs `body`, unless another process does not release the store. A separate function: Swift
  /// 6.2 reports a data race where one function passes `body` on and calls it afterwards.
  private func exclusively(readsAnyway: Bool, reading: Bool, _ body: () -> Void) {
    let blocked = storage.exclusively {
      if reading, let failure = readChanges(anyway: readsAnyway) { handle(.storeBlocked(failure)) }
      body()
    }
    if let blocked { handle(.storeBlocked(blocked)) }
  }

  /// Takes over the record of another process. Without a lock no other process is expected to share the store, which is
  /// read again after a read and a save only with `anyway`.
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

  /// Follows the writes of other processes.
  ///
  /// - Returns: true if that begins now: there was no notification of earlier writes.
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
  func handle(_ event: SessionMachine.Event) {
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
    case .publish: runtime.publish(machine) { [weak self] in await self?.attend() }
    case .refresh(let session, let resource, let generation):
      let token = resource.flatMap { machine.token(for: $0) }
      let operation = RefreshOperation(session: session, generation: generation, resource: resource, token: token)
      Task.detached(executorPreference: taskExecutor) { await self.run(operation) }
    case .resumeWaiters(let failure, let resource, let tokenIsGood):
      if runtime.resume(resource, failure, tokenIsGood: tokenIsGood, in: machine) { later { $0.requestAwaited() } }
    case .backOff(let error, let resource): runtime.backOff(after: error, of: resource, in: machine)
    case .deliverRevocations: startDelivery()
    case .retrySave: saveLater()
    case .report(let event): report(event)
    }
  }
}
