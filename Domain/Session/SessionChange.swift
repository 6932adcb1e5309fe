package import Foundation

/// An event of the state machine and its outcome, as observers get them.
package struct SessionChange: Sendable {
  package let event: SessionMachine.Event
  package let effects: [SessionMachine.Effect]
  package let before: SessionMachine
  package let after: SessionMachine
  /// UTC.
  package let time: Date

  package init(
    _ event: SessionMachine.Event, _ effects: [SessionMachine.Effect], from before: SessionMachine,
    to after: SessionMachine, at time: Date
  ) {
    (self.event, self.effects, self.before, self.after, self.time) = (event, effects, before, after, time)
  }
}
