import Foundation
import Synchronization

/// What came of one fault.
struct FaultRow {
  let name: String
  let got: String
  let meanwhile: String
  /// What another process finds meanwhile; nil where none was started.
  let launched: String?
  let afterwards: String
  let stored: String

  var isKept: Bool {
    let isKeptHere = meanwhile.hasPrefix("signed-in ada") || got == ClientProcess.died
    let isKeptElsewhere = launched?.hasPrefix("signed-in ada") ?? true
    return isKeptHere && isKeptElsewhere && afterwards == "ok" && stored == "ada current"
  }

  var cells: [String] { [name, got, meanwhile, afterwards, stored] }
}

extension ClientProcess {
  static let died = "died"

  func answer(_ command: String) throws -> String { try ask(command) ?? Self.died }

  /// The answer once it is `ok`, or what it was for the last time within 10 seconds.
  func recovered(by command: String, until wanted: String = "ok") throws -> String {
    let end = ContinuousClock.now + .seconds(10)
    while true {
      let answer = try answer(command)
      if answer == wanted || ContinuousClock.now > end { return answer }
      Thread.sleep(forTimeInterval: 0.02)
    }
  }
}

/// True for the first who asks.
final class Once: Sendable {
  private let isTaken = Atomic(false)

  func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}
