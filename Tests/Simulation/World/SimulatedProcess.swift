/// A process of the simulated machine: it can be stopped and continued (SIGSTOP, SIGCONT), and it can be killed.
///
/// A process that exited is a zombie: nothing it does has an effect any more, and every wait ends at once, so that its
/// tasks come to their end and leave no memory behind.
///
/// `@unchecked Sendable`: confined to its world's thread (``World/add(_:)`` checks that).
final class SimulatedProcess: @unchecked Sendable {
  enum Signal { case stop(Duration), kill, end }

  unowned let world: World
  let name: String
  let slot: Int
  /// The monotonic clock of a process starts anywhere.
  let bootTime: Duration
  /// It may exit at any time, and refreshes nothing in the background.
  let isCommand: Bool
  private(set) var hasExited = false
  private(set) var isStopped = false
  var clients: [Client] = []
  private(set) var executor: ProcessExecutor?
  private var waiters: [(id: Int, abandon: () -> Void)] = []
  private var lastWaiter = 0
  /// Strikes at the n-th thing the process does from now on.
  var doom: (steps: Int, signal: Signal)?

  init(_ name: String, slot: Int, bootTime: Duration, isCommand: Bool, in world: World) {
    self.name = name
    self.slot = slot
    self.bootTime = bootTime
    self.isCommand = isCommand
    self.world = world
    executor = ProcessExecutor(of: self)
  }

  /// One thing that the process does to the world. False where it has exited, or dies of it.
  func step() -> Bool {
    guard !hasExited else { return false }
    guard let (steps, signal) = doom else { return true }
    doom = (steps - 1, signal)
    if steps <= 0 { receive(signal) }
    return !hasExited
  }

  func receive(_ signal: Signal) {
    guard !hasExited else { return }
    doom = nil
    switch signal {
    case .stop(let duration): stop(for: duration)
    case .kill: die()
    case .end: world.drain(self)
    }
  }

  private func stop(for duration: Duration) {
    guard !isStopped else { return }
    isStopped = true
    world.invariants.wasStopped(name)
    world.summary.stops += 1
    world.note("\(name) is stopped for \(duration)")
    if world.profile.extras.suspensionTakesLocks {
      world.timers.add(at: world.time) { [self] in if isStopped { world.takeBackLock(of: self) } }
    }
    world.timers.add(at: world.time + duration) { [self] in
      guard !hasExited else { return }
      isStopped = false
      world.note("\(name) goes on")
    }
  }

  private func die() {
    hasExited = true
    isStopped = false
    world.note("\(name) dies")
    world.invariants.died(name, isInDoubt: clients.contains { world.invariants.views[$0.id]?.isResolved != true })
    world.kernelReleasesLocks(of: self)
    let abandoned = waiters
    waiters = []
    for waiter in abandoned { waiter.abandon() }
    for client in clients { client.end() }
    world.summary.kills += 1
    world.timers.add(at: world.time + world.random.duration(upToMilliseconds: 20_000)) { [world, slot] in
      world.boot(slot)
    }
  }

  func register(_ abandon: @escaping () -> Void) -> Int {
    lastWaiter += 1
    waiters.append((lastWaiter, abandon))
    return lastWaiter
  }

  func unregister(_ id: Int) {
    waiters.removeAll { $0.id == id }
  }

  var hasWaiters: Bool { !waiters.isEmpty }

  /// Breaks the circle of a process and its executor.
  func bury() {
    clients = []
    executor = nil
  }
}
