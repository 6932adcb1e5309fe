import ArgumentParser
import AuthenticationTesting
import Foundation
import ReliabilityWorld
import Synchronization

/// Several processes on one store, against a server that ends the session where a refresh token is used twice.
///
/// An expiry is counted where a process is the first to say that the current access token is over: from then on the
/// server refuses that token, and each process that has it asks for another one.
struct SharedStore: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "processes", abstract: "Lets processes renew one stored session at once.")

  @Option(help: "How many processes share the store.") var processes = 8
  @Option(help: "How many expiries each of them sees to.") var rotations = 1_000

  func run() async throws {
    let world = try await World(grace: .zero)
    try world.signIn("ada")
    let expiries = Expiries(world.server)
    let start = ContinuousClock.now
    let workers = (0..<processes).map { _ in RotatingProcess(world, rotations, expiries) }
    let outcomes = workers.map { $0.outcome() }
    let time = start.duration(to: .now) / .seconds(1)
    let counters = world.server.counters
    let after = try world.client().ask("refresh")
    await world.end()

    let waits = outcomes.flatMap(\.waits).sorted()
    // Less than a millisecond is the time to take a lock that nobody has.
    let contended = waits.filter { $0 >= 1_000 }
    print(
      """
      processes                  \(processes)
      expiries                   \(expiries.count)
      refreshes                  \(counters.refreshesGranted)
      families revoked           \(counters.familiesRevoked)
      sessions ended             \(outcomes.count { !$0.isSignedIn })
      calls that got an error    \(outcomes.map(\.errors).reduce(0, +))
      times the lock was taken   \(waits.count)
      wait for the lock, p50     \(waits.percentile(50)) ms
      wait for the lock, p99     \(waits.percentile(99)) ms
      wait for the lock, longest \(waits.percentile(100)) ms
      where another one had it   \(contended.count), p50 \(contended.percentile(50)) ms, \
      p99 \(contended.percentile(99)) ms
      refreshes a second         \(Int(Double(counters.refreshesGranted) / time))
      """)
    var facts = Facts()
    facts.expect(expiries.count == processes * rotations, "every process saw to its share of expiries")
    facts.expect(counters.refreshesGranted == expiries.count, "there is one refresh for each expiry")
    facts.expect(counters.refreshesRefused == 0, "no refresh is refused")
    facts.expect(counters.familiesRevoked == 0, "no family is revoked")
    facts.expect(outcomes.allSatisfy(\.isSignedIn), "nobody is signed out")
    facts.expect(outcomes.allSatisfy { $0.errors == 0 }, "nobody gets an error")
    facts.expect(after == "ok", "the session is good afterwards")
    try facts.end()
  }
}

extension [Int] {
  /// Of sorted microseconds, in milliseconds.
  fileprivate func percentile(_ percent: Int) -> Double {
    guard !isEmpty else { return 0 }
    return Double(self[Swift.min(count - 1, count * percent / 100)]) / 1_000
  }
}
