import Foundation
import ReliabilityWorld
import Synchronization

/// The result of one fault.
struct FaultRow {
  let name: String
  let got: String
  let meanwhile: String
  /// The finding of another process meanwhile; nil where none was started.
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

/// True for the first caller.
final class Once: Sendable {
  private let isTaken = Atomic(false)

  func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}
