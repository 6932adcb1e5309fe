/// Many expiries of one stored session, after each of which every process asks for a valid token at once.
package struct Rotations {
  /// Answers that were no token.
  package private(set) var errors: [String: Int] = [:]
  /// Microseconds from the first attempt to have the lock to having it.
  package private(set) var waits: [Int] = []

  package init(_ count: Int, by processCount: Int, in world: World) throws {
    // Every other one learns of the writes of others by reading alone.
    let processes = (0..<processCount).map { RotatingProcess(world, isBlind: $0.isMultiple(of: 2)) }
    // All are there before the first expiry.
    note(Self.all(processes, "token"))
    for _ in 0..<count {
      try world.time.passAnHour()
      note(Self.all(processes, "token"))
    }
    waits = Self.all(processes, "waits").flatMap { $0.split(separator: ",").compactMap { Int($0) } }.sorted()
    for process in processes { process.stop() }
  }

  private mutating func note(_ answers: [String]) {
    for answer in answers where answer != "ok" { errors[answer, default: 0] += 1 }
  }

  private static func all(_ processes: [RotatingProcess], _ command: String) -> [String] {
    for process in processes { process.begin(command) }
    return processes.map { $0.end() }
  }
}
