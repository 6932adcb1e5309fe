package import AuthenticationDomain
import Synchronization

/// A password or a code that a later step needs: in memory only, one for each kind of step. After a relaunch the person
/// is asked again.
package final class StepSecrets: Sendable {
  private let kept = Mutex<[String: (id: String, secret: Secret)]>([:])

  package init() {}

  /// - Returns: the id under which ``secret(_:of:)`` finds it.
  package func keep(_ secret: Secret, for step: String) -> String {
    let id = RecordID.random().description
    kept.withLock { $0[step] = (id, secret) }
    return id
  }

  package func secret(_ id: String?, of step: String) -> Secret? {
    kept.withLock { kept in kept[step].flatMap { $0.id == id ? $0.secret : nil } }
  }

  package func forget(_ step: String) { kept.withLock { _ = $0.removeValue(forKey: step) } }

  package func forgetAll() { kept.withLock { $0 = [:] } }
}
