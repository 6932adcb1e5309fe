public import Observation

/// A flow of screens: its state, and the texts of its screen.
///
/// Each property of its ``FlowStatus`` is a property of the model, too: `model.title`, `model.failureSentence`.
@MainActor
@dynamicMemberLookup
public protocol FlowModel: AnyObject, Observable {
  /// Every place where the flow can stand.
  associatedtype State: Sendable

  /// Where the flow stands: one value, whose payloads exist only where they mean something.
  var state: State { get }
  /// The sentences that the user reads.
  var words: Words { get }
  /// The texts of the screen, all derived from the state.
  var status: FlowStatus { get }

  /// Returns when no request is in flight: for tests and scripts.
  func finished() async
}

extension FlowModel {
  /// Returns a property of the status.
  public subscript<Value>(dynamicMember path: KeyPath<FlowStatus, Value>) -> Value { status[keyPath: path] }
}

/// A flow of this package: the status of its model, and its part in a sign-in of several steps.
@MainActor package protocol LibraryFlow: FlowModel {
  /// The status in this state.
  var currentStatus: FlowStatus { get }
  /// The model of another flow that is shown in this state; nil if none is.
  var nested: (any FlowModel)? { get }
  /// Receives the result of the flow, where it is a step of a sign-in.
  var onEnd: (@MainActor (StepEnd) -> Void)? { get set }
  /// Shows at once the latest state of the followed attempt.
  func catchUp()
  /// Returns when no request of this flow is in flight, whatever the nested one does.
  func ownRequestsFinished() async
}

extension LibraryFlow {
  /// The texts of the screen besides the state.
  public var status: FlowStatus { currentStatus }
  package var nested: (any FlowModel)? { nil }

  /// Returns when no request is in flight: for tests and scripts.
  public func finished() async {
    await nested?.finished()
    await ownRequestsFinished()
  }
}
