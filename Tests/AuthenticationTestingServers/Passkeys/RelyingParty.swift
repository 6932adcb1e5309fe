#if Tools
import AuthenticationPasskeys
import Foundation

/// A server's side of passkeys, apart from the client under test: ES256, no attestation, the user verified (WebAuthn
/// Level 3 §7.1, §7.2).
package struct RelyingParty: Sendable {
  package static let id = "localhost"
  package static let origin = "http://localhost"

  struct Passkey: Sendable {
    let username: String
    /// The opaque id of the user.
    let userHandle: String
    /// x and y of a point of P-256.
    let key: Data
    var signatureCount: UInt32
  }

  struct Asked: Sendable {
    let type: String
    let challenge: String
    /// Nil where the passkey names the user.
    var username: String?
    var userHandle = ""
    /// Whether the user need not be there: the response itself does not tell.
    var isConditional = false
  }

  /// A request that was sent, by its id.
  package struct Request: Sendable {
    package let id: String
    let kind: String
    package let options: Options
  }

  static let registration = "webauthn.create"
  static let assertion = "webauthn.get"

  /// By their ids, in base64url.
  var passkeys: [String: Passkey] = [:]
  private var asked: [String: Asked] = [:]
  /// Of each user, also without a passkey.
  private var handles: [String: String] = [:]

  let origin: String

  /// - Parameter origin: of the pages on which passkeys are asked for.
  package init(origin: String = Self.origin) { self.origin = origin }

  /// - Parameter conditionally: whether an absent user suffices.
  package mutating func askForRegistration(
    of account: LoopbackIdentityServer.Account, conditionally: Bool = false
  ) -> Request {
    let known = ids(of: account.username)
    let handle = handle(of: account.username)
    let (id, challenge) = ask(Self.registration, account.username, handle)
    asked[id]?.isConditional = conditionally
    return Request(
      id: id, kind: "passkey_registration",
      options: Options(
        challenge: challenge, rp: .init(id: Self.id, name: "Loopback"),
        user: .init(id: handle, name: account.username, displayName: "\(account.firstName) \(account.lastName)"),
        pubKeyCredParams: [.init(alg: -7)], excludeCredentials: known.map { .init(id: $0) },
        authenticatorSelection: .init(), attestation: "none"))
  }

  /// - Parameter ids: the passkeys that may sign; empty for any.
  package mutating func askForAssertion(allowing ids: [String] = []) -> Request {
    let (id, challenge) = ask(Self.assertion, nil, "")
    return Request(
      id: id, kind: "passkey",
      options: Options(
        challenge: challenge, rpId: Self.id, allowCredentials: ids.map { .init(id: $0) }, userVerification: "required"))
  }

  /// Each request is answered once.
  mutating func takeAsked(_ id: String) -> Asked? { asked.removeValue(forKey: id) }

  /// The opaque id of a user, the same each time.
  mutating func handle(of username: String) -> String {
    if let handle = handles[username] { return handle }
    let handle = OpaqueToken.make()
    handles[username] = handle
    return handle
  }

  /// The passkeys of a user.
  package func ids(of username: String) -> [String] { passkeys.filter { $1.username == username }.keys.sorted() }

  package mutating func remove(_ id: String, of username: String) {
    if passkeys[id]?.username == username { passkeys[id] = nil }
  }

  mutating func removeAll(of username: String) {
    passkeys = passkeys.filter { $1.username != username }
    handles[username] = nil
  }

  private mutating func ask(_ type: String, _ username: String?, _ handle: String) -> (id: String, challenge: String) {
    let (id, challenge) = (OpaqueToken.make(), OpaqueToken.make())
    asked[id] = Asked(type: type, challenge: challenge, username: username, userHandle: handle)
    return (id, challenge)
  }
}
#endif
