import AuthenticationTestingServers
import Foundation
import ReliabilityWorld

/// The results of two processes, one of which was stopped while the other worked.
struct StopTally {
  private(set) var stops = 0
  private(set) var longestWait: Duration = .zero
  private(set) var broken: [(place: String, what: String)] = []
  private var answers: [String: Int] = [:]
  private var stoppedAnswers: [String: Int] = [:]

  var cells: [String] {
    [
      "\(stops)", answers.words, stoppedAnswers.words, "\((longestWait / .seconds(1) * 10).rounded() / 10) s",
      "\(broken.count)",
    ]
  }

  /// False where the refresh has no such step.
  mutating func add(_ work: Work, stoppedBefore number: Int, in world: World) throws -> Bool {
    let stopped = try world.client("--backoff", "20")
    for command in ["sign-in ada", "refresh", "stop-before \(number)"] { _ = try stopped.ask(command) }
    let other = try world.client("--backoff", "20", "--haste", "60")
    _ = try other.ask("state")
    let place = try stopped.answer("refresh")
    guard place.hasPrefix("interrupted") else { return false }
    let start = ContinuousClock.now
    let answer = try other.answer(work.command)
    longestWait = max(longestWait, start.duration(to: .now))
    stopped.signal(SIGCONT)
    let stoppedAnswer = try stopped.line() ?? ClientProcess.died
    stops += 1
    answers[answer, default: 0] += 1
    stoppedAnswers[stoppedAnswer, default: 0] += 1
    if let what = try work.check(answer, stoppedAnswer, other, world) { broken.append((place, what)) }
    return true
  }
}

extension Work {
  /// The fault, if there is one.
  fileprivate func check(
    _ answer: String, _ stoppedAnswer: String, _ other: ClientProcess, _ world: World
  ) throws -> String? {
    let allowed = ["ok", "timed_out", "storage_unavailable"]
    guard allowed.contains(answer) else { return "the other got \(answer)" }
    guard allowsStopped(stoppedAnswer) else { return "the stopped one got \(stoppedAnswer)" }
    let state = try other.answer("state")
    let wanted = self == .refresh ? "signed-in ada" : self == .signOut ? "signed-out requested" : "signed-in grace"
    guard state.hasPrefix(wanted) else { return "the other is \(state)" }
    if self != .refresh {
      let found = try other.recovered(by: "stored", until: self == .signOut ? "none" : "grace current")
      guard found == "none" || found == "grace current" else { return "stored is \(found)" }
    }
    return try checkLater(world)
  }

  /// Where the other ended the session at the server, the refresh token that is about to be sent is refused.
  private func allowsStopped(_ answer: String) -> Bool {
    switch self {
    case .signOut: ["ok", "not_signed_in", "session_rejected"].contains(answer)
    case .replace: ["ok", "superseded", "session_rejected"].contains(answer)
    default: answer == "ok"
    }
  }

  /// As a process sees it that starts when all is over.
  private func checkLater(_ world: World) throws -> String? {
    let later = try world.client("--backoff", "20")
    world.server.revokeAllAccessTokens()
    let call = try later.answer("call")
    guard call == (self == .signOut ? "not_signed_in" : "200") else { return "a later call got \(call)" }
    _ = try later.ask("deliver")
    let scan = try SecretScan(world)
    guard scan.leaks.isEmpty else { return "secrets in \(scan.leaks)" }
    return self == .signOut && scan.secretsInSession > 0 ? "secrets stay after a sign-out" : nil
  }
}

extension [String: Int] {
  fileprivate var words: String {
    sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
  }
}
