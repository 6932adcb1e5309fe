#if OpenID
import AuthenticationData
public import AuthenticationDomain
public import AuthenticationPasskeys
public import Foundation
import Synchronization

/// An authenticator in memory, for tests: ES256, passkeys that are found without their id, no attestation.
///
/// It is a client, too: it writes the client data, with the origin it is given. It signs with a separate
/// implementation, which it does not share with the tested code.
///
/// ```swift
/// let authenticator = SoftwareAuthenticator(origin: "https://example.org")
/// let registration = try await authenticator.checking(relyingPartyID: "example.org").register(creation)
/// ```
public final class SoftwareAuthenticator: PasskeyAuthenticator {
  private struct Contents {
    var passkeys: [SoftwarePasskey] = []
    var signals: [PasskeySignal] = []
    var user: UserAction
  }

  /// The action of the user with the authenticator.
  public enum UserAction: Sendable, Hashable {
    /// Is present and verified.
    case verifies
    /// Is present, and not verified.
    case touches
    /// Declines.
    case declines
  }

  private let origin: String
  private let randomBytes: @Sendable (_ count: Int) -> [UInt8]
  private let contents: Mutex<Contents>

  /// Has no passkey yet.
  ///
  /// - Parameters:
  ///   - origin: the origin in the client data, such as `https://example.org`.
  ///   - user: the user's action when asked.
  ///   - randomBytes: where ids and keys come from, by default the system; the same bytes make the same passkeys.
  public init(
    origin: String, user: UserAction = .verifies,
    randomBytes: (@Sendable (_ count: Int) -> [UInt8])? = nil
  ) {
    self.origin = origin
    self.randomBytes = randomBytes ?? AuthProviderConfiguration.Environment.systemRandomBytes
    contents = Mutex(Contents(user: user))
  }

  /// The user's action from now on.
  public var user: UserAction {
    get { contents.withLock { $0.user } }
    set { contents.withLock { $0.user = newValue } }
  }

  /// The ids of its passkeys, oldest first.
  public var credentialIDs: [Data] { contents.withLock { $0.passkeys.map(\.id) } }

  /// The signals that it received, oldest first.
  public var signals: [PasskeySignal] { contents.withLock { $0.signals } }

  /// The accounts of its passkeys, as it shows them, oldest first.
  public var accountNames: [String] { contents.withLock { $0.passkeys.map { "\($0.userName) (\($0.displayName))" } } }

  /// Forgets every passkey.
  public func removeAll() { contents.withLock { $0.passkeys = [] } }

  /// Creates a passkey, which replaces one of the same user at the same domain.
  ///
  /// - Throws: ``AuthenticationError/unsupportedMethod`` if the server does not accept ES256.
  public func register(_ options: PasskeyCreationOptions) async throws(AuthenticationError) -> PasskeyRegistration {
    try register(options, flags(options.userVerification))
  }

  /// Creates a passkey as ``register(_:)`` does, without asking the user: it says that none was present. A declining
  /// user has turned this off.
  public func registerConditionally(
    _ options: PasskeyCreationOptions
  ) async throws(AuthenticationError) -> PasskeyRegistration {
    if user == .declines { throw .cancelled }
    return try register(options, 0)
  }

  private func register(
    _ options: PasskeyCreationOptions, _ flags: UInt8
  ) throws(AuthenticationError) -> PasskeyRegistration {
    let relyingPartyID = try named(options.relyingPartyID)
    guard options.algorithms.contains(-7) else {
      throw AuthenticationError(.unsupportedMethod, "This authenticator creates ES256 passkeys only.")
    }
    let excluded = options.excludedCredentials.map(\.id)
    var passkey = try SoftwarePasskey(
      relyingPartyID: relyingPartyID, userID: options.userID, id: randomBytes(32), key: randomBytes(32))
    (passkey.userName, passkey.displayName) = (options.userName, options.userDisplayName)
    let isExcluded = contents.withLock { [passkey] contents in
      let own = contents.passkeys.filter { $0.relyingPartyID == relyingPartyID }
      guard !own.contains(where: { excluded.contains($0.id) }) else { return true }
      contents.passkeys.removeAll { $0.relyingPartyID == relyingPartyID && $0.userID == options.userID }
      contents.passkeys.append(passkey)
      return false
    }
    if isExcluded { throw .passkeyExists }
    return try PasskeyRegistration(
      credentialID: passkey.id, clientDataJSON: clientData("webauthn.create", options.challenge),
      attestationObject: passkey.attestationObject(flags), attachment: "platform", transports: ["internal"],
      isDiscoverable: options.asksForProperties ? true : nil)
  }

  /// Signs with the newest passkey that may; suggestions are accepted at once.
  public func sign(
    _ options: PasskeyRequestOptions, presentation: PasskeyPresentation
  ) async throws(AuthenticationError) -> PasskeyAssertion {
    let relyingPartyID = try named(options.relyingPartyID)
    let flags = try flags(options.userVerification)
    let allowed = options.allowedCredentials.map(\.id)
    let passkey = contents.withLock { contents in
      let index = contents.passkeys.lastIndex {
        $0.relyingPartyID == relyingPartyID && (allowed.isEmpty || allowed.contains($0.id))
      }
      return index.map { index in
        contents.passkeys[index].signatureCount += 1
        return contents.passkeys[index]
      }
    }
    guard let passkey else { throw .cancelled }
    let clientData = clientData("webauthn.get", options.challenge)
    let data = passkey.authenticatorData(flags)
    return try PasskeyAssertion(
      credentialID: passkey.id, clientDataJSON: clientData, authenticatorData: data,
      signature: try passkey.signature(over: data, clientData), userHandle: passkey.userID, attachment: "platform")
  }

  /// Follows the signal: a passkey that the server does not accept is removed for ever.
  public func signal(_ signal: PasskeySignal, relyingPartyID: String) async throws(AuthenticationError) {
    contents.withLock { contents in
      contents.signals.append(signal)
      switch signal {
      case .unknown(let id): contents.passkeys.removeAll { $0.relyingPartyID == relyingPartyID && $0.id == id }
      case .accepted(let ids, let user):
        contents.passkeys.removeAll {
          $0.relyingPartyID == relyingPartyID && $0.userID == user && !ids.contains($0.id)
        }
      case .details(let userName, let displayName, let user):
        for index in contents.passkeys.indices
        where contents.passkeys[index].relyingPartyID == relyingPartyID && contents.passkeys[index].userID == user {
          (contents.passkeys[index].userName, contents.passkeys[index].displayName) = (userName, displayName)
        }
      }
    }
  }

  private func named(_ relyingPartyID: String?) throws(AuthenticationError) -> String {
    guard let relyingPartyID else {
      throw AuthenticationError(
        .invalidRequest, "The options name no domain.", suggestion: "Ask through checking(relyingPartyID:).")
    }
    return relyingPartyID
  }

  private func flags(_ verification: PasskeyRequirement) throws(AuthenticationError) -> UInt8 {
    switch user {
    case .verifies: 0x05
    case .touches where verification != .required: 0x01
    case .touches, .declines: throw .cancelled
    }
  }

  /// In the order that a client writes (WebAuthn Level 3 §5.8.1.1).
  private func clientData(_ type: String, _ challenge: Data) -> Data {
    let origin = JSON.string(origin).text
    return Data(
      #"{"type":"\#(type)","challenge":"\#(URLSafe.encode(challenge))","origin":\#(origin),"crossOrigin":false}"#.utf8)
  }
}
#endif
