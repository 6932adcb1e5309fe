import ReliabilityWorld

/// The results of many killed processes.
struct Tally {
  private(set) var killed = 0
  private(set) var kept = 0
  private(set) var signedOut = 0
  /// Lost to a server that refuses a token sent twice, with the right reason, and with the user.
  private(set) var ambiguousLosses = 0
  /// Lost for any other reason.
  private(set) var lost: [String] = []
  private(set) var corrupt = 0
  private(set) var leaks = 0
  private(set) var leftovers = 0

  private static let ambiguousLoss = "signed-out ambiguous_loss former:ada"

  /// - Parameter place: where it was killed.
  mutating func add(_ aftermath: Aftermath, place: String) {
    killed += 1
    switch aftermath.session {
    case .kept: kept += 1
    case .signedOut: signedOut += 1
    case .lost(let reason) where reason.hasSuffix(Self.ambiguousLoss): ambiguousLosses += 1
    case .lost(let reason): lost.append("\(place): \(reason)")
    }
    if aftermath.isCorrupt { corrupt += 1 }
    leaks += aftermath.scan.leaks.count
    leftovers += aftermath.scan.leftovers.count
  }

  static let heading = [
    "killed during", "processes", "signed in", "signed out", "ambiguous losses", "lost", "corrupt files",
    "secrets elsewhere", "leftovers",
  ]

  func row(_ name: String) -> [String] {
    [name] + [killed, kept, signedOut, ambiguousLosses, lost.count, corrupt, leaks, leftovers].map(String.init)
  }
}
