#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Refreshing: when one starts, and what becomes of the session after its response, or without one.
extension SessionMachine {
  mutating func refreshRequested(
    _ cause: AuthenticationEvent.Cause, _ rejected: AccessToken?, _ remaining: Duration?, _ wanted: Duration?
  ) -> [Effect] {
    if case .unavailable(let error) = store.reading { return [.settle(error)] }
    guard let session = record.session else { return [.settle(signOutReason.error)] }
    let refusal = rejected.map { accessTokenRefused($0) } ?? []
    if isRefreshing { return refusal }
    let token = session.accessToken
    let enough = wanted.map { policy.enough(of: token, for: $0, isCapped: wishesAreCapped) } ?? policy.leeway(of: token)
    let isLasting = remaining.map { $0 > enough } ?? true
    if accessTokenIsUsable, isLasting { return [.settle(nil)] }
    guard session.tokens.refresh != nil else {
      if accessTokenIsUsable, remaining.map({ $0 > .zero }) ?? true { return [.settle(nil)] }
      freshness = .expired
      return [.publish, .settle(.sessionExpired)]
    }
    refresh = RefreshInProgress(generation: generation, cause: cause, wanted: wanted)
    return (accessTokenIsRejected ? [.publish] : []) + [.refresh(session, generation: generation)]
  }

  mutating func accessTokenRefused(_ token: AccessToken) -> [Effect] {
    guard token == record.session?.accessToken, !accessTokenIsRejected else { return [] }
    accessTokenIsRejected = true
    return [.publish]
  }

  /// A token that only looked expired, by a wrong clock, is valid.
  mutating func lifetimeCorrected(_ remaining: Duration?) -> [Effect] {
    if !accessTokenIsRejected, !isForgotten, remaining.map({ $0 > .zero }) ?? true { freshness = .fresh }
    return [.publish]
  }

  /// Writes the journal: if the process dies from here on, the store says that the token may be spent.
  mutating func refreshBegan(_ began: Int, _ now: Date) -> [Effect] {
    guard began == generation, record.session != nil else { return [] }
    refresh?.hasBegun = true
    let earlier = record.unsettledRenewal
    record.unsettledRenewal = UnsettledRenewal(begunAt: earlier?.begunAt ?? now, sends: (earlier?.sends ?? 0) + 1)
    return save()
  }

  mutating func refreshFailed(_ began: Int, _ error: AuthenticationError, _ remaining: Duration?) -> [Effect] {
    if refresh?.generation == began { refresh = nil }
    guard began == generation, record.session != nil else { return [] }
    return keep(after: error, remaining)
  }

  /// After a lost response the token is sent again immediately, up to ``RenewalPolicy/resends`` times: the refresh
  /// stays in progress.
  mutating func refreshAnswered(_ answer: RefreshAnswer, _ remaining: Duration?, _ now: Date) -> [Effect] {
    let isCurrent = answer.generation == generation && answer.session == record.session
    if isCurrent, isRefreshing, case .failure(let error) = answer.result, error.isLostAnswer,
      let sends = record.unsettledRenewal?.sends, sends <= policy.resends
    {
      return [.report(.retried(error))]
    }
    guard isCurrent else { return discard(answer, now) }
    let wanted = refresh?.wanted
    refresh = nil
    switch answer.result {
    case .success(let tokens): return take(tokens, renewing: answer.session, wanted)
    case .failure(let error):
      if error.code.disposition == .endsSession, let blocked = store.blocked {
        // Until the store can be read, the token counts as not sent.
        heldRejection = (generation, error)
        return settleJournal() + keep(after: blocked, remaining)
      }
      return conclude(with: error, answer.session, remaining, now)
    }
  }

  /// The refusal of an earlier refresh of this session, which takes effect once the store can be read.
  package mutating func takeHeldRejection() -> AuthenticationError? {
    defer { heldRejection = nil }
    return heldRejection.flatMap { $0.generation == generation ? $0.error : nil }
  }

  private mutating func take(_ tokens: SessionTokens, renewing session: AuthSession, _ wanted: Duration?) -> [Effect] {
    if let wanted, !policy.canLast(tokens.access, for: wanted) { wishesAreCapped = true }
    record.session = session.renewed(with: tokens)
    record.refreshes += 1
    record.unsettledRenewal = nil
    record.refusedRefresh = nil
    freshness = .fresh
    accessTokenIsRejected = false
    return save() + [.publish, .settle(nil)] + deliverIfPending
  }

  /// Tokens of an ended sign-in are revoked. Those of the current one share its grant: to revoke them could end it.
  private mutating func discard(_ answer: RefreshAnswer, _ now: Date) -> [Effect] {
    guard case .success(let tokens) = answer.result else { return [] }
    if record.session != nil, answer.signInID == record.signInID { return [] }
    return orphan(tokens, of: answer.session.user.id, now)
  }

  private mutating func conclude(
    with error: AuthenticationError, _ session: AuthSession, _ remaining: Duration?, _ now: Date
  ) -> [Effect] {
    switch RenewalFailure(error) {
    case .rejected: return end(session, with: error)
    case .unprocessed:
      // Without an earlier success the request itself may be wrong, which no sign-in would change.
      if error.blamesRequest, record.refreshes > 0 {
        record.refusedRefresh = record.refusedRefresh?.again(at: now) ?? RefusedRefresh(firstAt: now)
      }
      return settleJournal() + keep(after: error, remaining)
    case .ambiguous: return keep(after: error, remaining)
    }
  }

  /// Whether the provider seems to have forgotten the session; a later refresh may show that it has not.
  var isForgotten: Bool { record.refusedRefresh?.isConfirmed ?? false }

  /// A token that is still valid stays in use; without one the session is stale, and the person stays signed in.
  private mutating func keep(after error: AuthenticationError, _ remaining: Duration?) -> [Effect] {
    if isForgotten {
      freshness = .expired
      return [.backOff(error), .publish, .settle(.forgotten(providerCode: error.providerCode))]
    }
    let isStillGood = !accessTokenIsRejected && (remaining.map { $0 > .zero } ?? true)
    let hasEnded = remaining.map { $0 <= .zero } ?? false
    if !isStillGood { freshness = hasEnded && record.session?.tokens.outliveAccess == false ? .expired : .stale }
    return [.backOff(error), .publish, .settle(error, tokenIsGood: isStillGood)]
  }

  /// If the refused token was sent before without a response, this is an ambiguous loss, not a rejection.
  private mutating func end(_ session: AuthSession, with error: AuthenticationError) -> [Effect] {
    let wasSentBefore = record.unsettledRenewal.map { $0.sends > 1 } ?? false
    generation += 1
    record.refuseSignIn()
    record.session = nil
    record.unsettledRenewal = nil
    record.formerUser = wasSentBefore ? session.user : nil
    signOutReason = (wasSentBefore ? SignOutReason.ambiguousLoss : .rejected).given(by: error)
    record.endReason = signOutReason
    return save() + [
      .publish, .settle(wasSentBefore ? .ambiguousLoss : error), .report(.signedOut(signOutReason)),
    ]
  }

  /// A request that the provider did not process does not count as a send.
  private mutating func settleJournal() -> [Effect] {
    guard let entry = record.unsettledRenewal else { return [] }
    record.unsettledRenewal = entry.sends > 1 ? UnsettledRenewal(begunAt: entry.begunAt, sends: entry.sends - 1) : nil
    return save()
  }
}
