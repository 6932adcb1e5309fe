#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Signing out, and what the provider has yet to revoke.
extension SessionMachine {
  /// Tokens that will not be used here are queued for revocation.
  mutating func orphan(_ tokens: SessionTokens, of userID: String? = nil, _ now: Date) -> [Effect] {
    record.pendingRevocations.append(.init(tokens: tokens.withoutIdentity, queuedAt: now, userID: userID))
    return save() + [.deliverRevocations]
  }

  var deliverIfPending: [Effect] { record.pendingRevocations.isEmpty ? [] : [.deliverRevocations] }

  mutating func signOutRequested(_ revoking: Bool, _ reason: SignOutReason, _ now: Date) -> [Effect] {
    guard store.isRead else { return [] }
    attempt += 1
    challenge = nil
    // Asked again because the store refused: the reason is still the first one's.
    let isFirst = record.session != nil || store.failure == nil
    if isFirst { signOutReason = reason }
    let before = record
    if !revoking, reason != .accountDeleted { record.pendingRevocations = [] }
    record.endSignIn()
    if isFirst, record.formerUser != nil || record.endReason != nil { record.endReason = reason }
    guard let session = record.session else {
      record.formerUser = nil
      return (record == before && store.failure == nil ? [] : save()) + [.publish]
    }
    generation += 1
    record.session = nil
    record.unsettledRenewal = nil
    record.endReason = reason
    if revoking {
      record.pendingRevocations.append(.init(tokens: session.tokens, queuedAt: now, userID: session.user.id))
    }
    return save() + [.publish, .settle(reason.error), .report(.signedOut(reason))] + deliverIfPending
  }

  /// A revocation that has waited for too long leaves the queue before it is sent: each is sent at least once, even if
  /// a wrong clock makes it look too old, and none stays queued for ever without a response. The time of one that was
  /// queued by a clock that was ahead starts anew.
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
    return save()
  }

  /// Only a success, or a failure that no later attempt can change, takes a revocation out of the queue.
  mutating func revocationAnswered(
    _ revocation: PendingRevocation, _ failure: AuthenticationError?
  ) -> [Effect] {
    let report = Effect.report(.revoked(failure))
    let final: Set<AuthenticationError.Code> = [.sessionRejected, .invalidCredentials, .unsupportedMethod]
    if let failure, !final.contains(failure.code) { return [report] }
    guard let index = indexOfRevocation(of: revocation.tokens) else { return [report] }
    record.pendingRevocations.remove(at: index)
    return save() + [report]
  }

  private func indexOfRevocation(of tokens: SessionTokens) -> Int? {
    record.pendingRevocations.firstIndex { $0.tokens == tokens }
  }
}

extension PendingRevocation {
  /// Whether it was queued neither too long ago nor by a clock that was ahead: then nothing is written before it is
  /// sent.
  func isTimely(at now: Date) -> Bool {
    (0...SessionMachine.longestQueueTime).contains(now.timeIntervalSince(queuedAt))
  }
}
