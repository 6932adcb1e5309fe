extension AuthManager {
  /// Carries out what the machine decided, in its order: what is stored is current only after it was stored.
  func perform(_ effects: [SessionMachine.Effect]) {
    for effect in effects {
      switch effect {
      case .save(let record): save(record)
      case .publish: publish()
      case .settle(let failure, let tokenIsGood): settle(failure, tokenIsGood)
      case .deliverRevocations: startDelivery()
      case .retrySave: saveLater()
      case .refresh: break  // The renewal that asked for it awaits it.
      }
    }
  }

  private func save(_ record: SessionRecord) {
    let failure = lockedOut ?? write(record)
    if failure == nil {
      failedSaves = 0
      followStore()
    } else {
      failedSaves += 1
    }
    perform(machine.handle(.saved(failure)))
  }

  private func saveLater() {
    guard !willSaveLater else { return }
    willSaveLater = true
    // About a minute at most: what is not saved is lost with the process.
    let delay = backoff.delay(attempt: min(failedSaves - 1, 6))
    Task.detached(executorPreference: taskExecutor) { [weak self, clock] in
      try? await clock.sleep(for: delay)
      await self?.saveAgain()
    }
  }

  private func saveAgain() {
    willSaveLater = false
    exclusively {
      guard machine.isUnsaved else { return }
      lockedOut = readStoreAgain() ?? lockedOut
      if machine.isUnsaved { save(machine.record) }
    }
  }

  func publish() {
    let session = machine.record.session
    timing.follow(session, generation: machine.generation, isRefused: machine.accessTokenIsRejected, by: clock) {
      renewsEarly ? backoff.random() : nil
    }
    if machine.isLeftUnsettled { timing.settle(at: clock.uptime) }
    let canRenew = session?.tokens.refresh != nil
    runtime.publish(
      machine.state, usable: machine.accessTokenIsUsable && !mustSettleFirst ? session : nil,
      times: .init(
        renewEarlyAt: timing.renewEarlyAt(canRenew: canRenew), renewAt: timing.renewAt(canRenew: canRenew),
        endsAt: timing.endsAt, refusalsCountFrom: timing.refusals.endsAt,
        wantsServerDate: timing.wantsServerDate, wishesAreCapped: machine.wishesAreCapped))
  }

  /// A process that renews nothing in the background settles what was left before it hands out anything.
  var mustSettleFirst: Bool { !renewsEarly && machine.isLeftUnsettled && timing.canSettle }

  private func settle(_ failure: AuthenticationError?, _ tokenIsGood: Bool) {
    let session = failure == nil || tokenIsGood ? machine.record.session : nil
    runtime.settle(session, failure: failure)
  }
}

extension SessionMachine.Effect {
  var isSave: Bool {
    if case .save = self { true } else { false }
  }
}
