#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SessionMachine {
  mutating func signInStarted() -> [Effect] {
    attempt += 1
    return []
  }

  mutating func signInAnswered(
    _ answered: Int, _ result: Result<SignInOutcome, AuthenticationError>, _ now: Date
  ) -> [Effect] {
    switch result {
    case .success(.session(let session)):
      guard answered == attempt else { return orphan(session.tokens, of: session.user.id, now) }
      return adopt(session, now)
    case .success(.challenge(let asked)):
      guard answered == attempt, record.session == nil else { return [] }
      challenge = asked
      return [.publish]
    case .failure(let error):
      guard answered == attempt, error.code == .signInExpired, challenge != nil else { return [] }
      challenge = nil
      return [.publish]
    }
  }

  private mutating func adopt(_ session: AuthSession, _ now: Date) -> [Effect] {
    let replaced = record.session
    store = .read
    generation += 1
    attempt += 1
    isDeliberate = true
    record.session = session
    record.signedInAt = now
    record.unsettledRenewal = nil
    record.formerUser = nil
    freshness = .fresh
    accessTokenIsRejected = false
    wishesAreCapped = false
    challenge = nil
    record.queue(replaced, now)
    let waiters = replaced.map { $0.user.id == session.user.id ? nil : AuthenticationError.superseded }
    return [.save(record), .publish, .settle(waiters ?? nil)] + deliverIfPending
  }

  /// Tokens that nobody here will use are revoked, not forgotten.
  mutating func orphan(_ tokens: SessionTokens, of userID: String? = nil, _ now: Date) -> [Effect] {
    record.pendingRevocations.append(.init(tokens: tokens.withoutIdentity, queuedAt: now, userID: userID))
    return hasReadStore ? [.save(record), .deliverRevocations] : [.deliverRevocations]
  }

  var deliverIfPending: [Effect] { record.pendingRevocations.isEmpty ? [] : [.deliverRevocations] }
}

extension SessionRecord {
  /// Tokens that nobody will use are revoked, not forgotten. Some providers give the next sign-in the same refresh token.
  mutating func queue(_ replaced: AuthSession?, _ now: Date) {
    guard let replaced, replaced.tokens.refresh == nil || replaced.tokens.refresh != session?.tokens.refresh else {
      return
    }
    pendingRevocations.append(
      .init(tokens: replaced.tokens.withoutIdentity, queuedAt: now, userID: replaced.user.id))
  }
}
