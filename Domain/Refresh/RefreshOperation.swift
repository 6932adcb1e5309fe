/// One refresh of a session: wait for the lock, write the journal, send the token, merge what other processes have
/// stored, resume the waiting callers.
struct RefreshOperation: Sendable {
  let session: AuthSession
  let generation: Int

  private typealias Answer = Result<SessionTokens, AuthenticationError>

  private enum Outcome {
    case answered(Answer, RecordID?)
    /// The token was not sent, or its response did not come in time.
    case failed(AuthenticationError)
    case lockLost
    /// The session is no longer the one that was to be refreshed.
    case overtaken
  }

  func run(on manager: isolated AuthManager) async {
    let startedAt = manager.clock.uptime
    let (cause, wanted) = (manager.machine.refresh?.cause ?? .expiry, manager.machine.refresh?.wanted)
    let failure = await refresh(on: manager)
    manager.monitor.report(
      AuthenticationEvent(
        .refresh, detail: cause.rawValue, duration: manager.clock.uptime - startedAt, failure: failure))
    // Waiting callers may need the session that came instead refreshed as well.
    if manager.machine.generation != generation, manager.runtime.isAwaited {
      manager.refresh(rejecting: nil, lasting: wanted)
    }
  }

  /// Returns why there are no new tokens.
  private func refresh(on manager: isolated AuthManager) async -> AuthenticationError? {
    if let refusal = manager.timing.refusal(at: manager.clock.uptime) { return fail(refusal, on: manager) }
    var failure: AuthenticationError?
    do throws(AuthenticationError) {
      var holder: Int? = try await acquireLock(of: manager)
      defer { manager.lock.release(by: holder, isSaved: manager.machine.store.failure == nil) }
      repeat {
        switch await attempt(for: manager, holding: holder) {
        case .answered(let answer, let signInID):
          failure = answer.failure
          finish(with: answer, signInID, on: manager)
        case .failed(let error): failure = fail(error, on: manager)
        case .lockLost:
          holder = nil
          holder = try await acquireLock(of: manager)
        case .overtaken: break
        }
      } while manager.machine.isRefreshing && isCurrent(on: manager)
    } catch {
      return fail(error, on: manager)
    }
    return failure
  }

  /// Tokens of an earlier refresh may have come late: then this one's token is spent, in the same generation.
  private func isCurrent(on manager: isolated AuthManager) -> Bool {
    manager.machine.generation == generation && manager.machine.record.session == session
  }

  private func fail(_ error: AuthenticationError, on manager: isolated AuthManager) -> AuthenticationError {
    manager.handle(.refreshFailed(generation: generation, error, remaining: manager.remaining))
    return error
  }

  private func acquireLock(of manager: isolated AuthManager) async throws(AuthenticationError) -> Int {
    let deadline = manager.clock.uptime + manager.policy.callerTimeout
    var isFirst = true
    while try !manager.lock.tryAcquire() {
      if isFirst { manager.monitor.report(AuthenticationEvent(.lockWait)) }
      isFirst = false
      if manager.clock.uptime >= deadline { throw .timedOut }
      let pause = Duration.milliseconds(5) + manager.backoff.delay(attempt: 0) / 50
      do { try await manager.clock.sleep(for: pause) } catch { throw .cancelled }
    }
    return manager.lock.holder
  }

  /// Waits for the provider no longer than ``RefreshPolicy/refreshTimeout``, so that one call that hangs does not block
  /// later refreshes. Tokens that come later are taken if nothing has replaced the session.
  private func attempt(for manager: isolated AuthManager, holding holder: Int?) async -> Outcome {
    let call = AbandonableCall<Outcome>()
    do throws(AuthenticationError) {
      return try await call.run(
        within: manager.policy.refreshTimeout, by: manager.clock, on: manager.taskExecutor
      ) { [manager] call in
        let outcome = await send(for: call, on: manager, holding: holder)
        if !call.settle(), case .answered(.success(let tokens), let signInID) = outcome {
          await finish(with: .success(tokens), signInID, on: manager)
        }
        return .success(outcome)
      }
    } catch {
      // The request may still be processed: to send the token again now could end the session.
      return .failed(error)
    }
  }

  /// There is no suspension point between the checks of lock and journal and the send.
  private func send(
    for call: AbandonableCall<Outcome>, on manager: isolated AuthManager, holding holder: Int?
  ) async -> Outcome {
    if call.isAbandoned { return .overtaken }
    // A process that was suspended may have lost the lock, and another one may be refreshing.
    guard let holder, manager.lock.isHeld(by: holder) else { return .lockLost }
    if let blocked = begin(on: manager) { return .failed(blocked) }
    guard isCurrent(on: manager) else { return .overtaken }
    let signInID = manager.machine.record.signInID
    if let rejection = manager.machine.takeHeldRejection() { return .answered(.failure(rejection), signInID) }
    do throws(AuthenticationError) {
      return .answered(.success(try await manager.provider.refresh(session)), signInID)
    } catch {
      return .answered(.failure(error), signInID)
    }
  }

