import ArgumentParser
import AuthenticationTestingServers
import Foundation
import ReliabilityWorld

/// Several processes on one store, against a server that ends the session where a refresh token is used twice.
///
/// An expiry: an hour passes for all of them, and each asks for a valid token at once.
// failure row 13
struct SharedStore: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "processes", abstract: "Lets processes refresh one stored session at once.")

  @Option(help: "How many processes share the store.") var processes = 8
  @Option(help: "How many expiries each of them lives through.") var rotations = 1_000

  func run() async throws {
    let world = try await World(grace: .zero)
    try world.signIn("ada")
    let start = ContinuousClock.now
    let outcome = try Rotations(rotations, by: processes, in: world)
    let time = start.duration(to: .now) / .seconds(1)
    let counters = world.server.counters
    let after = try world.client().answer("refresh")
    await world.end()
    print(
      """
      processes                    \(processes)
      expiries                     \(rotations), each met by every process
      refreshes                    \(counters.refreshesGranted)
      families revoked             \(counters.familiesRevoked)
      calls that got an error      \(outcome.errors.values.reduce(0, +)) of \(processes * (rotations + 1))
      times the lock was taken     \(outcome.waits.count)
      wait for the lock, p50       \(outcome.waits.percentile(50)) ms
      wait for the lock, p99       \(outcome.waits.percentile(99)) ms
      wait for the lock, longest   \(outcome.waits.percentile(100)) ms
      one expiry, in all processes \(Int(time / Double(max(rotations, 1)) * 1_000)) ms
      """)
    var facts = Facts()
    facts.expect(counters.refreshesGranted == rotations, "there is one refresh for each expiry")
    facts.expect(counters.refreshesRefused == 0, "no refresh is refused")
    facts.expect(counters.familiesRevoked == 0, "no family is revoked")
    facts.expect(outcome.errors.isEmpty, "no user is signed out, and no caller gets an error: \(outcome.errors)")
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
