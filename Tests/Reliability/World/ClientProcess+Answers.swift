import Foundation

extension ClientProcess {
  /// What stands for the answer of a process that died of the command.
  package static let died = "died"

  package func answer(_ command: String) throws -> String { try ask(command) ?? Self.died }

  /// The answer once it is `ok`, or what it was for the last time within 2 minutes.
  package func recovered(by command: String, until wanted: String = "ok") throws -> String {
    let end = ContinuousClock.now + .seconds(120)
    while true {
      let answer = try answer(command)
      if answer == wanted || ContinuousClock.now > end { return answer }
      Thread.sleep(forTimeInterval: 0.02)
    }
  }
}
