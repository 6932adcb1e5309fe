public import Foundation

/// Signs in and out, keeps the session, and returns it.
///
/// State flows remote → store → runtime. `SessionMachine` holds the rules, and the actor `SessionKeeper` performs their
/// effects; this class is the interface to both, and has the order of a sign-in and of a sign-out. Reading a valid
/// session or the latest state (``validSession(rejecting:lasting:)``, ``state``) waits for no actor.
///
/// ```swift
/// let manager = AuthManager(provider: provider, store: store)
/// for await state in manager.states() { show(state) }
/// ```
public final class AuthManager: Sendable {
  /// Account services ask it as well.
  package let provider: any RemoteAuthProvider
  private let clock: any AuthenticationClock
  private let checkSignIn: (@Sendable (AuthSession) async throws(AuthenticationError) -> Void)?
  let keeper: SessionKeeper
  /// The session's own access token.
  private let own: TokenSlot
  private let participants = SignInParticipants()
  /// Names attempts.
  let idSource: @Sendable () -> RecordID
  /// Where tasks for this manager run.
  package let taskPreference: (any TaskExecutor)?

  /// Composes a manager; it reads the store at the first call that needs it, or at ``restore()``.
  ///
  /// - Parameters:
  ///   - provider: creates, refreshes and ends sessions.
  ///   - store: keeps the session between launches.
  ///   - lock: keeps other processes from refreshing the same stored session at the same time; nil if none uses the
  ///     store.
  ///   - clock: the time; replace it in a test.
  ///   - policy: when to refresh, how to retry, how long to wait.
  ///   - resources: the resources that have a separate access token besides the session's; at most 16 are kept. By
  ///     default none.
  ///   - checkSignIn: decides about each session that a sign-in or a sign-up brings, before it is stored; an error
  ///     that it throws refuses the session, whose tokens are revoked. By default each is accepted.
  public convenience init(
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
    self.provider = provider
    self.clock = clock
    self.checkSignIn = checkSignIn
    idSource = makeID
    taskPreference = taskExecutor
    keeper = SessionKeeper(
      provider: provider, store: store, lock: lock, clock: clock, policy: policy, resources: resources, random: random,
      makeID: makeID, executor: executor, taskExecutor: taskExecutor, observe: observe)
    own = keeper.runtime.own
  }
}

// MARK: - The state of the session

extension AuthManager: SessionControl {
  public var state: AuthenticationState { keeper.runtime.state }

  public func states() -> AsyncStream<AuthenticationState> { keeper.runtime.states() }

  /// The events of sessions from now on, failures included, for a logger or metrics. A slow listener misses events.
  public func events() -> AsyncStream<AuthenticationEvent> { keeper.monitor.values(keeping: 64) }

  /// Reads the store, and waits for no network: queued revocations are delivered in the background. If refreshes of an
  /// expired token have failed, the provider is asked again in the background, at once; with ``RefreshPolicy/onDemand``
  /// the next caller asks it at once.
  ///
  /// Call it again if the state is `unavailable`, or if a session is unsaved because the user did not unlock the
  /// store: other calls read an unreadable store again only after a while, or not at all, since it may prompt.
  ///
  /// - Returns: the state after that.
  @discardableResult
  public func restore() async -> AuthenticationState { await keeper.restore() }

