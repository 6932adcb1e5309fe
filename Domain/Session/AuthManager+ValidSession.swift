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
  nonisolated var usableSession: AuthSession? { runtime.session(at: clock.uptime, renewEarly: { refreshEarly() }) }

  @inlinable
  public nonisolated func validSession(
    rejecting rejected: AccessToken?
  ) async throws(AuthenticationError) -> AuthSession {
    if rejected == nil, let session = usableSession { return session }
    return try await validSession(rejecting: rejected, lasting: nil)
  }

  /// A session whose access token is valid for longer than `wanted`; nil asks for more than ``RenewalPolicy/leeway``.
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
    if let rejected, runtime.ignoresRefusal(of: rejected, at: clock.uptime) { throw .accessTokenRefused }
    let session = try await sharedSession(rejecting: rejected, lasting: wanted)
    if isEnough(session, rejecting: rejected, lasting: wanted) { return session }
    return try await askAgain(rejecting: rejected, lasting: wanted)
  }

  /// As ``validSession(rejecting:lasting:)``, if the provider itself has refused the token.
  nonisolated func refreshedSession(
    rejecting rejected: AccessToken
  ) async throws(AuthenticationError) -> AuthSession {
    let session = try await sharedSession(rejecting: rejected, lasting: nil)
    if session.accessToken != rejected { return session }
    return try await askAgain(rejecting: rejected, lasting: nil)
  }

  /// A session whose access token is valid, for what the user asked for by hand, such as pull to refresh.
  ///
  /// After failed refreshes other callers are refused for a while (at most 10 seconds if the provider was not reached,
  /// else at most ``RenewalPolicy/backoffCap``). This one asks the provider at once, unless a request is in progress,
  /// which it joins, or the provider itself has asked for more time (`Retry-After`).
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

  /// The refresh that this caller waited for was started for another caller, and its token is not enough here.
  private nonisolated func askAgain(
    rejecting rejected: AccessToken?, lasting wanted: Duration?
  ) async throws(AuthenticationError) -> AuthSession {
    if let rejected { await refuse(rejected) }
    return try await sharedSession(rejecting: rejected, lasting: wanted)
  }

  private func refuse(_ token: AccessToken) { handle(.accessTokenRefused(token)) }

  private nonisolated func sharedSession(
    rejecting rejected: AccessToken?, lasting wanted: Duration?
  ) async throws(AuthenticationError) -> AuthSession {
    let uptime = clock.uptime
    if let session = runtime.session(at: uptime, rejecting: rejected, lasting: wanted) { return session }
    let answer = await runtime.renewed(at: uptime, rejecting: rejected, lasting: wanted) { round in
      runtime.limit(round: round, to: policy.callerTimeout, by: clock, on: taskExecutor)
      Task.detached(executorPreference: taskExecutor) { await self.refresh(rejecting: rejected, lasting: wanted) }
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
    await runtime.renewed(at: clock.uptime, rejecting: nil, lasting: nil, inAnyCase: inAnyCase) { round in
      runtime.limit(round: round, to: policy.callerTimeout, by: clock, on: taskExecutor)
      Task.detached(executorPreference: taskExecutor) { await self.refreshByHand(inAnyCase: inAnyCase) }
    }
  }

  /// Starts a refresh, whatever failed before.
  ///
  /// - Parameter inAnyCase: whether the token counts as expired, if there is one to refresh it with.
  func refreshByHand(inAnyCase: Bool) {
    readIfDue()
    timing.endHold()
    if !inAnyCase { return refresh(rejecting: nil, lasting: nil) }
    let canRefresh = machine.record.session?.tokens.refresh != nil
    handle(.refreshRequested(.check, rejected: nil, remaining: canRefresh ? .zero : remaining, wanted: nil))
  }

  /// Ends the wait after failed refreshes: the provider, or the network, works again. The next caller that needs a token
  /// asks the provider; a time that it asked for itself (`Retry-After`) is waited for.
  ///
  /// A composition of your own calls it when the provider has responded; `MainRoot` does that, and follows the network on
  /// Apple platforms.
  public nonisolated func noteProviderReached() {
    let uptime = clock.uptime
    guard runtime.isHeldOff(at: uptime) else { return }
    Task.detached(executorPreference: taskExecutor) { await self.endHold(reachedAt: uptime) }
  }

  /// Whether failed refreshes keep callers that would wait from asking the provider.
  package nonisolated var isHeldOff: Bool { runtime.isHeldOff(at: clock.uptime) }

  private func endHold(reachedAt uptime: Duration) { timing.endHold(reachedAt: uptime) }

  /// Starts a refresh if one is needed; the waiting callers are resumed in any case.
  func refresh(rejecting rejected: AccessToken?, lasting wanted: Duration?) {
    readIfDue()
    let cause: AuthenticationEvent.Cause = rejected != nil ? .refused : wanted != nil ? .lifetime : .expiry
    request(cause, rejecting: rejected, lasting: wanted, asEnding: mustSettleFirst)
  }

  private nonisolated func refreshEarly() {
    Task.detached(executorPreference: taskExecutor) { await self.refreshIfEarly() }
  }

  /// Checks again: the refresh that was due when a caller looked may have been done since.
  private func refreshIfEarly() {
    let canRefresh = machine.record.session?.tokens.refresh != nil
    guard let point = timing.renewEarlyAt(canRenew: canRefresh), clock.uptime >= point else { return }
    readIfDue()
    request(.early, rejecting: nil, lasting: nil, asEnding: true)
  }

  /// - Parameter asEnding: whether the token counts as one that is about to expire.
  func request(
    _ cause: AuthenticationEvent.Cause, rejecting rejected: AccessToken?, lasting wanted: Duration?, asEnding: Bool
  ) {
    let leeway = asEnding ? machine.record.session.map { policy.leeway(of: $0.accessToken) } : nil
    let left = leeway.map { min(remaining ?? $0, $0) } ?? remaining
    handle(.refreshRequested(cause, rejected: rejected, remaining: left, wanted: wanted))
  }

  func start(_ renewal: Renewal) {
    Task.detached(executorPreference: taskExecutor) { await renewal.run(on: self) }
  }
}
