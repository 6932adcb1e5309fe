/// How the machine's effects are performed.
extension AuthManager {
  /// Applies an event and performs its effects: each once, in order; the effects that an effect's outcome adds come
  /// before those after it. The one place where effects are performed.
  func handle(_ event: SessionMachine.Event) {
    var effects = machine.handle(event)[...]
    while let effect = effects.popFirst() {
      if let outcome = perform(effect) { effects = machine.handle(outcome) + effects }
    }
  }

  private func perform(_ effect: SessionMachine.Effect) -> SessionMachine.Event? {
    switch effect {
    case .save(let record): return write(record)
    case .publish: publish()
    case .refresh(let session, let generation): start(Renewal(session: session, generation: generation))
    case .settle(let failure, let tokenIsGood): settle(failure, tokenIsGood)
    case .backOff(let error): backOff(after: error)
    case .deliverRevocations: startDelivery()
    case .retrySave: saveLater()
    case .report(let event): monitor.report(event)
    }
    return nil
  }

  private func publish() {
    let session = machine.record.session
    timing.follow(
      session, generation: machine.generation, isRefused: machine.accessTokenIsRejected, by: clock,
      random: backoff.random)
    if machine.isLeftUnsettled { timing.settle(at: clock.uptime) }
    let canRefresh = session?.tokens.refresh != nil
    runtime.publish(
      machine.state, usable: machine.accessTokenIsUsable && !mustSettleFirst ? session : nil,
      times: .init(
        renewEarlyAt: timing.renewEarlyAt(canRenew: canRefresh), renewAt: timing.renewAt(canRenew: canRefresh),
        endsAt: timing.endsAt, refusalsCountFrom: timing.refusals.endsAt, heldOffUntil: timing.streak?.refusedUntil,
        wantsServerDate: timing.wantsServerDate, wishesAreCapped: machine.wishesAreCapped, policy: policy))
    watchSession()
  }

  /// A process that refreshes nothing in the background completes an unsettled refresh before it returns a session, and
  /// refreshes a token in the second half of its lifetime that only that token can refresh.
  var mustSettleFirst: Bool {
    policy.earlyWindow == nil && timing.canSettle && (machine.isLeftUnsettled || isInLastHalf)
  }

  private var isInLastHalf: Bool {
    guard let tokens = machine.record.session?.tokens, tokens.refreshThemselves, let remaining,
      let lifetime = tokens.access.lifetime
    else { return false }
    return remaining < lifetime / 2
  }

  private func settle(_ failure: AuthenticationError?, _ tokenIsGood: Bool) {
    let session = failure == nil || tokenIsGood ? machine.record.session : nil
    runtime.settle(session, failure: failure)
  }

  /// A refresh that was refused without being sent does not count as another failure.
  private func backOff(after error: AuthenticationError) {
    guard let token = machine.record.session?.accessToken, !error.isHeldOff else { return }
    timing.noteFailure(error, of: token, at: clock.uptime, backoff: backoff)
  }

  var remaining: Duration? { timing.endsAt.map { $0 - clock.uptime } }
}