  /// Writes the journal. A full disk does not stop the refresh, although a crash at this moment would then make a lost
  /// response look like a plain refusal: a session that cannot be refreshed at all is worse.
  ///
  /// - Returns: why the token must not be sent, nil if it may be: a process that cannot read the store may hold a token
  ///   that was replaced.
  private func begin(on manager: isolated AuthManager) -> AuthenticationError? {
    manager.transaction {
      if manager.lock.isShared, let blocked = manager.machine.store.blocked { return blocked }
      manager.handle(.refreshBegan(generation: generation, at: manager.clock.now))
      return nil
    }
  }

  /// What another process has done meanwhile, a sign-out above all, is not overwritten.
  private func finish(with answer: Answer, _ signInID: RecordID?, on manager: isolated AuthManager) {
    let answered = SessionMachine.RefreshAnswer(
      generation: generation, session: session, signInID: signInID, result: answer)
    manager.transaction(suspicion: answer.failure?.code.disposition == .endsSession) {
      manager.handle(.refreshAnswered(answered, remaining: manager.remaining, at: manager.clock.now))
    }
  }
}

extension Result where Failure == AuthenticationError {
  /// The error of a failure.
  var failure: AuthenticationError? {
    if case .failure(let error) = self { error } else { nil }
  }
}

/// The lock that keeps other processes from refreshing the same session, as one manager holds it.
struct RefreshLock {
  private let lock: (any SessionLock)?
  /// The outcome of a refresh could not be stored: whoever came next would send the spent token again.
  private var isKept = false
  /// Counts the times it was taken: a refresh that has lost it does not release it for the next one.
  private(set) var holder = 0

  init(_ lock: (any SessionLock)?) { self.lock = lock }

  /// Whether other processes may use the store.
  var isShared: Bool { lock != nil }

  /// False if the system has taken it back, as it does from a process that is suspended.
  func isHeld(by holder: Int) -> Bool { holder == self.holder && lock?.isStillHeld ?? true }

  /// Takes it if it is free; one that an earlier refresh has kept is taken over.
  mutating func tryAcquire() throws(AuthenticationError) -> Bool {
    if let lock, !isKept, try !lock.tryAcquire() { return false }
    isKept = false
    holder += 1
    return true
  }

  /// - Parameters:
  ///   - holder: what ``holder`` was after ``tryAcquire()``.
  ///   - isSaved: false to keep it until ``releaseIfKept()``.
  mutating func release(by holder: Int?, isSaved: Bool) {
    guard holder == self.holder else { return }
    if isSaved { lock?.release() } else { isKept = true }
  }

  mutating func releaseIfKept() {
    if isKept { lock?.release() }
    isKept = false
  }
}

/// What a failed refresh says about the refresh token that was sent.
enum RefreshFailure {
  /// The provider no longer accepts it: the only response that ends a session.
  case rejected
  /// The provider has not used it.
  case unprocessed
  /// It may be spent: the provider failed after it got the token, or its response is not known.
  case ambiguous

  init(_ error: AuthenticationError) {
    self =
      switch error.code {
      case let code where code.disposition == .endsSession: .rejected
      case let code where Self.unprocessedCodes.contains(code): .unprocessed
      default: .ambiguous
      }
  }

  private static let unprocessedCodes: Set<AuthenticationError.Code> = [
    .unreachable, .insecureConnection, .invalidRequest, .rateLimited, .endpointMissing, .clientRejected,
    .unsupportedMethod, .invalidConfiguration, .storageUnavailable, .userPresenceRequired,
    .insufficientUserAuthentication,
  ]
}

extension AuthenticationError {
  /// Whether the provider calls a refresh request faulty, and not the refresh token (RFC 6749 §5.2); see
  /// ``RefusedRefresh``.
  var blamesRequest: Bool {
    code == .clientRejected && (providerCode == "invalid_request" || providerCode == "invalid_client")
  }

  /// Thrown while the provider refuses to refresh a session that it may have forgotten; the session stays stored.
  static func forgotten(providerCode: String?) -> Self {
    var error = Self(
      .sessionExpired,
      "The provider refuses to refresh the session, as it did some time ago, although it has refreshed it before.",
      suggestion: "Sign in again; what the app keeps for the user can stay.")
    error.providerCode = providerCode
    return error
  }

  /// Whether the response was lost on its way here, so that sending the token again immediately may fall within the
  /// provider's grace period for a token it has just replaced. This includes a gateway that failed in front of a
  /// provider that did not. If a server says why it failed, or when to try again, no response was lost.
  var isLostAnswer: Bool {
    let codes: [Code] = [.connectionLost, .timedOut, .unexpectedResponse, .responseTooLarge, .serverFailed]
    return codes.contains(code) && providerCode == nil && retryAfter == nil
  }
}
