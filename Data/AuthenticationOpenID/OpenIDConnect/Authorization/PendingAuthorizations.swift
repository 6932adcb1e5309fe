import AuthenticationData
import AuthenticationDomain
import Foundation
import Synchronization

/// The sign-ins whose response has not arrived: kept in secure storage, so that a relaunched app can finish one; found
/// by state, and used once (RFC 6749 §10.12).
///
/// A transaction expires after 10 minutes: by uptime in the process that began it, whose wall clock may be corrected
/// while the page is open, and by the wall clock in any other process, in which a transaction that seems to begin more
/// than 10 minutes in the future has expired as well. There are 16 slots: a further sign-in replaces the oldest one.
/// Storage cannot be listed, and each transaction has a slot of its own so that two processes do not overwrite each
/// other's list. Calls block as the storage does; within one process they wait for each other.
final class PendingAuthorizations: Sendable {
  static let lifetime: Duration = .seconds(600)
  static let slots = 16

  private let storage: any SecureStorage
  /// When this process began the sign-ins that are still open, by uptime; the key is the state.
  private let begun = Mutex<[String: Duration]>([:])
  private let clock: any AuthenticationClock

  init(_ storage: any SecureStorage, clock: any AuthenticationClock) {
    self.storage = storage
    self.clock = clock
  }

  /// Stores a transaction. Throws the storage's errors, and ``AuthenticationError/storageUnavailable`` if there is
  /// no free slot; the request must not be sent then.
  func add(_ transaction: AuthorizationTransaction) throws(AuthenticationError) {
    let data = try transaction.encoded()
    try begun.withLock { begun throws(AuthenticationError) in
      begun = begun.filter { isRecent($0.value) }
      var oldest: (key: String, startedAt: Date)?
      var free: String?
      for key in Self.keys(from: transaction.state) {
        let kept = try Self.read(key, from: storage)
        if let kept, isAlive(kept, begun), !kept.state.isSame(as: transaction.state) {
          if oldest.map({ kept.startedAt < $0.startedAt }) ?? true { oldest = (key, kept.startedAt) }
        } else {
          if kept != nil { try storage.delete(key) }
          free = free ?? key
        }
      }
      guard let key = free ?? oldest?.key else { throw .noSlot }
      try storage.write(data, for: key)
      begun[transaction.state] = clock.uptime
    }
  }

  /// Returns the transaction of this state, issuer and client, after removing it from storage; nil if there is none in
  /// storage. For a sign-in of this process that means that something else removed it.
  ///
  /// Throws ``AuthenticationError/security`` with the check `state` if it has expired, and the storage's
  /// errors if it cannot be read, or the transaction cannot be removed.
  func take(state: String, of client: OpenIDClient) throws(AuthenticationError) -> AuthorizationTransaction? {
    try begun.withLock { begun throws(AuthenticationError) -> AuthorizationTransaction? in
      for key in Self.keys(from: state) {
        guard let kept = try Self.read(key, from: storage), kept.state.isSame(as: state),
          kept.clientID.isSame(as: client.clientID), kept.issuer.isSame(as: client.issuer)
        else { continue }
        try storage.delete(key)
        defer { begun[kept.state] = nil }
        guard isAlive(kept, begun) else { throw .unknownState }
        return kept
      }
      return nil
    }
  }

  /// Removes every sign-in that was begun, also by a process that was killed: each contains a verifier. Those that
  /// cannot be removed now expire within 10 minutes.
  func removeAll() {
    begun.withLock { begun in
      begun = [:]
      // If one cannot be removed, the storage is locked or unavailable.
      for key in Self.keys where (try? storage.delete(key)) == nil { return }
    }
  }

  private func isAlive(_ transaction: AuthorizationTransaction, _ begun: [String: Duration]) -> Bool {
    if let start = begun[transaction.state] { return isRecent(start) }
    return abs(clock.now.timeIntervalSince(transaction.startedAt)) < Self.lifetime / .seconds(1)
  }

  private func isRecent(_ start: Duration) -> Bool { clock.uptime - start < Self.lifetime }

  private static let keys = (0..<slots).map { "authorization-\($0)" }

  /// Every slot, in an order that depends on the random state: two processes that begin together rarely choose the same
  /// one.
  private static func keys(from state: String) -> [String] {
    let first = Int(state.utf8.first ?? 0)
    return (0..<slots).map { keys[(first + $0) % slots] }
  }

  /// Also nil for data that cannot be read, damaged or of a later version: it would expire within 10 minutes anyway.
  private static func read(
    _ key: String, from storage: any SecureStorage
  ) throws(AuthenticationError) -> AuthorizationTransaction? {
    do {
      return try storage.read(key).flatMap { AuthorizationTransaction(stored: $0) }
    } catch  where error == .storageCorrupt {
      return nil
    }
  }
}

