public import AuthenticationDomain
import Foundation
import Synchronization

/// The data that a provider's adapter needs again when a challenge is answered, perhaps after a relaunch: the vendor's
/// handles, and never a password or a code.
///
/// ```swift
/// let challenge = Challenge(kind: .emailCode, handle: ChallengeHandle("mail", ["id": "f3a1"]).secret)
/// let id = try ChallengeHandle(challenge)["id"]
/// ```
public struct ChallengeHandle: Sendable {
  private var values: [String: Secret]

  /// Names a step, with its data.
  ///
  /// - Parameters:
  ///   - step: which of the adapter's steps it is.
  ///   - fields: the data that the answer needs; nil adds nothing.
  public init(_ step: String, _ fields: [String: String?] = [:]) {
    values = fields.compactMapValues { $0.map(Secret.init) }
    values["step"] = Secret(step)
  }

  /// Reads the handle of a challenge.
  ///
  /// - Throws: ``AuthenticationError/challengeReplaced`` if another provider, or another version, made it.
  public init(_ challenge: Challenge) throws(AuthenticationError) {
    let json = Data(challenge.handle.reveal().utf8)
    guard let fields = try? BoundedJSON.decode([String: String].self, from: json), fields["step"] != nil else {
      throw .challengeReplaced
    }
    values = fields.mapValues(Secret.init)
  }

  /// The fields, by name, and `step`.
  public var fields: [String: String] { values.mapValues { $0.reveal() } }

  /// Which of the adapter's steps it is.
  package var step: String { self["step"] ?? "" }

  /// A field; nil if there is none.
  public subscript(name: String) -> String? {
    get { values[name]?.reveal() }
    set { values[name] = newValue.map(Secret.init) }
  }

  /// A field that must be there.
  package func required(_ name: String) throws(AuthenticationError) -> String {
    guard let value = self[name] else { throw .challengeReplaced }
    return value
  }

  /// As a ``Challenge`` holds it.
  public var secret: Secret {
    Secret(String(decoding: JSONMembers(fields.mapValues(JSONValue.string)).json ?? Data(), as: UTF8.self))
  }
}

/// A password or a code that a later step needs: in memory only, one for each kind of step. After a relaunch the user
/// is asked again.
package final class StepSecrets: Sendable {
  private let kept = Mutex<[String: (id: String, secrets: [Secret])]>([:])

  package init() {}

  /// - Returns: the id under which ``secret(_:of:)`` finds it, or ``secrets(_:of:)`` all of them.
  package func keep(_ secrets: Secret..., for step: String) -> String {
    let id = RecordID.random().description
    kept.withLock { $0[step] = (id, secrets) }
    return id
  }

  package func secrets(_ id: String?, of step: String) -> [Secret]? {
    kept.withLock { kept in kept[step].flatMap { $0.id == id ? $0.secrets : nil } }
  }

  package func secret(_ id: String?, of step: String) -> Secret? { secrets(id, of: step)?.first }

  package func forget(_ step: String) { kept.withLock { _ = $0.removeValue(forKey: step) } }

  package func forgetAll() { kept.withLock { $0 = [:] } }
}

extension String {
  /// An address or a number as it is shown to the user, for a vendor that does not mask it: the first character and the
  /// domain of an address, or the last two digits of a number.
  package var masked: String {
    guard let at = firstIndex(of: "@") else { return "•••• " + suffix(2) }
    return "\(prefix(1))•••\(self[at...])"
  }
}

/// The values that an app supplied for one call (``AuthenticationDomain/SignInRequest/attributes``).
package typealias Attributes = [String: Secret]
