import AuthenticationData
import AuthenticationDomain
import Synchronization
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The sign-ins whose answer has not come: kept in secure storage, so that a relaunched app can finish one, looked up
/// by state, and used once (RFC 6749 §10.12).
///
/// A transaction lives 10 minutes: by uptime in the process that began it, whose wall clock may be set right while the
/// page is open, and by the wall clock in any other, where one that a turned-back clock puts more than 10 minutes into
/// the future is over as well. There are 16 places: a further sign-in takes the oldest one's. Storage cannot be listed, and
/// each transaction has a place of its own so that two processes do not overwrite one another's list. Calls block as the
/// storage does; in one process they wait for each other.
final class PendingAuthorizations: Sendable {
  static let lifetime: Duration = .seconds(600)
  static let places = 16

  private let storage: any SecureStorage
  /// When this process began the sign-ins that are still open, by uptime; by state.
  private let begun = Mutex<[String: Duration]>([:])
  private let clock: any AuthenticationClock

  init(_ storage: any SecureStorage, clock: any AuthenticationClock) {
    self.storage = storage
    self.clock = clock
  }

  /// Throws what the storage throws, and ``AuthenticationError/Code/storageUnavailable`` where no place is found; then
  /// nothing may be sent.
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
      guard let key = free ?? oldest?.key else { throw .noPlace }
      try storage.write(data, for: key)
      begun[transaction.state] = clock.uptime
    }
  }

  /// The transaction of this state, issuer and client, removed from storage before it is answered.
  ///
  /// Throws ``AuthenticationError/Code/security`` with ``SecurityCheck/state`` where there is none, and what the storage
  /// throws where it cannot be read, or the transaction cannot be removed.
  func take(state: String, of client: OpenIDClient) throws(AuthenticationError) -> AuthorizationTransaction {
    let taken = try begun.withLock { begun throws(AuthenticationError) -> AuthorizationTransaction? in
      guard let (key, transaction) = try Self.find(state, of: client, in: storage) else { return nil }
      try storage.delete(key)
      defer { begun[transaction.state] = nil }
      return isAlive(transaction, begun) ? transaction : nil
    }
    guard let taken else { throw .unknownState }
    return taken
  }

  /// Forgets a sign-in that came to nothing. What cannot be removed now is over in 10 minutes.
  func discard(state: String, of client: OpenIDClient) {
    _ = try? take(state: state, of: client)
  }

  /// Forgets every sign-in that was begun, also by a process that was killed: each holds a verifier. What cannot be removed
  /// now is over in 10 minutes.
  func removeAll() {
    begun.withLock { begun in
      begun = [:]
      // Where one cannot be removed the storage is locked or away.
      for key in Self.keys where (try? storage.delete(key)) == nil { return }
    }
  }

  private func isAlive(_ transaction: AuthorizationTransaction, _ begun: [String: Duration]) -> Bool {
    if let start = begun[transaction.state] { return isRecent(start) }
    return abs(clock.now.timeIntervalSince(transaction.startedAt)) < Self.lifetime / .seconds(1)
  }

  private func isRecent(_ start: Duration) -> Bool { clock.uptime - start < Self.lifetime }
}

extension PendingAuthorizations {
  private static let keys = (0..<places).map { "authorization-\($0)" }

  /// Every place, in an order that the random state decides: two processes that begin at once rarely meet.
  private static func keys(from state: String) -> [String] {
    let first = Int(state.utf8.first ?? 0)
    return (0..<places).map { keys[(first + $0) % places] }
  }

  private static func find(
    _ state: String, of client: OpenIDClient, in storage: any SecureStorage
  ) throws(AuthenticationError) -> (key: String, transaction: AuthorizationTransaction)? {
    for key in keys(from: state) {
      guard let kept = try read(key, from: storage), kept.state.isSame(as: state),
        kept.clientID.isSame(as: client.clientID), kept.issuer.isSame(as: client.issuer)
      else { continue }
      return (key, kept)
    }
    return nil
  }

  /// Nil also for what is unreadable: a later version's, or damaged; it is worth nothing in 10 minutes.
  private static func read(
    _ key: String, from storage: any SecureStorage
  ) throws(AuthenticationError) -> AuthorizationTransaction? {
    do {
      return try storage.read(key).flatMap { AuthorizationTransaction(stored: $0) }
    } catch  where error.code == .storageCorrupt {
      return nil
    }
  }
}

extension AuthenticationError {
  fileprivate static let noPlace = Self(
    .storageUnavailable, "There is no place left to keep the sign-in until its answer comes.",
    suggestion: "Begin the sign-in again in a few minutes.")

  static let unknownState = refused(
    by: .state, "The redirect answers no sign-in of this app that is still open: unknown, already used, or too old.")
}
