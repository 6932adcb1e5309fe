#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Signing in: only the latest attempt becomes the session.
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
      return adopt(signedIn: session, now)
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

  /// Tokens that were refreshed meanwhile stay; those of an upgrade count as refreshed, and are revoked if the person is
  /// no longer signed in.
  mutating func userChanged(_ user: User, _ tokens: SessionTokens?, _ now: Date) -> [Effect] {
    guard let session = record.session, session.user.id == user.id else {
      return tokens.map { orphan($0, of: user.id, now) } ?? []
    }
    let changed = AuthSession(user: user, tokens: tokens ?? session.tokens)
    guard changed != session else { return [] }
    record.session = changed
    guard changed.tokens != session.tokens else { return save() + [.publish] }
    generation += 1
    record.refreshes += 1
    (record.unsettledRenewal, record.refusedRefresh) = (nil, nil)
    freshness = .fresh
    accessTokenIsRejected = false
    return save() + [.publish, .settle(nil)]
  }

  /// The new session replaces the one of the same user in one write, as a sign-in does; without one its tokens are
  /// revoked. An attempt in progress goes on.
  mutating func userProved(_ session: AuthSession, _ now: Date) -> [Effect] {
    guard record.session?.user.id == session.user.id else { return orphan(session.tokens, of: session.user.id, now) }
    let attempt = attempt
    defer { self.attempt = attempt }
    return adopt(signedIn: session, now)
  }

  mutating func challengeDropped(_ dropped: Challenge) -> [Effect] {
    guard challenge == dropped else { return [] }
    challenge = nil
    return [.publish]
  }

  private mutating func adopt(signedIn session: AuthSession, _ now: Date) -> [Effect] {
    let replaced = record.session
    if !store.isRead { (store.reading, store.replacedUnreadAt) = (.read, now) }
    generation += 1
    attempt += 1
    record.endSignIn()
    record.session = session
    (record.signInID, record.refreshes, record.signedInAt) = (makeID(), 0, now)
    (record.unsettledRenewal, record.refusedRefresh) = (nil, nil)
    record.formerUser = nil
    freshness = .fresh
    accessTokenIsRejected = false
    wishesAreCapped = false
    challenge = nil
    record.queue(replaced, now)
    let isSuperseded = replaced.map { $0.user.id != session.user.id } ?? false
    return save() + [.publish, .settle(isSuperseded ? .superseded : nil)] + deliverIfPending
  }
}
