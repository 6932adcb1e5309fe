import AuthenticationDomain
import Synchronization

/// The new password that waits for a code, in memory alone: a challenge's handle holds none.
final class NewPassword: Sendable {
  private let waiting = Mutex<(id: String, body: [String: JSONValue])?>(nil)

  /// Keeps it in place of the one before.
  ///
  /// - Returns: its name, for a handle.
  func keep(_ password: Secret, replacing old: Secret? = nil) -> String {
    let id = RecordID.random().description
    var body: [String: JSONValue] = ["password": .string(password.reveal())]
    if let old { body["current_password"] = .string(old.reveal()) }
    waiting.withLock { $0 = (id, body) }
    return id
  }

  /// - Throws: ``AuthenticationError/Code/challengeReplaced`` if another one was kept since, or if the app was closed.
  func body(_ id: String) throws(AuthenticationError) -> [String: JSONValue] {
    guard let body = waiting.withLock({ $0?.id == id ? $0?.body : nil }) else { throw .challengeReplaced }
    return body
  }

  func forget() { waiting.withLock { $0 = nil } }
}
