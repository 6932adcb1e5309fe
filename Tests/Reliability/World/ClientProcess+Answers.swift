import Foundation

extension ClientProcess {
  /// The placeholder of the answer of a process that ended at the command.
  package static let died = "died"

  package func answer(_ command: String) throws -> String { try ask(command) ?? Self.died }

  /// The answer once it is `ok`, or the last one within 2 minutes.
  package func recovered(by command: String, until wanted: String = "ok") throws -> String {
    let end = ContinuousClock.now + .seconds(120)
    while true {
      let answer = try answer(command)
      if answer == wanted || ContinuousClock.now > end { return answer }
      Thread.sleep(forTimeInterval: 0.02)
    }
  }
}
