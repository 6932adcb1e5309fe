import ReliabilityWorld

/// What became of many killed processes.
struct Tally {
  private(set) var killed = 0
  private(set) var kept = 0
  private(set) var signedOut = 0
  private(set) var lost: [String: Int] = [:]
  private(set) var corrupt = 0
  private(set) var leaks = 0
  private(set) var leftovers = 0

  var lostCount: Int { lost.values.reduce(0, +) }

  /// - Parameter place: where it was killed.
  mutating func add(_ aftermath: Aftermath, place: String) {
    killed += 1
    switch aftermath.session {
    case .kept: kept += 1
    case .signedOut: signedOut += 1
    case .lost(let reason): lost["\(place): \(reason)", default: 0] += 1
    }
    if aftermath.isCorrupt { corrupt += 1 }
    leaks += aftermath.scan.leaks.count
    leftovers += aftermath.scan.leftovers.count
  }

  static let heading = [
    "killed during", "processes", "signed in", "signed out", "lost", "corrupt files", "secrets elsewhere", "leftovers",
  ]

  func row(_ name: String) -> [String] {
    [name] + [killed, kept, signedOut, lostCount, corrupt, leaks, leftovers].map(String.init)
  }
}
