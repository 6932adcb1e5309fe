import AuthenticationDomainTesting
public import AuthenticationPresentation
import Observation

extension FlowModel {
  /// Returns when the condition holds, woken by each change of the values it reads, or when the task is cancelled.
  public func waited(until condition: @MainActor () -> Bool) async {
    while !Task.isCancelled {
      let hasChanged = AwaitableState(false)
      let isMet = withObservationTracking(condition) { hasChanged.update { $0 = true } }
      if isMet { return }
      await hasChanged.wait { $0 }
    }
  }
}
