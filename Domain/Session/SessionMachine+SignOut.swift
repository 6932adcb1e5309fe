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

  /// Success, the provider's word that it will never succeed, or a failure when it has waited for too long take a
  /// revocation out of the queue. Each is tried at least once, whatever a wrong clock says of its age.
  mutating func revocationAnswered(
    _ revocation: PendingRevocation, _ failure: AuthenticationError?, _ now: Date
  ) -> [Effect] {
    let final: Set<AuthenticationError.Code> = [.sessionRejected, .invalidCredentials, .unsupportedMethod]
    guard let index = record.pendingRevocations.firstIndex(of: revocation) else { return [] }
    let age = now.timeIntervalSince(revocation.queuedAt)
    if let failure, !final.contains(failure.code), age <= Self.longestQueueTime {
      guard age < 0 else { return [] }
      record.pendingRevocations[index] = .init(tokens: revocation.tokens, queuedAt: now, userID: revocation.userID)
    } else {
      record.pendingRevocations.remove(at: index)
    }
    return hasReadStore ? [.save(record)] : []
  }
}
