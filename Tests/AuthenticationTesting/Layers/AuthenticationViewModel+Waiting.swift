public import AuthenticationPresentation
import Observation

extension AuthenticationViewModel {
  /// Returns when the condition holds, woken by each change of what it reads.
  public func waited(until condition: @MainActor () -> Bool) async {
    while !condition() {
      await withCheckedContinuation { continuation in
        withObservationTracking {
          _ = condition()
        } onChange: {
          continuation.resume()
        }
      }
    }
  }
}
