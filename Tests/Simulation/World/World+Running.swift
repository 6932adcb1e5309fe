extension World {
  /// More than any world needs: an endless one would otherwise hang the simulation.
  private static let mostSteps = 200_000

  /// Runs jobs in an order that the seed picks, and lets time pass where there are none, until nothing is left to
  /// happen or `isOver`.
  func run(until isOver: () -> Bool = { false }) {
    while invariants.violation == nil, !isOver() {
      if let job = takeJob() {
        steps += 1
        job.run()
        check(job.process)
      } else if let timer = timers.next() {
        time = max(time, timer.time)
        timer.fire()
      } else {
        return
      }
      if steps > Self.mostSteps { invariants.fail("the world does not come to rest") }
    }
  }

  /// The rest after a violation ends without a check.
  func drain() {
    stopTracing()
    let kills = summary.kills
    defer { summary.kills = kills }
    for process in processes { process.receive(.kill) }
    timers = Timers()
    while let job = takeJob() { job.run() }
  }

  private func takeJob() -> Job? {
    // Zombies first: they only come to their end.
    if let index = jobs.firstIndex(where: \.process.hasExited) { return jobs.remove(at: index) }
    let isAnyStopped = processes.contains(where: \.isStopped)
    if !isAnyStopped {
      guard !jobs.isEmpty else { return nil }
      return jobs.remove(at: random.below(jobs.count))
    }
    let ready = jobs.indices.filter { !jobs[$0].process.isStopped }
    guard !ready.isEmpty else { return nil }
    return jobs.remove(at: random.pick(ready))
  }

  private func check(_ process: SimulatedProcess) {
    guard !process.hasExited else { return }
    for client in process.clients { client.observe() }
  }

  func kernelReleasesLocks(of process: SimulatedProcess) {
    if refreshLock?.process === process { refreshLock = nil }
  }

  func takeBackLock(of process: SimulatedProcess) {
    guard let holder = refreshLock, holder.process === process else { return }
    refreshLock = nil
    summary.lostLocks += 1
    note("\(holder.name) loses the lock")
    invariants.lostLock(holder.id)
  }
}
