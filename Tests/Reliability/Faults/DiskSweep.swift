import AuthenticationTesting
import ReliabilityWorld

/// One kind of work in one process, as often as it has steps: each time the disk fails from a later step on.
struct DiskSweep {
  private(set) var trials = 0
  private(set) var unsaved = 0
  private(set) var lost = 0
  private(set) var notStored = 0
  private(set) var leaks = 0
  private var answers: [String: Int] = [:]

  init(_ work: Work, _ error: Int32, stride: Int, in world: inout World) throws {
    var first = 1
    while true {
      world.makeNewFolder()
      let client = try world.client("--backoff", "20")
      if work.needsSession { _ = try client.ask("sign-in ada") }
      _ = try client.ask("die-before 0")
      _ = try client.ask("fail \(error) \(first)")
      let got = try client.answer(work.command)
      let state = try client.answer("state")
      let steps = Int(try client.answer("steps")) ?? 0
      _ = try client.ask("fail 0 0")
      guard steps >= first else { return }
      try check(work, got, state, client, world)
      first += stride
    }
  }

  private mutating func check(
    _ work: Work, _ got: String, _ state: String, _ client: ClientProcess, _ world: World
  ) throws {
    trials += 1
    answers[got, default: 0] += 1
    if state.contains("unsaved") { unsaved += 1 }
    let isAllowed = got == "ok" || got == "storage_unavailable"
    if !isAllowed || !work.expects(state, after: got) { lost += 1 }
    let wanted = work.stored(after: state)
    if try client.recovered(by: "stored", until: wanted) != wanted { notStored += 1 }
    client.kill()
    // An unfinished file is removed by the next access.
    _ = try world.client().ask("state")
    leaks += try SecretScan(world).leaks.count
  }

  var cells: [String] {
    let got = answers.sorted { $0.key < $1.key }.map { "\($1) × \($0)" }.joined(separator: ", ")
    return ["\(trials)", got, "\(unsaved)", "\(lost)", "\(notStored)", "\(leaks)"]
  }
}

extension Work {
  /// Whether a process may be in this state once its caller got this.
  fileprivate func expects(_ state: String, after answer: String) -> Bool {
    switch self {
    case .signIn: state.hasPrefix(answer == "ok" ? "signed-in ada" : "signed-out absent")
    case .replace: state.hasPrefix(answer == "ok" ? "signed-in grace" : "signed-in ada")
    case .refresh, .refreshAgain: state.hasPrefix("signed-in ada")
    case .signOut: state.hasPrefix(answer == "ok" ? "signed-out requested" : "signed-")
    }
  }

  fileprivate func stored(after state: String) -> String {
    let words = state.split(separator: " ")
    return words.first == "signed-in" && words.count > 1 ? "\(words[1]) current" : "none"
  }
}
