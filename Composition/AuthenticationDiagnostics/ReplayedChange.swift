import AuthenticationDomain
import Synchronization

/// A recorded event, and the state machine's result for it now.
package struct ReplayedChange: Sendable {
  package let step: RecordedChange
  /// Before and after it; nil if the events before it, from which a replay could begin, are no longer kept.
  let machines: (before: SessionMachine, after: SessionMachine)?
  /// The differences from the record; nil if there are none, or if the step could not be replayed.
  package let difference: String?
  package var isReplayed: Bool { machines != nil }

  /// Replays each launch for itself.
  static func all(of steps: [RecordedChange]) -> [ReplayedChange] {
    var machines: [String: SessionMachine] = [:]
    let ids = Mutex<[RecordID]>([])
    return steps.map { step in
      if case .began(_, _, let from) = step.event {
        let makeID = { @Sendable in ids.withLock { $0.isEmpty ? nil : $0.removeFirst() } ?? RecordID(0, 0) }
        let policy = step.policy ?? .standard
        machines[step.run] =
          from.map { SessionMachine(policy: policy, from: $0, makeID: makeID) }
          ?? SessionMachine(policy: policy, makeID: makeID)
      }
      guard let before = machines[step.run] else { return ReplayedChange(step: step, machines: nil, difference: nil) }
      var machine = before
      ids.withLock { $0 = step.ids }
      let effects =
        if case .handled(let event) = step.event { machine.handle(event) } else { [SessionMachine.Effect]() }
      let outcome = RecordedChange.Outcome(effects, machine)
      machines[step.run] = machine
      return ReplayedChange(step: step, machines: (before, machine), difference: outcome.difference(from: step.after))
    }
  }
}

extension RecordedChange {
  /// With which a machine begins here; nil if there is no such policy.
  var policy: RefreshPolicy? {
    guard case .began(let leeway, let resends, _) = event else { return .standard }
    return try? RefreshPolicy(leeway: leeway, resends: resends)
  }
}

extension RecordedChange.Outcome {
  /// The members that differ from the record.
  fileprivate func difference(from recorded: Self) -> String? {
    if self == recorded { return nil }
    if state != recorded.state { return "the state is \(state)" }
    if effects != recorded.effects { return "the effects are \(effects.joined(separator: ", "))" }
    return "the record is another one"
  }
}
