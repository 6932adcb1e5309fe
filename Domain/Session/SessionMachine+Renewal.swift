#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SessionMachine {
  mutating func renewalRequested(
    _ rejected: AccessToken?, _ remaining: Duration?, _ wanted: Duration?
  ) -> [Effect] {
    if case .unavailable(let error) = store { return [.settle(error)] }
    guard let session = record.session else { return [.settle(.notSignedIn)] }
    let refusal = rejected.map { accessTokenRefused($0) } ?? []
    if refreshingGeneration == generation { return refusal }
    let token = session.accessToken
    let enough = wanted.map { token.enough(for: $0, isCapped: wishesAreCapped) } ?? token.renewalLeeway
    let isLasting = remaining.map { $0 > enough } ?? true
    if accessTokenIsUsable, isLasting { return [.settle(nil)] }
    guard session.tokens.refresh != nil else {
      if accessTokenIsUsable, remaining.map({ $0 > .zero }) ?? true { return [.settle(nil)] }
      freshness = .expired
      return [.publish, .settle(.sessionExpired)]
    }
    refreshingGeneration = generation
    wantedLifetime = wanted
    return (accessTokenIsRejected ? [.publish] : []) + [.refresh(session, generation: generation)]
  }

  mutating func accessTokenRefused(_ token: AccessToken) -> [Effect] {
    guard token == record.session?.accessToken, !accessTokenIsRejected else { return [] }
    accessTokenIsRejected = true
    return [.publish]
  }

  /// What looked over by a wrong clock is not.
  mutating func lifetimeCorrected(_ remaining: Duration?) -> [Effect] {
    if !accessTokenIsRejected, remaining.map({ $0 > .zero }) ?? true { freshness = .fresh }
    return [.publish]
  }

  /// The journal's entry: a process that dies from here on leaves word that the token may be spent.
  mutating func refreshBegan(_ began: Int, _ now: Date) -> [Effect] {
    guard began == generation, record.session != nil else { return [] }
    let earlier = record.unsettledRenewal
    record.unsettledRenewal = UnsettledRenewal(begunAt: earlier?.begunAt ?? now, sends: (earlier?.sends ?? 0) + 1)
    return [.save(record)]
  }

  mutating func refreshAnswered(
    _ answered: Int, _ result: Result<SessionTokens, AuthenticationError>, _ userID: String?,
    _ remaining: Duration?, _ now: Date
  ) -> [Effect] {
    let isCurrent = answered == generation
    if case .failure(let error) = result, isCurrent, error.isLostAnswer, record.unsettledRenewal?.sends == 1,
      let session = record.session
    {
      return [.refresh(session, generation: answered)]
    }
    if refreshingGeneration == answered { refreshingGeneration = nil }
    guard isCurrent, let session = record.session else {
      guard case .success(let tokens) = result else { return [] }
      return orphan(tokens, of: userID, now)
    }
    switch result {
    case .success(let tokens):
      if let wantedLifetime, !tokens.access.canLast(wantedLifetime) { wishesAreCapped = true }
      record.session = session.renewed(with: tokens)
      record.unsettledRenewal = nil
      freshness = .fresh
      accessTokenIsRejected = false
      return [.save(record), .publish, .settle(nil)] + deliverIfPending
    case .failure(let error):
      return refreshFailed(error, session, remaining)
    }
  }

  mutating func refreshNotSent(_ began: Int, _ error: AuthenticationError, _ remaining: Duration?) -> [Effect] {
    if refreshingGeneration == began { refreshingGeneration = nil }
    guard began == generation, record.session != nil else { return [] }
    return keep(after: error, remaining)
  }

  private mutating func refreshFailed(
    _ error: AuthenticationError, _ session: AuthSession, _ remaining: Duration?
  ) -> [Effect] {
    switch RenewalFailure(error) {
    case .rejected: end(session, with: error)
    case .unprocessed: settleJournal() + keep(after: error, remaining)
    case .ambiguous: keep(after: error, remaining)
    }
  }

  /// A token that is still good is used on; without one the session is stale, and nobody is signed out.
  private mutating func keep(after error: AuthenticationError, _ remaining: Duration?) -> [Effect] {
    let isStillGood = !accessTokenIsRejected && (remaining.map { $0 > .zero } ?? true)
    if !isStillGood { freshness = .stale }
    return [.publish, .settle(error, tokenIsGood: isStillGood)]
  }

  /// A refusal of a token that was sent before, and whose answer never came, is a loss and nobody's decision.
  private mutating func end(_ session: AuthSession, with error: AuthenticationError) -> [Effect] {
    let wasSentBefore = record.unsettledRenewal.map { $0.sends > 1 } ?? false
    generation += 1
    record.session = nil
    record.unsettledRenewal = nil
    record.formerUser = wasSentBefore ? session.user : nil
    signOutReason = wasSentBefore ? .ambiguousLoss : .rejected
    return [.save(record), .publish, .settle(wasSentBefore ? .ambiguousLoss : error)]
  }

  /// A request that the provider never used was not a send.
  private mutating func settleJournal() -> [Effect] {
    guard let entry = record.unsettledRenewal else { return [] }
    record.unsettledRenewal = entry.sends > 1 ? UnsettledRenewal(begunAt: entry.begunAt, sends: entry.sends - 1) : nil
    return [.save(record)]
  }
}
