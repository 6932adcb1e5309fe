import Synchronization

/// The part of one session that callers read without waiting for its keeper: the state, and each access token with its
/// callers.
///
/// The keeper of the session publishes here, one change after the other. All else may be called concurrently.
final class SessionRuntime: Sendable {
  private let latest = Mutex(AuthenticationState.unknown)
  private let listeners = Broadcast<AuthenticationState>()
  /// The session's own access token.
  let own: TokenSlot
  /// The same, and those of the further resources, in their order.
  let slots: [(resource: ProtectedResource?, slot: TokenSlot)]
  private let watch: ExpiryWatch
  private let policy: RefreshPolicy

  init(
    resources: [ProtectedResource], policy: RefreshPolicy, clock: any AuthenticationClock, backoff: Backoff,
    executor: (any TaskExecutor)?
  ) {
    let keys = [nil] + resources
    slots = keys.map { ($0, TokenSlot(policy: policy, clock: clock, backoff: backoff, executor: executor)) }
    own = slots[0].slot
    watch = ExpiryWatch(clock: clock, executor: executor)
    self.policy = policy
  }

  /// The latest published state.
  var state: AuthenticationState { latest.withLock { $0 } }

  /// The state now, then each later one.
  func states() -> AsyncStream<AuthenticationState> {
    // Under the lock: a state that is published meanwhile is sent afterwards.
    latest.withLock { listeners.values(startingWith: $0, keeping: 1) }
  }

  /// Throws ``AuthenticationError/invalidConfiguration`` for a resource that was not declared.
  func declared(_ resource: ProtectedResource) throws(AuthenticationError) -> TokenSlot {
    if let slot = slots.first(where: { $0.resource == resource })?.slot { return slot }
    throw AuthenticationError(
      .invalidConfiguration, "The resource is none of those that were declared.",
      suggestion: "Name it when the manager or the root is made.")
  }

  /// - Parameter resource: nil for the session's own access token.
  func slot(for resource: ProtectedResource?) -> TokenSlot {
    slots.first { $0.resource == resource }?.slot ?? own
  }

  /// The time left of an access token, no more than the leeway if it is to be refreshed early; nil if unknown.
  func remaining(of resource: ProtectedResource?, asEnding: Bool, in machine: SessionMachine) -> Duration? {
    let left = slot(for: resource).remaining
    guard asEnding || mustRefreshFirst(machine), let token = machine.token(for: resource) else { return left }
    let leeway = policy.leeway(of: token)
    return min(left ?? leeway, leeway)
  }

  // MARK: - Publishing

  /// Makes the state of the machine that of the runtime.
  ///
  /// - Parameter attend: called when the session needs attention, although no caller asks for it.
  func publish(_ machine: SessionMachine, attend: @escaping @Sendable () async -> Void) {
    let session = machine.record.session
    for (resource, slot) in slots {
      let token = machine.token(for: resource)
      let held = resource == nil ? session : token.flatMap { session?.authorizing(with: $0) }
      let canRefresh = resource == nil ? session?.tokens.refresh != nil : session?.tokens.outliveAccess == true
      slot.follow(
        held, generation: machine.generation, isRejected: machine.isRejected(for: resource), canRefresh: canRefresh,
        isUnresolved: resource == nil && machine.hasUnresolvedRefresh)
      let isUsable = machine.usableToken(for: resource) != nil && !mustRefreshFirst(machine)
      slot.publish(isUsable ? held : nil, isLifetimeCapped: machine.isLifetimeCapped(for: resource))
    }
    let state = machine.state
    let isNew = latest.withLock { latest in
      defer { latest = state }
      return latest != state
    }
    if isNew { listeners.send(state) }
    watch(machine, attend)
  }

  /// Watches a session that ends with its access token: it is refreshed before that where the token can refresh itself,
  /// and its end is published. Nothing is watched in a process that refreshes nothing in the background.
  func watch(_ machine: SessionMachine, _ attend: @escaping @Sendable () async -> Void) {
    var points: [Duration] = []
    if policy.earlyWindow != nil, let tokens = machine.record.session?.tokens, !tokens.outliveAccess,
      let endsAt = own.endsAt
    {
      points = [endsAt]
      if tokens.refreshThemselves, let point = own.refreshesAt, point < endsAt { points = [point, endsAt] }
    }
    if !points.isEmpty || watch.isWatching { watch.watch(points, act: attend) }
  }

  /// Resumes the callers that wait for an access token of the resource (nil: the session's own).
  ///
  /// - Returns: whether the turn of callers that wait for the token of another resource comes now.
  func resume(
    _ resource: ProtectedResource?, _ failure: AuthenticationError?, tokenIsGood: Bool, in machine: SessionMachine
  ) -> Bool {
    let session = machine.record.session
    let token = machine.usableToken(for: resource)
    let usable = resource == nil ? session : token.flatMap { session?.authorizing(with: $0) }
    slot(for: resource).resume(failure == nil || tokenIsGood ? usable : nil, failure: failure)
    let awaited = resource == nil ? slots.dropFirst().map(\.slot).filter(\.isAwaited) : []
    // Without a session no caller of a resource waits any longer.
    guard let failure, session == nil || failure == .superseded else { return !awaited.isEmpty }
    for slot in awaited { slot.resume(nil, failure: failure) }
    return false
  }

  /// Refuses callers for a while after a failure, unless it is such a refusal itself. An outage of the provider concerns
  /// every token.
  func backOff(after error: AuthenticationError, of resource: ProtectedResource?, in machine: SessionMachine) {
    if error.isHeldOff { return }
    if resource != nil { slot(for: resource).noteFailure(error, of: machine.token(for: resource)) }
    guard resource == nil || error.disposition == .transient, let token = machine.token(for: nil) else { return }
    own.noteFailure(error, of: token)
  }

  /// Whether callers wait although the token is valid: a process that refreshes nothing in the background completes an
  /// unresolved refresh before it returns a session, and refreshes a token in the second half of its lifetime that only
  /// that token can refresh.
  private func mustRefreshFirst(_ machine: SessionMachine) -> Bool {
    guard policy.earlyWindow == nil, !own.hasFailed else { return false }
    if machine.hasUnresolvedRefresh { return true }
    guard let tokens = machine.record.session?.tokens, tokens.refreshThemselves, let remaining = own.remaining,
      let lifetime = tokens.access.lifetime
    else { return false }
    return remaining < lifetime / 2
  }
}
