package import AuthenticationDomain
package import Foundation
import Synchronization

/// An event of the state machine, and its outcome.
package struct RecordedChange: Sendable, Codable {
  /// The effects of an event and the state after it, in words that hold no secret.
  package struct Outcome: Sendable, Codable, Equatable {
    package let effects: [String]
    package let state: String
    let generation: Int
    let write: RecordID?
    let signIn: RecordID?
    let refreshes: Int

    init(_ effects: [SessionMachine.Effect], _ machine: SessionMachine) {
      self.effects = effects.map(\.summary)
      state = machine.state.summary
      generation = machine.generation
      let record = machine.record
      (write, signIn, refreshes) = (record.writeID, record.signInID, record.refreshes)
    }
  }

  /// The launch of a process to which it belongs.
  package let run: String
  let at: Noted<Date>
  let event: RecordedEvent
  /// The identifiers that were made for it.
  let ids: [RecordID]
  package let after: Outcome

  /// UTC.
  package var time: Date { at.value }
  /// The name of the event.
  package var name: String { event.name }
}

extension AuthenticationState {
  /// A few words without the user.
  fileprivate var summary: String {
    switch self {
    case .unknown: "unknown"
    case .unavailable(let error): "unavailable \(error.code)"
    case .signedOut(let reason): "signed_out \(reason.description.isPlainToken ? reason.description : "other")"
    case .challenged: "challenged"
    case .signedIn(let active):
      "signed_in \(active.freshness)\(active.unsaved.map { " unsaved \($0.code)" } ?? "")"
        + (active.needsInteraction ? " interaction_required" : "")
    }
  }
}

/// Takes each event of a manager's state machine. It keeps an event, with the tokens in it, only until it is drained.
package final class SessionRecorder: Sendable {
  private struct Contents {
    var steps: [RecordedChange] = []
    /// Since the last event from which a replay can begin; nil before the first one.
    var stepsSinceBeginning: Int?
    /// Whether the store holds the session as it is after the last step.
    var isStoreUsable = false
    /// Whether something has ended that is to be kept as soon as the session is.
    var hasOutcome = false
  }

  /// How many events a replay passes over at most, once nothing is in progress.
  private static let beginningInterval = 32
  private static let mostWaiting = 64

  private let run: String
  private let isDue: @Sendable () -> Void
  private let contents = Mutex(Contents())

  /// - Parameters:
  ///   - run: names this launch.
  ///   - isDue: called when the steps should be drained and kept; it must not block.
  package init(run: String, isDue: @escaping @Sendable () -> Void) {
    self.run = run
    self.isDue = isDue
  }

  /// Takes the steps since the last call.
  ///
  /// - Returns: the steps, and whether the store holds the session as it was after the last one. Only then another
  ///   write there asks no user to unlock it, does not get in the way of the session's own, and brings no folder back
  ///   that was removed.
  package func drain() -> (steps: [RecordedChange], isStoreUsable: Bool) {
    contents.withLock { contents in
      defer { contents.steps = [] }
      return (contents.steps, contents.isStoreUsable)
    }
  }

  /// Reads a store and records the result, for a report of a process that has no manager.
  func read(_ store: any SessionStore, at now: Date) {
    let event = SessionMachine.Event.storeRead(
      Result { () throws(AuthenticationError) in try store.read() }, at: now)
    let before = SessionMachine()
    var machine = before
    let effects = machine.handle(event)
    record(SessionChange(event, effects, from: before, to: machine, at: now))
  }

  /// Records an event, unless it changed nothing.
  package func record(_ change: SessionChange) {
    if change.effects.isEmpty, !change.event.isAttempt, change.after == change.before { return }
    let isWaiting: Bool = contents.withLock { contents in
      let isNew = contents.stepsSinceBeginning == nil
      if isNew || contents.stepsSinceBeginning ?? 0 >= Self.beginningInterval,
        let beginning = RecordedEvent(beginningWith: change.before, isNew: isNew)
      {
        contents.steps.append(
          RecordedChange(run: run, at: Noted(change.time), event: beginning, ids: [], after: .init([], change.before)))
        contents.stepsSinceBeginning = 0
      }
      contents.steps.append(
        RecordedChange(
          run: run, at: Noted(change.time), event: .handled(change.event), ids: change.after.latestIDs,
          after: .init(change.effects, change.after)))
      contents.stepsSinceBeginning? += 1
      contents.isStoreUsable = change.after.store.holds(change.after.record)
      contents.hasOutcome = contents.hasOutcome || change.event.isOutcome || change.effects.contains { $0.isReport }
      if contents.steps.count < Self.mostWaiting, !contents.hasOutcome || !contents.isStoreUsable { return false }
      contents.hasOutcome = contents.hasOutcome && !contents.isStoreUsable
      return true
    }
    if isWaiting { isDue() }
  }
}

extension SessionMachine.Effect {
  fileprivate var isReport: Bool { if case .report = self { true } else { false } }

  /// Its name, with the code of a failure.
  fileprivate var summary: String {
    switch self {
    case .save: "save"
    case .publish: "publish"
    case .refresh(_, let resource, _): resource == nil ? "refresh" : "refresh_resource"
    case .backOff(let error, let resource): (resource == nil ? "back_off " : "back_off_resource ") + error.code
    case .resumeWaiters(let failure, let resource, _):
      (resource == nil ? "resume " : "resume_resource ") + (failure?.code ?? "all")
    case .deliverRevocations: "deliver_revocations"
    case .retrySave: "retry_save"
    case .report(let event): "report \(event.name.rawValue)"
    }
  }
}

extension SessionMachine.Event {
  /// Whether it is told also where it changes nothing: a failed attempt to sign in, for example.
  fileprivate var isAttempt: Bool {
    switch self {
    case .signInCompleted, .refreshCompleted: true
    default: false
    }
  }

  /// Whether something has ended that a user may ask about.
  fileprivate var isOutcome: Bool {
    switch self {
    case .signInCompleted, .userProved, .refreshCompleted, .refreshFailed, .signOutRequested: true
    default: false
    }
  }
}
