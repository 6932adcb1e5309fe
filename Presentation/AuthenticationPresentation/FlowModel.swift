public import Observation

/// A flow of screens: the texts of its screen, and its result as a step of a sign-in.
///
/// Each property of its ``FlowStatus`` is a property of the model, too: `model.title`, `model.failureSentence`. The
/// state is a property of each model, such as ``CodeEntryModel/State``.
@MainActor @dynamicMemberLookup @Observable open class FlowModel {
  package let flows: FlowEnvironment
  /// Receives the result of the flow, where it is a step of a sign-in.
  @ObservationIgnored package var onEnd: (@MainActor (StepEnd) -> Void)?

  init(in flows: FlowEnvironment) { self.flows = flows }

  /// The sentences that the user reads.
  public var words: Words { flows.words }

  /// The texts of the screen, all derived from the state.
  open var status: FlowStatus { currentStatus }

  /// The status of a flow of this module.
  var currentStatus: FlowStatus { FlowStatus() }

  /// The flow that is shown in place of this one; nil if none is.
  open var nested: FlowModel? { nil }

  /// Returns when no request is in flight: for tests and scripts.
  public final func finished() async {
    await nested?.finished()
    await requestsFinished()
  }

  /// Returns when no request of this flow is in flight, whatever the nested one does.
  func requestsFinished() async {}

  /// Shows at once the latest state of the followed attempt.
  func catchUp() {}

  /// Returns a property of the status.
  public subscript<Value>(dynamicMember path: KeyPath<FlowStatus, Value>) -> Value { status[keyPath: path] }
}
