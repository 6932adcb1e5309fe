import Foundation
import ReliabilityWorld

/// Processes that refresh in a loop, each killed at a random moment.
enum RandomMoments {
  /// Several refreshes long.
  private static let longest: Duration = .milliseconds(60)

  static func run(_ count: Int, seed: UInt64, in world: inout World) throws -> Tally {
    var tally = Tally()
    var random = SeededGenerator(seed: seed)
    world.makeNewFolder()
    try world.signIn("ada")
    for _ in 0..<count {
      let client = try world.client("--backoff", "20")
      client.tell("loop")
      _ = try client.line()
      Thread.sleep(forTimeInterval: longest / .seconds(1) * Double.random(in: 0..<1, using: &random))
      client.kill()
      let aftermath = try Aftermath(world, after: .refresh, families: 0)
      tally.add(aftermath, place: "at a random moment")
      guard aftermath.session == .kept else {
        world.makeNewFolder()
        try world.signIn("ada")
        continue
      }
    }
    return tally
  }
}

/// SplitMix64: the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
