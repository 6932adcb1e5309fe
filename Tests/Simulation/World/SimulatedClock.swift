import AuthenticationDomain
import Foundation

/// The clocks of one process: the monotonic one is the world's time, the wall clock is moved by intents.
struct SimulatedClock: AuthenticationClock {
  let process: SimulatedProcess

  var now: Date { process.world.wallClock }
  var uptime: Duration { process.world.time + process.bootTime }

  func sleep(for duration: Duration) async throws(CancellationError) {
    let world = process.world
    let slept = await process.wait(gone: false) { waiter in
      let timer = world.timers.add(at: world.time + max(.zero, duration)) { waiter.resolve(true) }
      let finish = waiter.onAnswer
      waiter.onAnswer = {
        world.timers.remove(timer)
        finish()
      }
    }
    if !slept { throw CancellationError() }
  }
}
