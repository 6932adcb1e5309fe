import AuthenticationTesting
import Foundation
import ReliabilityWorld
import Synchronization

/// How often a session is lost where one answer in twenty is dropped after the server has processed the request.
enum Availability {
  private static let clients = 4
  private static let dropped = 0.05

  static func run(_ time: Duration, seed: UInt64, _ facts: inout Facts) async throws {
    print("\nAvailability, with \(Int(dropped * 100)) % of the answers to refreshes dropped after processing")
    let table = Table([10, 12, 18, 15, 27])
    table.print(["grace", "refreshes", "answers dropped", "sessions lost", "as ambiguous losses", "lost per million"])
    for grace in [Duration.seconds(10), .zero] {
      let sample = try await measure(time, seed: seed, grace: grace)
      table.print(["\(grace / .seconds(1)) s"] + sample.cells)
      facts.expect(sample.dropped > 0, "grace \(grace): answers are dropped")
      facts.expect(sample.lost == sample.ambiguous, "grace \(grace): each loss is an ambiguous one")
      if grace > .zero { facts.expect(sample.lost == 0, "grace \(grace): no session is lost") }
    }
  }

  private struct Sample {
    var refreshes = 0
    var dropped = 0
    var lost = 0
    var ambiguous = 0

    var cells: [String] {
      let million = 1_000_000 / Double(max(refreshes, 1))
      // An event that was never seen in n cases has, with 95 % confidence, a rate of at most 3 in n.
      let rate = lost > 0 ? "\(Int(Double(lost) * million))" : "0 (at most \(Int((3 * million).rounded(.up))), 95 %)"
      return ["\(refreshes)", "\(dropped)", "\(lost)", "\(ambiguous)", rate]
    }
  }

  private static func measure(_ time: Duration, seed: UInt64, grace: Duration) async throws -> Sample {
    let world = try await World(grace: grace)
    let random = Mutex(SeededGenerator(seed: seed))
    world.wire.spoil { path in
      guard path == "/auth/refresh" else { return nil }
      return random.withLock { Double.random(in: 0..<1, using: &$0) } < dropped ? .dropAfterProcessing : nil
    }
    let folders = (0..<clients).map { _ in TemporaryFolder() }
    let running = try folders.map { folder in
      let client = try ClientProcess(world.arguments(for: folder) + ["--backoff", "20"])
      _ = try client.ask("sign-in ada")
      client.tell("endure \(Int(time / .seconds(1)))")
      return client
    }
    var sample = Sample()
    for client in running {
      let numbers = (try client.line() ?? "").split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 3 else { continue }
      sample.refreshes += numbers[0]
      sample.lost += numbers[1]
      sample.ambiguous += numbers[2]
    }
    sample.dropped = world.wire.faults
    await world.end()
    return sample
  }
}
