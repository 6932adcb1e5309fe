import AuthenticationDomain

extension World {
  /// From the first process to the last one; ``Invariants/violation`` says whether all went well.
  func live() {
    if random.chance(60) { storeFirstSession() }
    for slot in 0..<profile.processes { boot(slot) }
    scheduleIntents(profile.intents)
    run { intentsLeft == 0 }
    if invariants.violation == nil { comeToRest() }
    drain()
    for process in processes { process.bury() }
  }

  private func comeToRest() {
    calmDown()
    run()
    checkRest()
    time += .seconds(2_000)
    // Twice: a manager that learns only now of another signed-in user gets an error, and refreshes at the next request.
    for _ in 1...2 { for client in liveClients { use(client) } }
    checkAgreement()
    checkRevocations()
    checkPendingSteps()
    for process in processes where !process.hasExited { for client in process.clients { client.end() } }
    run()
    checkNothingIsLeft()
  }

  var liveClients: [Client] { processes.filter { !$0.hasExited }.flatMap(\.clients) }

  private func storeFirstSession() {
    let set = issuer.signIn("A")
    invariants.issued(set.family, to: "A", for: nil)
    guard let access = try? accessToken(named: set.description) else { return }
    // One that refreshes itself gets no token for a resource.
    let refresh = profile.extras.resources.isEmpty ? set.description : "\(set).refresh"
    let tokens = SessionTokens(access: access, refresh: Secret(refresh))
    var record = SessionRecord(session: AuthSession(user: User(id: "A"), tokens: tokens))
    record.signInID = RecordID(0, 0)
    disk.record = record
    invariants.keeps(record)
    invariants.stored = Stored(record)
    note("the store holds \(invariants.stored)")
  }

  /// Starts the process of a slot, and again some time after each death.
  func boot(_ slot: Int) {
    let incarnation = processes.count { $0.slot == slot }
    let process = SimulatedProcess(
      "p\(slot).\(incarnation)", slot: slot, bootTime: .seconds(random.below(100_000)),
      isCommand: extras.chance(profile.extras.commandPercent), in: self)
    processes.append(process)
    process.clients = (0..<profile.managersPerProcess).map { Client("\(process.name)/m\($0)", in: process) }
    for client in process.clients { client.begin() }
    note("\(process.name) begins" + (process.isCommand ? ", a command" : ""))
    guard incarnation > 0 else { return }
    for client in process.clients where client.app != nil && attempts.chance(60) { resume(on: client) }
  }

  private func calmDown() {
    network.isDown = false
    network.faultPercent = 0
    disk.calmDown()
    for process in processes { process.doom = nil }
    note("from here on nothing fails")
  }

  private func checkRest() {
    if let call = calls.first(where: { !$0.isAnswered && !$0.process.hasExited }) {
      invariants.fail("\(call.name) was never answered")
    }
    for process in processes where process.hasWaiters { invariants.fail("\(process.name) waits for ever") }
    for client in liveClients { client.app?.checkRest() }
    if let holder = refreshLock { invariants.fail("\(holder.name) keeps the lock") }
    for client in liveClients where !client.hasHeardEverything {
      invariants.fail("the states of \(client.name) have not told the latest")
    }
  }

  /// Once all is well a session works, unless the provider has ended it, or the device's clock the token of one that only
  /// that token refreshes.
  private func use(_ client: Client) {
    guard invariants.violation == nil else { return }
    let family = disk.family
    let token = disk.record?.session?.tokens.refresh.map { TokenSet($0) }
    let isGood = token.map { issuer.accepts($0, at: time) } ?? false
    call("last request", on: client) { [self] manager in
      client.waitingRequests += 1
      defer { client.waitingRequests -= 1 }
      do throws(AuthenticationError) {
        let session = try await manager.validSession(rejecting: nil, lasting: nil)
        if session.accessToken != disk.record?.session?.accessToken, seesChanges {
          invariants.fail("\(client.name) gives \(session.set), but \(Stored(disk.record ?? .init())) is stored")
        }
        return "\(session.set)"
      } catch {
        client.hasLeftRequests = true
        let endsWithToken = disk.record?.session?.tokens.refreshThemselves ?? false
        if isGood, error != .superseded, !(endsWithToken && error == .sessionExpired) {
          invariants.fail("\(client.name) cannot use session \(family ?? 0): \(error.code)")
        }
        return error.code
      }
    }
    run()
    checkRest()
    for resource in profile.extras.resources { use(resource, on: client) }
  }

  /// Nothing but a refusal of the provider keeps a session from the token of a resource.
  private func use(_ resource: ProtectedResource, on client: Client) {
    guard invariants.violation == nil else { return }
    let token = disk.record?.session?.tokens.refresh.map { TokenSet($0) }
    let isGood = token.map { issuer.accepts($0, at: time) } ?? false
    call("last request to \(resource.key)", on: client) { [self] manager in
      client.waitingRequests += 1
      defer { client.waitingRequests -= 1 }
      do throws(AuthenticationError) {
        let session = try await manager.validSession(for: resource)
        check(session, for: resource, client)
        return session.accessToken.value.reveal()
      } catch {
        client.hasLeftRequests = true
        if isGood, ![.superseded, .resourceRefused, .unreachable].contains(error) {
          invariants.fail("\(client.name) gets no token for \(resource.key): \(error.code)")
        }
        return error.code
      }
    }
    run()
    checkRest()
  }

  /// Whether every manager has learned by now of another one's record: its token has expired since, unless the wall
  /// clock was set back, and a process that read the token afterwards takes it for younger than it is.
  private var seesChanges: Bool {
    profile.lifetime != nil && !clockWasSetBack || liveClients.count == 1 || profile.tellsChanges && !profile.storeFails
  }

  private func checkAgreement() {
    guard seesChanges else { return }
    let stored = disk.record?.session?.set
    for client in liveClients {
      switch client.manager.map({ Shown($0.state) }) ?? .unknown {
      case .signedIn(let set, _, let isUnsaved) where !agrees(set, with: stored) || isUnsaved:
        invariants.fail("in the end \(client.name) shows \(set), and \(stored?.description ?? "nothing") is stored")
      case .signedOut where stored != nil, .challenged where stored != nil:
        invariants.fail("in the end \(client.name) shows no user, and \(stored?.description ?? "nothing") is stored")
      case .unknown, .unavailable: invariants.fail("in the end \(client.name) knows nothing")
      default: break
      }
    }
  }

  /// A refresh for a resource leaves the session's own access token as it is: another manager may not have learned of
  /// it.
  private func agrees(_ set: TokenSet, with stored: TokenSet?) -> Bool {
    if profile.extras.resources.isEmpty || profile.tellsChanges { return set == stored }
    return set.family == stored?.family
  }

  /// The provider was told of each session that no process can use any more.
  private func checkRevocations() {
    guard !hasForgotten else { return }
    for client in liveClients {
      call("last delivery", on: client) { "\(await $0.deliverRevocations().count) failures" }
      run()
    }
    for family in invariants.abandonedFamilies where issuer.refusal(of: family) == nil {
      invariants.fail("session \(family) is left unrevoked")
    }
  }

  private func checkNothingIsLeft() {
    if !jobs.isEmpty || !timers.isEmpty { invariants.fail("something is left to happen") }
    if let call = calls.first(where: { !$0.isAnswered }) { invariants.fail("the task of \(call.name) never ends") }
    for process in processes {
      if process.hasWaiters { invariants.fail("\(process.name) waits after its death") }
      for client in process.clients where !client.isGone { invariants.fail("\(client.name) leaks") }
    }
  }
}