  /// Whether a user is signed in with a session that is valid or can be refreshed. Waits for no network, so that an
  /// outage changes nothing.
  ///
  /// - Returns: false if no user is signed in, or if the session has expired and cannot be refreshed.
  /// - Throws: ``AuthenticationError`` while the store cannot be read.
  public func isAuthenticated() async throws(AuthenticationError) -> Bool { try await keeper.isAuthenticated() }

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
  public func isValid() async throws(AuthenticationError) -> Bool {
    guard let provider = provider as? any SessionValidatingProvider else {
      throw AuthenticationError(.unsupportedMethod, "This provider cannot validate a session.")
    }
    return try await AbandonableCall.run(on: taskPreference) { () async throws(AuthenticationError) in
      do throws(AuthenticationError) {
        let session = try await self.validSession()
        if try await provider.isValid(session) { return true }
        return try await provider.isValid(
          self.keeper.session(of: self.own, rejecting: session.accessToken))
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
  /// - Parameter request: the credentials that the user presents, and the options of the call.
  /// - Returns: the session, or the challenge that the provider asks first.
  /// - Throws: ``AuthenticationError`` if there is no new session; one that existed is kept until another replaces it.
  public func signIn(_ request: SignInRequest) async throws(AuthenticationError) -> SignInOutcome {
    if request.reauthenticatedUser == nil, SignInRequest.isReauthenticating { throw .proofLost }
    if let bare = request.credentials as? BareCredentials, bare.method == .unlock, request.reauthenticatedUser == nil {
      return try await AbandonableCall.run(on: taskPreference) { () async throws(AuthenticationError) in
        .session(try await self.unlock(request, self.keeper))
      }
    }
    let outcome = try await AbandonableCall().run(on: taskPreference) { call throws(AuthenticationError) in
      guard let user = request.reauthenticatedUser else {
        return try await self.signIn(for: call, request, self.keeper)
      }
      return try await self.reauthenticate(for: call, as: user, request, self.keeper)
    }
    guard case .session = outcome else { return outcome }
    // The user is signed in: a caller who leaves while steps are forgotten is told so all the same.
    _ = try? await AbandonableCall.run(on: taskPreference) { () async throws(AuthenticationError) in
      await self.participants.forgetPending()
    }
    return outcome
  }

  private func signIn(
    for call: AbandonableCall<SignInOutcome>, _ request: SignInRequest, _ keeper: isolated SessionKeeper
  ) async throws(AuthenticationError) -> SignInOutcome {
    if call.isAbandoned { throw .cancelled }
    let state = keeper.readNow()
    // The app or another library keeps such a session: whatever becomes of it here, its tokens are not revoked.
    let adopted = request.credentials as? ExistingSession
    if let adopted, let active = state.activeSession, adopted.yields(to: active) {
      guard call.commit() else { throw .cancelled }
      request.onSession(active.session)
      return .session(active.session)
    }
    keeper.handle(.signInStarted)
    let attempt = keeper.machine.attempt
    let startedAt = clock.uptime
    var result: Result<SignInOutcome, AuthenticationError>
    if let adopted { result = .success(.session(adopted.session)) } else { result = await ask(request) }
    var refused: AuthSession?
    if case .success(.session(let session)) = result {
      do { try await checkSignIn?(session) } catch {
        (refused, result) = (session, .failure(error.with(\.spendsStep, true)))
      }
    }
    keeper.report(AuthenticationEvent(.signIn, duration: clock.uptime - startedAt, failure: result.failure))
    if result.showsReach { noteProviderReached() }
    // A store that was unavailable is read before the response is applied.
    keeper.readNow()
    if let refused {
      if adopted == nil { keeper.discard(refused) }
      if attempt == keeper.machine.attempt, let challenge = keeper.machine.challenge {
        keeper.handle(.challengeDropped(challenge))
      }
    }
    guard call.commit() else {
      if adopted == nil, case .success(.session(let session)) = result { keeper.discard(session) }
      throw .cancelled
    }
    let isCurrent = attempt == keeper.machine.attempt
    // Before it is published: a listener of the states then knows which request made it.
    if isCurrent, case .success(.session(let session)) = result { request.onSession(session) }
    keeper.transaction { keeper.handle(.signInCompleted(attempt: attempt, result, at: clock.now)) }
    let outcome = try result.get()
    if !isCurrent { throw .superseded }
    if case .session = outcome {
      keeper.forgetLeftovers()
      keeper.delivery.beginRound()
    }
    return outcome
  }

  /// Not isolated, so that nothing comes between the attempt's start and its request: with its separate executor the
  /// keeper would give way to other calls here.
  private func ask(_ request: SignInRequest) async -> Result<SignInOutcome, AuthenticationError> {
    await Result.of { () async throws(AuthenticationError) in
      if request.createsAccount, !provider.createsAccounts { throw .signUpUnsupported }
      return try await provider.signIn(request)
    }
  }

  private func reauthenticate(
    for call: AbandonableCall<SignInOutcome>, as user: User, _ request: SignInRequest, _ keeper: isolated SessionKeeper
  ) async throws(AuthenticationError) -> SignInOutcome {
    let method = request.credentials.method
    guard method.identifiesUser, !request.createsAccount else { throw .unsupportedMethod(method) }
    if call.isAbandoned { throw .cancelled }
    try keeper.check(isCurrent: user)
    let startedAt = clock.uptime
    var result = await ask(request)
    if case .success(.session(let session)) = result {
      do throws(AuthenticationError) {
        guard session.user.isSame(as: user) else { throw .userMismatch }
        try await checkSignIn?(session)
      } catch {
        keeper.discard(session)
        result = .failure(error.with(\.spendsStep, true))
      }
    }
    keeper.report(AuthenticationEvent(.signIn, duration: clock.uptime - startedAt, failure: result.failure))
    guard call.commit() else {
      if case .success(.session(let session)) = result { keeper.discard(session) }
      throw .cancelled
    }
    guard case .session(let session) = try result.get() else { return try result.get() }
    keeper.transaction { keeper.handle(.userProved(session, at: clock.now)) }
    try keeper.check(isCurrent: user)
    if let current = keeper.machine.record.session { request.onSession(current) }
    return .session(session)
  }

  private func unlock(
    _ request: SignInRequest, _ keeper: isolated SessionKeeper
  ) throws(AuthenticationError) -> AuthSession {
    switch keeper.restore() {
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
  func add(_ attempts: SignInAttempts) { participants.add(attempts) }

  /// Forgets a challenge that will not be answered; does nothing if another one is asked by now.
  package func dropChallenge(_ challenge: Challenge) async { await keeper.handle(.challengeDropped(challenge)) }

  /// Keeps the description that the provider now gives of the user who is signed in. New tokens of a user who is no
  /// longer signed in are revoked.
  ///
  /// - Throws: ``AuthenticationError/notSignedIn`` if no user is, and ``AuthenticationError/superseded`` if
  ///   another one is.
  package func take(_ session: AuthSession, upgrading: Bool) async throws(AuthenticationError) {
    try await keeper.take(session, upgrading: upgrading)
  }

  /// Revokes the tokens of a session that no caller here asked for.
  package func discard(_ session: AuthSession) async { await keeper.discard(session) }
}

extension Result where Failure == AuthenticationError {
  /// Whether the provider has responded, also with a refusal of the user's input.
  fileprivate var showsReach: Bool { failure.map { $0.disposition == .attempt } ?? true }
}

extension AuthManager: SessionSource {
  /// A session whose access token is valid, refreshed first if necessary.
  ///
  /// Inlinable, so that a caller that finds a valid one makes no asynchronous call.
  @inlinable
  public func validSession() async throws(AuthenticationError) -> AuthSession {
    if let session = usableSession { return session }
    return try await validSession(rejecting: nil, lasting: nil)
  }

  @usableFromInline
  var usableSession: AuthSession? {
    own.usable { keeper.later { $0.refreshIfEarly(nil) } }
  }

  @inlinable
  public func validSession(rejecting rejected: AccessToken?) async throws(AuthenticationError) -> AuthSession {
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
  public func validSession(
    rejecting rejected: AccessToken? = nil, lasting wanted: Duration?
  ) async throws(AuthenticationError) -> AuthSession {
    try own.checkCooldown(of: rejected)
    return try await keeper.session(of: own, rejecting: rejected, lasting: wanted)
  }

  /// A session whose access token is valid, for a request that the user makes by hand, such as pull to refresh.
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
  public func validSession(byHand: Bool) async throws(AuthenticationError) -> AuthSession {
    if let session = usableSession { return session }
    return try await keeper.session(of: own, byHand ? .byHand : .usual)
  }

  /// Asks the provider for new tokens at once, although those in use may be valid: they stay in use if it cannot be
  /// reached. If it refuses, the session ends. A refresh in progress is joined; a time that the provider asked for
  /// (`Retry-After`) is waited for.
  ///
  /// - Returns: the session with new tokens; with those in use if the refresh failed.
  /// - Throws: as ``validSession()`` does.
  @discardableResult
  public func refreshNow() async throws(AuthenticationError) -> AuthSession {
    try await keeper.session(of: own, .inAnyCase)
  }

  /// Ends the wait after failed refreshes: the provider, or the network, works again. The next caller that needs a
  /// token asks the provider; a time that it asked for itself (`Retry-After`) is waited for.
  ///
  /// A custom composition calls it when the provider has responded; `MainRoot` does that, and follows the network on
  /// Apple platforms.
  public func noteProviderReached() { keeper.noteProviderReached() }

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
  public func drain(within limit: Duration = .seconds(10)) async {
    await keeper.inFlight.drain(within: limit, by: clock, on: taskPreference)
  }

  /// Has ``drain(within:)`` wait for work that may bring new tokens, as it waits for a refresh.
  package func whileInFlight<Value>(
    _ work: () async throws(AuthenticationError) -> Value
  ) async throws(AuthenticationError) -> Value {
    guard keeper.inFlight.begin() else { throw .processEnds }
    defer { keeper.inFlight.end() }
    return try await work()
  }

  /// Whether a refresh token may be at the provider.
  package var isRequestInFlight: Bool { keeper.inFlight.isSome }

  /// Whether failed refreshes keep callers that would wait from asking the provider.
  package var isHeldOff: Bool { own.isHeldOff }

  // MARK: - Access tokens of further resources

  /// Returns sessions for one resource: the same user, with an access token that is valid there.
  ///
  /// ```swift
  /// let session = try await root.manager.source(for: orders).validSession()
  /// ```
  ///
  /// - Parameter resource: one of those that the manager was made with.
  /// - Throws: ``AuthenticationError/invalidConfiguration`` for any other one.
  public func source(for resource: ProtectedResource) throws(AuthenticationError) -> ResourceSource {
    ResourceSource(resource, of: self, try keeper.runtime.declared(resource))
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
  public func validSession(
    for resource: ProtectedResource, lasting wanted: Duration? = nil
  ) async throws(AuthenticationError) -> AuthSession {
    try await keeper.session(of: try keeper.runtime.declared(resource), for: resource, lasting: wanted)
  }

  /// The access tokens of resources that are stored, with the resources that were declared.
  package func resourceTokens() async -> [(resource: ProtectedResource, token: AccessToken?)] {
    await keeper.resourceTokens()
  }

  // MARK: - The correction of a token's expiry by the time of a server

  public func noteServerDate(_ date: () -> Date?) {
    guard own.wantsServerDate, let date = date() else { return }
    let uptime = clock.uptime
    keeper.later { $0.correct(by: date, at: uptime) }
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
  ///   - loss: the permanent loss that the user has confirmed; nil if nothing may be lost.
  /// - Throws: ``AuthenticationError/confirmationRequired`` if something else would be lost (nothing changed),
  ///   ``AuthenticationError/unsupportedMethod`` if the provider cannot end the sessions of other devices (nothing
  ///   changed), ``AuthenticationError/otherSessionsRemain`` if the session has ended here and nothing of it was left
  ///   to end the others with, because another process ended it, for example, and
  ///   ``AuthenticationError`` if the store cannot be read (nothing changed), or could not be erased: then the user is
  ///   signed out here, and erasing is tried again, at once if this is called again.
  public func signOut(scope: SignOutScope, losing loss: SignOutLoss?) async throws(AuthenticationError) {
    if scope == .everywhere, !provider.endsOtherSessions { throw .otherSessionsUnsupported }
    let isSignedIn = state.session != nil
    let hadSession = try await end(scope, of: state.user, losing: loss, because: .requested)
    if scope == .everywhere, isSignedIn, !hadSession { throw .othersRemain(because: .notSignedIn) }
  }

  /// Erases the session here, with the queued revocations of earlier sign-outs, and sends nothing to the provider; all
  /// else is as after ``signOut(scope:losing:)``.
  ///
  /// - Parameter loss: as for ``signOut(scope:losing:)``; by default nothing may be lost for ever.
  /// - Throws: ``AuthenticationError``, as ``signOut(scope:losing:)`` does.
  public func clear(losing loss: SignOutLoss? = nil) async throws(AuthenticationError) {
    _ = try await end(of: state.user, revoking: false, losing: loss, because: .requested)
  }

  /// Signs out, as ``signOut(scope:losing:)`` does but without a confirmation, if the basis of the sign-in has ended.
  ///
  /// - Parameters:
  ///   - reason: the reason that ``AuthenticationState/signedOut(_:)`` then has.
  ///   - isOver: asks about this session; its result is ignored if a user signs in or out meanwhile.
  /// - Throws: as ``signOut(scope:losing:)`` does.
  public func endSession(
    because reason: SignOutReason, if isOver: @Sendable (AuthSession) async -> Bool
  ) async throws(AuthenticationError) {
    guard let (session, signInID) = await keeper.current(where: isOver) else { return }
    let isDue: @Sendable (isolated SessionKeeper) -> Bool = { $0.current.map { $0.signInID == signInID } ?? false }
    _ = try await end(of: session.user, losing: SignOutLoss(of: session.user), because: reason, if: isDue)
  }

  /// Erases the session of a user, unless another user has signed in meanwhile. Its tokens are not revoked: they ended
  /// with the account, or are in use elsewhere. The revocations that earlier sign-ins and sign-outs have queued
  /// are still sent.
  package func erase(_ user: User, because reason: SignOutReason) async throws(AuthenticationError) {
    let isDue: @Sendable (isolated SessionKeeper) -> Bool = { user.isSame(as: $0.readNow().user) }
    guard await isDue(keeper) else { return }
    _ = try await end(of: user, revoking: false, losing: SignOutLoss(of: user), because: reason, if: isDue)
  }

  /// Ends the attempts before the keeper is waited for, so that none sends anything more; then erases the session.
  ///
  /// - Parameter isDue: whether the session is still the one to end; by default it is.
  /// - Returns: whether there was a session.
  private func end(
    _ scope: SignOutScope = .thisDevice, of user: User?, revoking: Bool = true, losing loss: SignOutLoss?,
    because reason: SignOutReason, if isDue: @Sendable (isolated SessionKeeper) -> Bool = { _ in true }
  ) async throws(AuthenticationError) -> Bool {
    try SignOutLoss.check(user, named: loss)
    let ended = await participants.signOutBegins()
    var hadSession = false
    var failure: AuthenticationError?
    do throws(AuthenticationError) {
      hadSession = try await keeper.end(scope, revoking: revoking, losing: loss, because: reason, if: isDue)
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

  /// The user who was signed in before an ambiguous loss, until a user signs in or out: the key to the app's data, no
  /// session.
  public var formerUser: User? { get async { await keeper.machine.record.formerUser } }

  // MARK: - The delivery of revocations

  /// Whether revocations of earlier sign-outs are still queued.
  public var hasPendingRevocations: Bool { get async { await !keeper.machine.record.pendingRevocations.isEmpty } }

  /// Sends the queued revocations to the provider, and returns when each was tried once.
  ///
  /// A caller whose task is cancelled gets ``AuthenticationError/cancelled`` immediately; the delivery continues.
  ///
  /// - Returns: why revocations of the latest delivery failed: ``AuthenticationError/unsupportedMethod`` if the
  ///   provider has no way to end a session, ``AuthenticationError/timedOut`` if it did not respond in time. First
  ///   of all, ``AuthenticationError/otherSessionsRemain`` after a sign-out on all devices that left some of them,
  ///   whichever delivery found that, until the next sign-in or sign-out.
  @discardableResult
  public func deliverRevocations() async -> [AuthenticationError] {
    do throws(AuthenticationError) {
      return try await AbandonableCall.run(on: taskPreference) { await self.keeper.deliver() }
    } catch {
      return [error]
    }
  }
}
