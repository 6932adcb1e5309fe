package import AuthenticationDomain
import Observation

/// What the store refused to erase at a sign-out: the models of one environment tell it, and any of them tries again.
@MainActor
@Observable
package final class SessionErasure {
  /// Why it was not erased; nil if nothing is left, as far as is known.
  package private(set) var failure: FlowFailure?

  nonisolated init() {}

  /// Takes note of a sign-out that the store refused.
  func refuse(_ failure: FlowFailure) { self.failure = failure }

  /// Nothing is left, or a new session has replaced it.
  func end() {
    if failure != nil { failure = nil }
  }
}

extension FlowEnvironment {
  /// Notes the error of a sign-out if it means that the user is signed out here, and that the store holds the session.
  ///
  /// - Returns: whether it does.
  @MainActor
  package func noteRefusedErasure(_ error: AuthenticationError) -> Bool {
    let codes: [AuthenticationError] = [.storageUnavailable, .userPresenceRequired, .storageCorrupt]
    guard case .signedOut = control.state, codes.contains(error) else { return false }
    erasure.refuse(failure(error))
    return true
  }

  /// Has the session erased again, and notes what comes of it.
  @MainActor
  package func eraseAgain(
    by call: CurrentCall, then show: @escaping @MainActor (Result<Void, AuthenticationError>) -> Void
  ) {
    call.run(
      { [control] () async throws(AuthenticationError) in try await control.signOut(losing: nil) },
      then: { result in
        switch result {
        case .success: erasure.end()
        case .failure(let error): if !noteRefusedErasure(error) { erasure.refuse(failure(error)) }
        }
        show(result)
      })
  }
}
