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
    let before = record
    if !revoking { record.pendingRevocations = [] }
    guard let session = record.session else {
      record.formerUser = nil
      return (record == before ? [] : [.save(record)]) + [.publish]
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

  /// What has waited for too long leaves the queue before it is sent: each is sent at least once, whatever a wrong clock
  /// says of its age, and none waits for ever where answers do not come. What a clock ahead has queued counts from here.
  mutating func revocationStarted(_ revocation: PendingRevocation, _ now: Date) -> [Effect] {
    guard let index = indexOfRevocation(of: revocation.tokens) else { return [] }
    let age = now.timeIntervalSince(revocation.queuedAt)
    if age > Self.longestQueueTime {
      record.pendingRevocations.remove(at: index)
    } else if age < 0 {
      record.pendingRevocations[index] = .init(tokens: revocation.tokens, queuedAt: now, userID: revocation.userID)
    } else {
      return []
    }
    return hasReadStore ? [.save(record)] : []
  }

  /// Only success, or the provider's word that it will never succeed, takes a revocation out of the queue.
  mutating func revocationAnswered(
    _ revocation: PendingRevocation, _ failure: AuthenticationError?
  ) -> [Effect] {
    let final: Set<AuthenticationError.Code> = [.sessionRejected, .invalidCredentials, .unsupportedMethod]
    if let failure, !final.contains(failure.code) { return [] }
    guard let index = indexOfRevocation(of: revocation.tokens) else { return [] }
    record.pendingRevocations.remove(at: index)
    return hasReadStore ? [.save(record)] : []
  }

  private func indexOfRevocation(of tokens: SessionTokens) -> Int? {
    record.pendingRevocations.firstIndex { $0.tokens == tokens }
  }
}

extension PendingRevocation {
  /// Queued neither too long ago nor by a clock ahead: then there is nothing to write before it is sent.
  func isTimely(at now: Date) -> Bool {
    (0...SessionMachine.longestQueueTime).contains(now.timeIntervalSince(queuedAt))
  }
}
