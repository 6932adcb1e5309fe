#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SessionMachine {
  mutating func signOutRequested(_ revoking: Bool, _ now: Date) -> [Effect] {
    guard hasReadStore else { return [] }
    attempt += 1
    challenge = nil
    signOutReason = .requested
    guard let session = record.session else {
      let wasLost = record.formerUser != nil
      record.formerUser = nil
      return (wasLost ? [.save(record)] : []) + [.publish]
    }
    generation += 1
    isDeliberate = true
    record.session = nil
    record.unsettledRenewal = nil
    if revoking {
      record.pendingRevocations.append(.init(tokens: session.tokens, queuedAt: now, userID: session.user.id))
    }
    return [.save(record), .publish, .settle(.notSignedIn)] + deliverIfPending
  }

  /// What could not be delivered for too long is given up.
  mutating func queueDue(_ now: Date) -> [Effect] {
    record.pendingRevocations.removeAll { $0.queuedAt < now.addingTimeInterval(-Self.longestQueueTime) }
    return []
  }

  /// Only success, or the provider's word that it will never succeed, takes a revocation out of the queue.
  mutating func revocationAnswered(
    _ revocation: PendingRevocation, _ failure: AuthenticationError?
  ) -> [Effect] {
    let final: Set<AuthenticationError.Code> = [.sessionRejected, .invalidCredentials, .unsupportedMethod]
    if let failure, !final.contains(failure.code) { return [] }
    guard let index = record.pendingRevocations.firstIndex(of: revocation) else { return [] }
    record.pendingRevocations.remove(at: index)
    return hasReadStore ? [.save(record)] : []
  }
}