extension AuthenticationError {
  fileprivate static let noSlot = Self(
    .storageUnavailable, "There is no slot left to keep the sign-in until its response arrives.",
    suggestion: "Begin the sign-in again in a few minutes.")

  static let unknownState = refused(
    by: .state, "The redirect is for no sign-in of this app that is still open: unknown, already used, or too old.")
}

/// One authorization request, kept until its response arrives, which is checked against it (RFC 9700 §2.1, §4.4).
struct AuthorizationTransaction: Sendable, Redacted {
  /// 256 random bits each, of this transaction alone.
  let state: String
  let nonce: String
  let verifier: Secret
  let issuer: String
  let clientID: String
  /// As it was sent; known when the presenter listens.
  var redirectURI: String
  /// UTC.
  let startedAt: Date
  let scopes: [String]
  let requirements: AuthenticationRequirements
  /// As it was sent (OpenID Connect Core §3.1.2.1).
  var prompt: [String] = []
  /// The key to which the tokens will be bound; nil for bearer tokens.
  let proofKey: Secret?
  /// Whether the issuer announced that it names itself in every response (RFC 9207 §3).
  var expectsIssuer = false
  /// Whose member must sign in; nil for any user.
  var organization: String?
}

extension AuthorizationTransaction {
  /// Creates a transaction with new random values of 256 bits each, 43 characters (RFC 7636 §4.1, §7.1; RFC 9700
  /// §4.7.1). Its redirect URI is not known yet.
  init(
    _ request: BrowserSignIn, of client: OpenIDClient, in environment: AuthProviderConfiguration.Environment,
    expectsIssuer: Bool
  ) {
    let random = { Base64URL.encode(environment.randomBytes(32)) }
    let needsConsent = request.hints.prompt.isEmpty && client.needsConsent
    self.init(
      state: random(), nonce: random(), verifier: Secret(random()), issuer: client.issuer, clientID: client.clientID,
      redirectURI: "", startedAt: environment.clock.now, scopes: client.askedScopes,
      requirements: request.hints.requirements, prompt: needsConsent ? ["consent"] : request.hints.prompt,
      proofKey: client.newProofKey, expectsIssuer: expectsIssuer, organization: request.hints.organization)
  }

  /// The stored format, version 1: JSON that contains secrets, for secure storage only. `maxAge` is in seconds,
  /// `startedAt` in seconds since 2001 (UTC). Throws ``AuthenticationError/storageUnavailable`` if it cannot be
  /// written.
  func encoded() throws(AuthenticationError) -> Data {
    let maxAge = requirements.maxAge?.components.seconds
    let stored: JSONBody = [
      "version": JSONValue.number(1), "state": state, "nonce": nonce, "verifier": verifier, "issuer": issuer,
      "clientID": clientID, "redirectURI": redirectURI,
      "startedAt": JSONValue.number(startedAt.timeIntervalSinceReferenceDate), "scopes": scopes,
      "acrValues": requirements.acrValues, "maxAge": maxAge.map { JSONValue.number(Double($0)) }, "prompt": prompt,
      "proofKey": proofKey, "expectsIssuer": expectsIssuer, "organization": organization,
    ]
    guard let data = try? JSONEncoder().encode(stored) else {
      throw AuthenticationError(.storageUnavailable, "The sign-in could not be written down for later.")
    }
    return data
  }

  /// Nil if the data is not a transaction of this version.
  init?(stored data: Data) {
    guard let stored = JSONMembers(json: data), stored.number("version") == 1, let state = stored["state"],
      let nonce = stored["nonce"], let verifier = stored.secret("verifier"), let issuer = stored["issuer"],
      let clientID = stored["clientID"], let redirectURI = stored["redirectURI"],
      let startedAt = stored.number("startedAt"), let expectsIssuer = stored.flag("expectsIssuer")
    else { return nil }
    let maxAge = stored.integer("maxAge", in: Int.min...Int.max)
    self.init(
      state: state, nonce: nonce, verifier: verifier, issuer: issuer, clientID: clientID, redirectURI: redirectURI,
      startedAt: Date(timeIntervalSinceReferenceDate: startedAt), scopes: stored.texts("scopes"),
      requirements: AuthenticationRequirements(
        acrValues: stored.texts("acrValues"), maxAge: maxAge.map { .seconds($0) }),
      prompt: stored.texts("prompt"), proofKey: stored.secret("proofKey"),
      expectsIssuer: expectsIssuer, organization: stored["organization"])
  }
}

/// A code, and its transaction (RFC 6749 §4.1.2): state, issuer and redirect URI are checked.
struct AuthorizationGrant: Sendable, Redacted {
  let code: Secret
  let transaction: AuthorizationTransaction
}
