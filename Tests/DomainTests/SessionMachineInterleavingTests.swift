import AuthenticationDomain
import AuthenticationDomainTesting
import Testing

/// Feeds every order of events to the machine and checks, after each, the invariants.
@Suite struct SessionMachineInterleavingTests {
  private static let lastStep = 7

  @Test func `in no order of events is a session revived, published before it is stored, or a token forgotten`() {
    var visited = 0
    var violations: [String] = []
    explore(World(), steps: 0, &visited, &violations)
    #expect(violations.prefix(3) == [])
    #expect(visited > 10_000)
  }

  private func explore(_ world: World, steps: Int, _ visited: inout Int, _ violations: inout [String]) {
    visited += 1
    violations += world.violations
    guard steps < Self.lastStep, violations.isEmpty else { return }
    for next in successors(of: world) { explore(next, steps: steps + 1, &visited, &violations) }
  }

  private func successors(of world: World) -> [World] {
    var all = [
      after(world, "sign in") {
        _ = $0.machine.handle(.signInStarted)
        $0.attempts.append($0.machine.attempt)
        return []
      },
      after(world, "sign out") {
        $0.wasSignedOut = true
        $0.attempts = $0.attempts.map { -$0 }
        return $0.machine.plainly(.signOutRequested(revoking: true, at: .noon))
      },
      after(world, "refresh") {
        $0.waiters += 1
        return $0.machine.requestRefresh()
      },
    ]
    for attempt in world.attempts {
      for user in [User.ada, .grace] {
        all.append(after(world, "signed in \(attempt) \(user.id)") { $0.answer(attempt, as: user) })
      }
      all.append(
        after(world, "refused \(attempt)") {
          $0.attempts.removeAll { $0 == attempt }
          return $0.machine.plainly(.signInCompleted(attempt: abs(attempt), .failure(.invalidCredentials), at: .noon))
        })
    }
    for generation in world.refreshes {
      all.append(after(world, "refreshed \(generation)") { $0.refresh(generation) })
      for error in [AuthenticationError.unreachable, .sessionRejected] {
        all.append(
          after(world, "\(error.code) \(generation)") {
            $0.refreshes.removeAll { $0 == generation }
            if error == .sessionRejected, let tokens = $0.machine.record.session?.tokens {
              $0.ended.insert(tokens)
            }
            return $0.machine.answerRefresh(.failure(error), of: generation, sent: $0.sent[generation])
          })
      }
    }
    return all
  }

  private func after(
    _ world: World, _ step: String, _ change: (inout World) -> [SessionMachine.Effect]
  ) -> World {
    var world = world
    world.path.append(step)
    let effects = change(&world)
    world.perform(effects)
    world.check()
    return world
  }
}

/// The knowledge of the world around the machine: it never looks inside.
private struct World {
  var machine = SessionMachine.restored(.sample(0, receivedAt: .noon))
  var attempts: [Int] = []
  var refreshes: [Int] = []
  var sent: [Int: SentRefresh] = [:]
  var stored = SessionRecord(session: .sample(0, receivedAt: .noon))
  var published: AuthenticationState = .using(.sample(0, receivedAt: .noon))
  /// Every token the provider has given out, and every one it was told to revoke or was replaced by a refresh.
  var issued = [SessionTokens.sample(0, receivedAt: .noon)]
  var ended: Set<SessionTokens> = []
  var wasSignedOut = false
  var waiters = 0
  var path: [String] = []
  var violations: [String] = []
}

extension World {
  /// A negative attempt was started before a sign-out, and must not become a session.
  fileprivate mutating func answer(_ attempt: Int, as user: User) -> [SessionMachine.Effect] {
    let session = AuthSession.sample(issued.count, of: user, receivedAt: .noon)
    let before = machine.record.session
    attempts.removeAll { $0 == attempt }
    issued.append(session.tokens)
    let effects = machine.plainly(.signInCompleted(attempt: abs(attempt), .success(.session(session)), at: .noon))
    if machine.record.session == session {
      must(attempt > 0, "a sign-in was overtaken by a sign-out, and became the session")
      wasSignedOut = false
      // The same user's older session is left to end by itself.
      if let before, before.user == user { ended.insert(before.tokens) }
    }
    return effects
  }

  fileprivate mutating func refresh(_ generation: Int) -> [SessionMachine.Effect] {
    let tokens = SessionTokens.sample(issued.count, receivedAt: .noon)
    refreshes.removeAll { $0 == generation }
    let before = machine.record.session
    issued.append(tokens)
    let effects = machine.answerRefresh(.success(tokens), of: generation, sent: sent[generation])
    if let before, machine.record.session?.tokens == tokens { ended.insert(before.tokens) }
    return effects
  }

  fileprivate mutating func perform(_ effects: [SessionMachine.Effect]) {
    for effect in effects {
      switch effect {
      case .save(let record): stored = record
      case .publish: published = machine.state
      case .refresh(let session, _, let generation):
        refreshes.append(generation)
        sent[generation] = SentRefresh(session: session, signInID: machine.record.signInID)
      case .resumeWaiters: waiters = 0
      case .deliverRevocations, .retrySave, .backOff, .report: break
      }
      // Nothing is current that is not stored: at no point between two effects.
      must(effect != .publish || published.session == stored.session, "what is published is stored")
    }
  }

  fileprivate mutating func check() {
    must(!wasSignedOut || (stored.session == nil && published.session == nil), "a session was revived")
    must(stored.withoutIDs == machine.record.withoutIDs, "all of it is stored")
    must(published.session == machine.record.session, "all of it is published")
    must(waiters == 0 || refreshes.contains(machine.generation), "each waiting caller has a refresh to wait for")
    let known = Set(stored.pendingRevocations.map(\.tokens)).union(ended)
    must(issued.allSatisfy { $0 == stored.session?.tokens || known.contains($0) }, "no token is forgotten")
  }

  private mutating func must(_ holds: Bool, _ rule: String) {
    if !holds { violations.append("\(rule): \(path)") }
  }
}
