/// A flow that is a step of a sign-in.
@MainActor
protocol StepModel: FlowModel {
  /// Is told what comes after it.
  var onEnd: (@MainActor (StepEnd) -> Void)? { get set }
}
