/// The real `AuthManager` in worlds that follow from a seed: processes, a store, a network and a provider that fail.
public enum Simulation {
  /// Lives the world of one seed. Throws its violation, with its trace.
  ///
  /// - Parameter hasExtras: false for the world that the seed made before there were lost locks, commands, challenges,
  ///   servers' dates and attempts.
  public static func run(seed: UInt64, hasExtras: Bool = true) throws(FailedSeed) -> Summary {
    let world = live(seed, hasExtras, isTracing: false)
    if world.invariants.violation != nil { throw failure(of: seed, hasExtras) }
    return world.summary
  }

  /// All that happens in the world of one seed, line by line, and its violation.
  public static func trace(seed: UInt64, hasExtras: Bool = true) -> (lines: [String], violation: String?) {
    let world = live(seed, hasExtras, isTracing: true)
    return (world.finished ?? [], world.invariants.violation)
  }

  /// The records of the managers of one seed's world, each with the states that it showed.
  public static func recordings(seed: UInt64) -> [Recording] {
    let world = World(seed: seed, hasExtras: true, isTracing: false, isRecording: true)
    world.live()
    return world.recordings ?? []
  }

  private static func failure(of seed: UInt64, _ hasExtras: Bool) -> FailedSeed {
    let (lines, violation) = trace(seed: seed, hasExtras: hasExtras)
    return FailedSeed(
      seed: seed, hasExtras: hasExtras, violation: violation ?? "not the same when it is run again", trace: lines)
  }

  private static func live(_ seed: UInt64, _ hasExtras: Bool, isTracing: Bool) -> World {
    let world = World(seed: seed, hasExtras: hasExtras, isTracing: isTracing)
    world.live()
    world.summary.seeds = 1
    world.summary.steps = world.steps
    return world
  }
}

/// A seed whose world broke an invariant; the seed alone replays it.
public struct FailedSeed: Error, CustomStringConvertible {
  public let seed: UInt64
  public let hasExtras: Bool
  public let violation: String
  public let trace: [String]

  public var description: String {
    let replay = "replay: swift run -c release simulate --seed \(seed) --trace" + (hasExtras ? "" : " --no-extras")
    return (trace + ["seed \(seed): \(violation)", replay]).joined(separator: "\n")
  }
}
