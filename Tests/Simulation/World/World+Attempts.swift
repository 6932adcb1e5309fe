import AuthenticationDomain

extension World {
  /// Calls of attempts are told from others by their numbers.
  static let firstCallOfAttempts = 1_000_000

  func newCall() -> Int {
    lastCall += 1
    return Self.firstCallOfAttempts + lastCall
  }

  /// The actions of a user on a screen that signs in.
  func useScreen(of client: Client, _ app: App) {
    if let current = app.current {
      goOn(with: current, of: app)
    } else if attempts.chance(25) {
      resume(on: client)
    } else {
      begin(with: app)
    }
    guard attempts.chance(75) else { return }
    timers.add(at: time + attempts.duration(upToMilliseconds: attempts.pick([2_000, 2_000, 90_000]))) { [self] in
      if intentsLeft > 0, !client.process.hasExited, let app = client.app { useScreen(of: client, app) }
    }
  }

  private func begin(with app: App) {
    note("\(app.client.name) begins an attempt")
    _ = try? app.attempts.begin(attempts.chance(80) ? .password : .browser)
    if let current = app.current, attempts.chance(90) { submit(current, of: app) }
  }

  private func goOn(with current: TrackedAttempt, of app: App) {
    switch attempts.below(100) {
    case ..<9: giveUp(current, of: app)
    case ..<17: begin(with: app)
    case ..<25: resume(on: app.client)
    case ..<30 where profile.allowsKills: app.client.process.receive(.kill)
    case ..<35: signOut(on: app.client, revoking: true)
    default:
      if let challenge = current.attempt.state.challenge {
        answer(challenge, current, of: app)
      } else {
        submit(current, of: app)
      }
    }
  }

  private func submit(_ current: TrackedAttempt, of app: App) {
    let call = newCall()
    let userID = attempts.pick(["A", "A", "B"])
    if !current.attempt.state.isWorking { current.userID = userID }
    app.act(on: current, call: call) { $0.submit(.simulated(userID, call: call)) }
  }

  private func giveUp(_ current: TrackedAttempt, of app: App) {
    note("\(app.client.name) cancels its attempt")
    app.giveUp(current)
    app.act(on: current) { $0.cancel() }
  }

  private func answer(_ challenge: Challenge, _ current: TrackedAttempt, of app: App) {
    let call = newCall()
    let code = Secret("\(call)")
    switch attempts.below(10) {
    case ..<2: app.act(on: current) { $0.resend() }
    case 2 where current.handles.count > 1:
      let old = Challenge(kind: .smsCode, handle: Secret(current.handles[0]))
      app.act(on: current) { $0.answer(ChallengeAnswer(to: old, code: code)) }
    case ..<5 where !current.attempt.state.isWorking:
      // Twice, as by a double tap.
      app.act(on: current, call: call) { $0.answer(code: code) }
      app.act(on: current) { $0.answer(code: code) }
    default: app.act(on: current, call: call) { $0.answer(code: code) }
    }
  }

  /// Continues with the pending step, as an app does after a relaunch.
  func resume(on client: Client) {
    call("resuming", on: client) { [self] _ in
      guard let app = client.app, let attempt = await app.attempts.resume() else { return "no step is pending" }
      guard !client.process.hasExited, let handle = attempt.state.challenge?.handle.reveal() else { return "busy" }
      summary.stepsResumed += 1
      let limit = Issuer.stepLifetime + .seconds(120)
      if !clockWasSetBack, let asked = askedAt[handle], time > asked + limit {
        invariants.fail("\(client.name) goes on with \(handle), which is over since \(time - asked - limit)")
      }
      return handle
    }
  }

  /// A step without an answer ends with its lifetime: a process launched after that finds none. Twice, since a
  /// clock that was set back makes it look younger than it is.
  func checkPendingSteps() {
    guard liveClients.contains(where: { $0.app != nil }) else { return }
    for _ in 1...2 {
      for client in liveClients where client.app != nil {
        resume(on: client)
        run()
      }
      time += .seconds(2_000)
    }
    if !disk.steps.isEmpty { invariants.fail("a step is pending after its lifetime") }
  }
}
