import AuthenticationDomain
import Foundation

/// The store of all processes, and its faults.
struct Disk {
  var record: SessionRecord?
  var faultPercent: Int
  var refusesReads = false
  var refusesWrites = false
  /// A stopped process of another user holds the lock for writing.
  var isHeld = false
  /// How many of the writes cost a manager its watch.
  var watchFaultPercent: Int
  /// The step that waits for a user, by its key.
  var steps: [String: Data] = [:]
  /// A process could not read, keep or remove a step.
  var hasRefusedSteps = false
  /// The process inside of ``SessionStore/exclusively(_:)``.
  var owner: Client?

  init(faultPercent: Int, watchFaultPercent: Int) {
    self.faultPercent = faultPercent
    self.watchFaultPercent = watchFaultPercent
  }

  mutating func calmDown() {
    faultPercent = 0
    watchFaultPercent = 0
    (refusesReads, refusesWrites, isHeld) = (false, false, false)
  }

  var family: Int? { record?.session?.set.family }
}
