/// Signs in and out, keeps the session, and hands it out: the one writer of the store and of the runtime.
///
/// State flows remote → store → runtime. The actor runs on an executor of its own, since a store may block; reading a
/// valid session or the latest state (``validSession(rejecting:lasting:)``, ``state``) does not wait for it.
public actor AuthManager {
  let provider: any RemoteAuthProvider
  let store: any SessionStore
  let lock: (any SessionLock)?
  let clock: any AuthenticationClock
  let backoff: Backoff
  let patience: Duration
  let renewsEarly: Bool
  let executor: any SerialExecutor
  let taskExecutor: (any TaskExecutor)?
  nonisolated let runtime = RuntimeSession()

  var machine = SessionMachine()
  var timing = RenewalTiming()
  /// What the store held when this process last read or wrote it; nil before.
  var known: SessionRecord?
  /// What was to be stored since then, where nobody could tell whether it was.
  var doubtful: SessionRecord?
  /// Why the store cannot be had for writing just now.
  var lockedOut: AuthenticationError?
  /// The provider's refusal of that generation's session, while the store cannot say whether there is a newer one: this
  /// process does not send it again.
  var pendingRejection: (generation: Int, error: AuthenticationError)?
  /// Whether a renewal has left the lock to those who store its outcome.
  var keepsLock = false
  var failedSaves = 0
  var willSaveLater = false
  var following: Task<Void, Never>?
  var isFollowing = false
  var delivery: Task<[AuthenticationError], Never>?
  /// Of the latest one that has ended.
  var deliveryFailures: [AuthenticationError] = []

  /// Composes a manager; it reads the store at the first call that needs it, or at ``restore()``.
  ///
  /// - Parameters:
  ///   - lock: keeps other processes from renewing the same stored session at once.
  ///   - patience: how long a caller waits for a renewal before it is told so; the renewal itself goes on. Also how long
  ///     a delivery waits for each revocation before it goes on to the next.
  ///   - renewsEarly: whether a token is renewed in the background before anybody must wait for it; not for a process
  ///     that may exit at any time, and would take the provider's answer with it.
  ///   - executor: where the store is called; replace it in a simulation.
  ///   - taskExecutor: where the manager's own tasks run between its calls; by default the system's pool.
  public init(
    provider: any RemoteAuthProvider, store: any SessionStore, lock: (any SessionLock)? = nil,
    clock: any AuthenticationClock = SystemClock(), backoff: Backoff = Backoff(), patience: Duration = .seconds(60),
    renewsEarly: Bool = true, executor: any SerialExecutor = BlockingExecutor(),
    taskExecutor: (any TaskExecutor)? = nil
  ) {
    self.provider = provider
    self.store = store
    self.lock = lock
    self.clock = clock
    self.backoff = backoff
    self.patience = patience
    self.renewsEarly = renewsEarly
    self.executor = executor
    self.taskExecutor = taskExecutor
  }

  deinit {
    following?.cancel()
    if keepsLock { lock?.release() }
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }
}

// MARK: - Who is signed in

extension AuthManager: SessionControl {
  public nonisolated var state: AuthenticationState { runtime.state }

  /// Who was signed in before an ambiguous loss, until somebody signs in or out: the key to the app's data, not a session.
  public var formerUser: User? { machine.record.formerUser }

  public nonisolated func states() -> AsyncStream<AuthenticationState> { runtime.states() }

  /// Reads the store, and waits for no network: what earlier sign-outs owe the provider is delivered in the background.
  /// Call it again where the answer was `unavailable`.
  @discardableResult
  public func restore() -> AuthenticationState {
    // Before the store is read: what is written in between must not be missed.
    let wasBlind = followStore()
    guard !machine.hasReadStore else {
      if machine.record.session == nil || wasBlind, !machine.isUnsaved { readStoreAgain(suspicion: wasBlind) }
      return machine.state
    }
    // Others are kept out only where there is something to write.
    if !beginWithStore(mayWrite: false) { exclusively { _ = beginWithStore(mayWrite: true) } }
    return machine.state
  }

  private func beginWithStore(mayWrite: Bool) -> Bool {
    let result: Result<SessionRecord?, AuthenticationError>
    do { result = .success(try readStore()) } catch { result = .failure(error) }
    var begun = machine
    let effects = begun.handle(.storeRead(result, at: clock.now))
    if !mayWrite, effects.contains(where: \.isSave) { return false }
    machine = begun
    perform(effects)
    return true
  }

  /// Whether a person is signed in with a session that is valid or can be renewed. Waits for no network; an outage
  /// is not "no". Throws while the store cannot be read.
  public func isAuthenticated() throws(AuthenticationError) -> Bool {
    switch restore() {
    case .unavailable(let error): throw error
    case .signedIn(let active):
      active.freshness != .expired && (active.session.tokens.refresh != nil || remaining.map { $0 > .zero } ?? true)
    default: false
    }
  }

  /// Asks the provider whether the session is still good there, where it can be asked.
  ///
  /// A first "no" is not the last word, since the access token alone may be over: the session is refreshed once, and the
  /// provider asked again. A provider that refuses the refresh ends the session, as at any other time
  /// (``SignOutReason/rejected``); a second "no" signs nobody out.
  ///
  /// - Returns: false after a second "no", after a refused refresh, where the session has expired, and where nobody is
  ///   signed in.
  /// - Throws: ``AuthenticationError`` where the provider cannot be reached (an outage is not "no"), or cannot be asked:
  ///   ``AuthenticationError/Code/unsupportedMethod``.
  public nonisolated func isValid() async throws(AuthenticationError) -> Bool {
    guard let provider = provider as? any SessionValidatingProvider else {
      throw AuthenticationError(.unsupportedMethod, "This provider cannot validate a session.")
    }
    return try await AbandonableCall.run(on: taskExecutor) { () async throws(AuthenticationError) in
      do throws(AuthenticationError) {
        let session = try await self.validSession()
        if try await provider.isValid(session) { return true }
        return try await provider.isValid(self.renewedSession(rejecting: session.accessToken))
      } catch {
        guard [.sessionRejected, .ambiguousLoss, .sessionExpired, .notSignedIn].contains(error.code) else {
          throw error
        }
        return false
      }
    }
  }
}
