import AuthenticationData
import AuthenticationDomain

/// The lock that guards a refresh, released by the kernel when its holder dies.
struct SimulatedLock: SessionLock {
  let client: Client
  var world: World { client.world }

  func tryAcquire() throws(AuthenticationError) -> Bool {
    guard client.process.step() else { throw .simulatedStorage }
    let isRefused = world.random.chance(world.disk.faultPercent / 2)
    if isRefused || world.refreshLock != nil { world.invariants.couldNotResolve(client.id) }
    if isRefused { throw .simulatedStorage }
    // Stopped at this moment it has not taken it, and looks again when it continues.
    let isStopped = client.process.isStopped && world.profile.extras.suspensionTakesLocks
    guard world.refreshLock == nil, !isStopped else { return false }
    world.refreshLock = client
    if world.profile.extras.suspensionTakesLocks, world.extras.chance(10) { suspend() }
    return true
  }

  /// As an app is that goes to the background while it refreshes.
  private func suspend() {
    world.timers.add(at: world.time + world.extras.duration(upToMilliseconds: 500)) {
      guard world.intentsLeft > 0 else { return }
      client.process.receive(.stop(world.extras.duration(upToMilliseconds: 40_000)))
    }
  }

  var isStillHeld: Bool { client.process.hasExited || world.refreshLock === client }

  func release() {
    if world.refreshLock === client { world.refreshLock = nil }
  }
}

/// The lock of one write. No caller waits for it: its holder ends before anything else happens, but for a
/// stopped process of another user.
struct SimulatedWriteLock: BlockingLock {
  let client: Client
  var world: World { client.world }

  func tryAcquire() throws(AuthenticationError) -> Bool {
    guard client.process.step() else { return true }
    if world.disk.owner != nil { world.invariants.fail("\(client.name) waits for itself to let others write") }
    if world.disk.isHeld || world.random.chance(world.disk.faultPercent / 2) {
      world.note("\(client.name) is kept out of the store")
      world.invariants.failedToWrite(client.id)
      return false
    }
    world.disk.owner = client
    return true
  }

  func release() {
    if world.disk.owner === client { world.disk.owner = nil }
  }
}
