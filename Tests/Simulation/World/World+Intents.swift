import AuthenticationDomain

extension World {
  /// The actions of users, administrators and operating systems, until the world has had its share of them.
  func scheduleIntents(_ count: Int) {
    intentsLeft = count
    guard count > 0 else { return }
    let gap: Duration
    switch random.below(4) {
    case 0: gap = .zero
    case 1: gap = random.duration(upToMilliseconds: 700)
    case 2: gap = random.duration(upToMilliseconds: 30_000)
    default: gap = random.duration(upToMilliseconds: 200_000)
    }
    timers.add(at: time + gap) { [self] in
      summary.intents += 1
      act()
      scheduleIntents(count - 1)
    }
  }

  private func act() {
    let clients = liveClients
    guard !clients.isEmpty else { return }
    let client = random.pick(clients)
    let process = client.process
    if case .challenged(let challenge) = client.manager?.state, extras.chance(40) {
      return answer(challenge, on: client)
    }
    if attempts.chance(profile.extras.attemptPercent), let app = client.app { return useScreen(of: client, app) }
    if extras.chance(profile.extras.intentPercent) {
      return signIn(extras.pick(["A", "B"]), on: client, isNew: true)
    }
    if resources.chance(profile.extras.userChangePercent) { return learnOfUser(on: client) }
    if resources.chance(profile.extras.resourcePercent) {
      let resource = resources.pick(profile.extras.resources)
      for _ in 0...resources.below(3) { request(resource, on: client, isRefused: resources.chance(25)) }
      return
    }
    switch random.below(100) {
    case ..<14: signIn(random.pick(["A", "A", "B"]), on: client)
    case ..<24: signOut(on: client, revoking: random.chance(80))
    case ..<58:
      for _ in 0...random.below(4) {
        request(on: client, isRefused: random.chance(25), lasting: random.chance(10) ? .seconds(80) : nil)
      }
    case ..<66: cancelCalls()
    case ..<72: moveWallClock()
    case ..<80 where profile.allowsKills: strike(process)
    case ..<84 where profile.allowsOutages: breakStore()
    case ..<88 where profile.allowsOutages: breakNetwork()
    case ..<90: revokeByAdministrator()
    case ..<93: call("delivery", on: client) { "\(await $0.deliverRevocations().count) failures" }
    case ..<96: call("restoring", on: client) { "\(Shown(await $0.restore()))" }
    default: request(on: client, isRefused: false)
    }
  }

  private func moveWallClock() {
    let jump = random.pick([.seconds(3_600), .seconds(-3_600), Self.decade, .zero - Self.decade])
    wallOffset += jump
    if jump > .seconds(3_600) { hasForgotten = true }
    if jump < .zero { clockWasSetBack = true }
    note("the wall clock jumps by \(jump)")
  }

  private static let decade: Duration = .seconds(3_652 * 86_400)

  private func cancelCalls() {
    for call in calls where !call.isAnswered && random.chance(50) {
      note("\(call.name) is cancelled")
      call.task?.cancel()
    }
  }

  /// A signal that arrives now, or at one of the next things the process does.
  private func strike(_ process: SimulatedProcess) {
    let signal: SimulatedProcess.Signal =
      exits.chance(profile.extras.drainPercent)
      ? .end
      : random.chance(70) ? .kill : .stop(random.duration(upToMilliseconds: random.pick([500, 5_000, 60_000])))
    if random.chance(30) { return process.receive(signal) }
    process.doom = (random.below(12), signal)
  }

  private func breakStore() {
    switch random.below(4) {
    case 0: disk.refusesReads = true
    case 1: disk.refusesWrites = true
    case 2: disk.isHeld = true
    default: (disk.refusesReads, disk.refusesWrites) = (true, true)
    }
    note("the store fails: reads \(disk.refusesReads), writes \(disk.refusesWrites), held \(disk.isHeld)")
    timers.add(at: time + random.duration(upToMilliseconds: 90_000)) { [self] in
      (disk.refusesReads, disk.refusesWrites, disk.isHeld) = (false, false, false)
      note("the store works again")
    }
  }

  private func breakNetwork() {
    network.isDown = true
    note("the network fails")
    timers.add(at: time + random.duration(upToMilliseconds: 120_000)) { [self] in
      network.isDown = false
      note("the network works again")
    }
  }

  private func revokeByAdministrator() {
    guard let family = disk.family else { return }
    note("the administrator ends session \(family)")
    issuer.revoke(family, because: .revokedByAdministrator)
  }
}
