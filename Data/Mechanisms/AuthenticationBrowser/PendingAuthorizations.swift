package import AuthenticationData
package import AuthenticationDomain
package import Foundation
import Synchronization

/// A request to a page, kept until its response arrives: it contains secrets.
package protocol PendingAuthorization: Sendable {
  /// 256 random bits, which only the response to this request contains.
  var state: String { get }
  /// UTC.
  var startedAt: Date { get }

  /// As it is stored. Throws ``AuthenticationError/storageUnavailable`` if it cannot be written.
  func encoded() throws(AuthenticationError) -> Data
  /// Nil if the data is none of this kind and version.
  init?(stored data: Data)
}

/// The sign-ins whose response has not arrived: kept in secure storage, so that a relaunched app can finish one; found
/// by state, and used once (RFC 6749 §10.12).
///
/// A transaction expires after 10 minutes: by uptime in the process that began it, whose wall clock may be corrected
/// while the page is open, and by the wall clock in any other process, in which a transaction that seems to begin more
/// than 10 minutes in the future has expired as well. There are 16 slots: a further sign-in replaces the oldest one.
/// Storage cannot be listed, and each transaction has a separate slot, so that two processes do not overwrite each
/// other's list. Calls block as the storage does; within one process they wait for each other.
package final class PendingAuthorizations<Transaction: PendingAuthorization>: Sendable {
  static var lifetime: Duration { .seconds(600) }
  static var slots: Int { 16 }

  private let storage: any SecureStorage
  /// When this process began the sign-ins that are still open, by uptime; the key is the state.
  private let begun = Mutex<[String: Duration]>([:])
  private let clock: any AuthenticationClock

  package init(_ storage: any SecureStorage, clock: any AuthenticationClock) {
    self.storage = storage
    self.clock = clock
  }

  /// Stores a transaction. Throws the storage's errors, and ``AuthenticationError/storageUnavailable`` if there is
  /// no free slot; the request must not be sent then.
  package func add(_ transaction: Transaction) throws(AuthenticationError) {
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

  /// Returns the transaction of this state, after removing it from storage; nil if there is none in storage. For a
  /// sign-in of this process that means that something else removed it.
  ///
  /// Throws ``AuthenticationError/security`` with the reason `state` if it has expired, and the storage's
  /// errors if it cannot be read, or the transaction cannot be removed.
  ///
  /// - Parameter isOwn: whether it is one of the caller's; any other stays.
  package func take(
    state: String, where isOwn: (Transaction) -> Bool = { _ in true }
  ) throws(AuthenticationError) -> Transaction? {
    try begun.withLock { begun throws(AuthenticationError) -> Transaction? in
      for key in Self.keys(from: state) {
        guard let kept = try Self.read(key, from: storage), kept.state.isSame(as: state), isOwn(kept)
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
  package func removeAll() {
    begun.withLock { begun in
      begun = [:]
      // If one cannot be removed, the storage is locked or unavailable.
      for key in Self.keys where (try? storage.delete(key)) == nil { return }
    }
  }

  private func isAlive(_ transaction: Transaction, _ begun: [String: Duration]) -> Bool {
    if let start = begun[transaction.state] { return isRecent(start) }
    return abs(clock.now.timeIntervalSince(transaction.startedAt)) < Self.lifetime / .seconds(1)
  }

  private func isRecent(_ start: Duration) -> Bool { clock.uptime - start < Self.lifetime }

  private static var keys: [String] { (0..<slots).map { "authorization-\($0)" } }

  /// Every slot, in an order that depends on the random state: two processes that begin together rarely choose the same
  /// one.
  private static func keys(from state: String) -> [String] {
    let (first, keys) = (Int(state.utf8.first ?? 0), keys)
    return (0..<slots).map { keys[(first + $0) % slots] }
  }

  /// Also nil for data that cannot be read, damaged or of a later version: it would expire within 10 minutes anyway.
  private static func read(
    _ key: String, from storage: any SecureStorage
  ) throws(AuthenticationError) -> Transaction? {
    do {
      return try storage.read(key).flatMap { Transaction(stored: $0) }
    } catch  where error == .storageCorrupt {
      return nil
    }
  }
}

extension AuthenticationError {
  fileprivate static let noSlot = Self(
    .storageUnavailable, "There is no slot left to keep the sign-in until its response arrives.",
    suggestion: "Begin the sign-in again in a few minutes.")

  package static let signInRemoved = Self(
    .superseded, "A sign-out or another sign-in ended this one while its page was open.",
    suggestion: "Begin the sign-in again.")

  package static let unknownState = refused(
    by: .state, "The redirect is for no sign-in of this app that is still open: unknown, already used, or too old.")
}
